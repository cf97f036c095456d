// A program without handlers that is done, and sleeps with interrupts off.
#include "chip.h"

int main(void)
{
    work(1000);
    set_sleep_mode(SLEEP_MODE_PWR_DOWN);
    sleep_enable();
    cli();
    for (;;)
        sleep_cpu();
}
