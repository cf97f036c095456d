// A program that stops itself.
#include "chip.h"

static volatile uint8_t ticks;

ISR(TIMER1_COMPA_vect) { ticks++; }

int main(void)
{
    every(4000);
    sei();
    while (ticks < 10)
        ;
    cli(); // want halted
    for (;;)
        ;
}
