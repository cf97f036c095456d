// main returns, and with it goes the handler. want halted @_exit
#include "chip.h"

volatile uint8_t ticks;

ISR(TIMER1_COMPA_vect) { ticks++; }

int main(void)
{
    every(4000);
    sei();
    work(60000);
    return 0;
}
