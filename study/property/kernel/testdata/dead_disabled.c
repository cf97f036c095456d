// The handler switches the only interrupt off, and the mote sleeps for ever.
#include "chip.h"

static volatile uint8_t ticks;

ISR(TIMER1_COMPA_vect)
{
    if (++ticks == 10)
        TIMSK1 = 0;
}

int main(void)
{
    every(4000);
    set_sleep_mode(SLEEP_MODE_IDLE);
    sleep_enable();
    sei();
    for (;;)
        sleep_cpu(); // want dead_sleep
}
