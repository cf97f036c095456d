// What the programs need of their chips.
#include <stdbool.h>
#include <stdint.h>
#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/sleep.h>
#include <avr/wdt.h>

#ifndef TIMSK1
#define TIMSK1 TIMSK
#endif
#ifndef TIFR1
#define TIFR1 TIFR
#endif

// every has TIMER1_COMPA ask for an interrupt again and again.
static inline void every(uint16_t cycles)
{
    OCR1A = cycles - 1;
    TCNT1 = 0;
    TCCR1B = _BV(WGM12) | _BV(CS10);
    TIMSK1 |= _BV(OCIE1A);
}

static inline void work(uint16_t n)
{
    while (n--)
        __asm__ volatile("nop");
}
