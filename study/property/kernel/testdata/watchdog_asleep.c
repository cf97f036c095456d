// Asleep with interrupts off, but the watchdog wakes it: no end, but a reset.
#include "chip.h"

ISR(TIMER1_COMPA_vect) { }

int main(void)
{
    wdt_enable(WDTO_15MS); // want watchdog
    set_sleep_mode(SLEEP_MODE_PWR_DOWN);
    sleep_enable();
    cli();
    for (;;)
        sleep_cpu();
}
