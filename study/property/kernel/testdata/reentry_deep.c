// A handler that is declared to let interrupts in is entered without end.
#include "chip.h"

static volatile uint8_t deep;

ISR(TIMER1_COMPA_vect, ISR_NOBLOCK)
{ // want reentry TIMER1_COMPA
    if (++deep < 8)
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
