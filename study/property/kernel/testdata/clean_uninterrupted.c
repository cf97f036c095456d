// It has a handler, but was never interrupted when it goes to sleep for ever: it has done what it had to.
#include "chip.h"

ISR(TIMER1_COMPA_vect) { }

int main(void)
{
    work(100);
    set_sleep_mode(SLEEP_MODE_PWR_DOWN);
    sleep_enable();
    sei();
    for (;;)
        sleep_cpu();
}
