/* Purpose: an interrupt uses pointers of its own at any moment. Nothing is wrong. */
#include <stdint.h>
#include <avr/io.h>
#include <avr/interrupt.h>
volatile uint8_t in = 9;

volatile uint8_t ring[8], n;
uint16_t a[10], b[10];
volatile uint8_t *volatile at = ring;
ISR(TIMER0_OVF_vect)
{
    *at++ = n++;
    if (at == ring + 8) at = ring;
}
volatile uint16_t out;
int main(void)
{
#ifdef TCCR0B
    TCCR0B = 1;
    TIMSK0 = 1;
#else
    TCCR0 = 1;
    TIMSK = 1;
#endif
    sei();
    for (uint16_t k = 0; k < 300; k++)
        for (uint8_t i = 1; i <= in; i++) { a[i - 1] = b[i] + k; b[i - 1] = a[i]; out = b[in]; }
    cli();
    return n;
}
