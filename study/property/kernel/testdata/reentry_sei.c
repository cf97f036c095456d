// A handler lets interrupts in, and is slower than its timer.
#include "chip.h"

static volatile uint8_t deep;

ISR(TIMER1_COMPA_vect)
{ // want reentry TIMER1_COMPA
    sei();
    if (++deep == 1)
        work(2000);
    deep--;
}

int main(void)
{
    every(4000);
    sei();
    for (;;)
        ;
}
