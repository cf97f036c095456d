// A handler lets interrupts in, and another one is served meanwhile; or comes back before its timer does.
#include "chip.h"

volatile uint8_t other;

ISR(TIMER1_COMPA_vect)
{
    sei();
    TIMSK1 |= _BV(OCIE1B);
    work(200);
}

ISR(TIMER1_COMPB_vect)
{
    other++;
}

int main(void)
{
    OCR1B = 700;
    every(4000);
    sei();
    for (;;)
        ;
}
