// An interrupt without a handler is switched on.
#include "chip.h"

volatile uint16_t count;

ISR(TIMER1_COMPA_vect) { }

int main(void)
{
    OCR1B = 2000;
    every(4000);
    TIMSK1 |= _BV(OCIE1B);
    sei();
    for (;;)
        count++; // want bad_interrupt TIMER1_COMPB
}
