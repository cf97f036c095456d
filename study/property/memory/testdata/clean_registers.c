/* Purpose: I/O registers through pointers, in a table and computed. Nothing is wrong. */
#include <stdint.h>
#include <avr/io.h>
volatile uint8_t in = 2;

struct port { volatile uint8_t *out, *dir; };
const struct port ports[] = {{&PORTB, &DDRB}, {&PORTD, &DDRD}};
int main(void)
{
    for (uint8_t i = 0; i < in; i++) { *ports[i].dir = 0xF0; *ports[i].out |= 0x30; }
    volatile uint8_t *p = (volatile uint8_t *)(uint16_t)(0x25 + in * 0);
    *p = 1;
    return PORTB;
}
