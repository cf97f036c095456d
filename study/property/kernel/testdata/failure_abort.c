// The C library's abort, which ends the program.
#include "chip.h"
#include <stdlib.h>

volatile uint8_t state;

ISR(TIMER1_COMPA_vect) { }

int main(void)
{
    work(100);
    if (state == 0)
        abort(); // want failure abort
    for (;;)
        ;
}
