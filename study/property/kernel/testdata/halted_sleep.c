// A program that sleeps with interrupts off: it forgot to let them in again.
#include "chip.h"

static volatile uint8_t ticks;

ISR(TIMER1_COMPA_vect) { ticks++; }

int main(void)
{
    every(4000);
    set_sleep_mode(SLEEP_MODE_IDLE);
    sleep_enable();
    sei();
    for (;;) {
        cli();
        if (ticks > 9)
            sleep_cpu(); // want halted
        else
            sei();
        work(1);
    }
}
