// All interrupts without a handler of their own lead to one.
#include "chip.h"

volatile uint16_t count;

ISR(BADISR_vect) { count++; }

int main(void)
{
    OCR1B = 2000;
    every(4000);
    TIMSK1 |= _BV(OCIE1B);
    sei();
    for (;;)
        ;
}
