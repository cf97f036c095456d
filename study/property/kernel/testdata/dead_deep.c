// The mote sleeps so deeply that its timer stops.
#include "chip.h"

static volatile uint8_t ticks;

ISR(TIMER1_COMPA_vect) { ticks++; }

int main(void)
{
    every(4000);
    sei();
    while (ticks < 10)
        ;
    set_sleep_mode(SLEEP_MODE_PWR_DOWN);
    sleep_enable();
    for (;;)
        sleep_cpu(); // want dead_sleep
}
