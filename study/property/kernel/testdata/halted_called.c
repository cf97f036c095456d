// A function ends the program.
#include "chip.h"
#include <stdlib.h>

volatile uint8_t state;

ISR(TIMER1_COMPA_vect) { }

__attribute__((noinline)) static void look(void)
{
    work(10);
    if (state == 0)
        exit(1); // want halted
}

int main(void)
{
    sei();
    look();
    for (;;)
        ;
}
