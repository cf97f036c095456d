// Blinks: toggles the LED every half a second. A timer's handler counts milliseconds, and the main program reads that counter.
//
// The bug: the counter has two bytes, and reading it is two instructions. If the timer comes between them when the counter goes
// from 255 to 256, the program has the low byte of 255 and the high byte of 256: it reads 511, and blinks early.

#include <avr/interrupt.h>
#include <avr/io.h>

volatile uint16_t ticks;
uint16_t last;

ISR(TIMER0_COMPA_vect) { ticks++; }

static uint16_t now(void) {
#ifdef FIXED
    cli();
    uint16_t t = ticks;
    sei();
    return t;
#else
    return ticks;    // BUG: the timer may come in the middle of this
#endif
}

int main(void) {
    DDRB = 1 << PB5;
    TCCR0A = 1 << WGM01;
    OCR0A = 249;    // 16 MHz / 64 / 250: every millisecond
    TIMSK0 = 1 << OCIE0A;
    TCCR0B = 1 << CS01 | 1 << CS00;
    sei();
    for (;;) {
        uint16_t t = now();
        if (t - last >= 500) {
            last = t;
            PORTB ^= 1 << PB5;
        }
    }
}
