/* Purpose: waits for a handler in its main loop, and writes behind an array after a while. */
#include <avr/interrupt.h>
#include <avr/io.h>
#include <stdint.h>

volatile uint16_t ticks;
uint8_t ring[8];
uint8_t head;

ISR(TIMER1_OVF_vect)
{
    ticks++;
}

static uint16_t __attribute__((noinline)) now(void)
{
    cli();
    uint16_t t = ticks;
    sei();
    return t;
}

int main(void)
{
    TCCR1B = _BV(CS10);
    TIMSK = _BV(TOIE1);
    for (uint16_t last = 0;;) {
        uint16_t t = now();
        if (t != last) {
            last = t;
            ring[head] = t;
            if (++head > 8)
                head = 0;
        }
    }
}
