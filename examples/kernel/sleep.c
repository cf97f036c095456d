// Sleeping when there is nothing to do.
#include <avr/sleep.h>

#include "clock.h"
#include "kernel.h"

void McuSleepC__McuSleep__sleep(void)
{
    uint8_t mode = PlatformC__sleepMode();

    if (mode != SLEEP_MODE_IDLE)
        ClockC__stopping();
    set_sleep_mode(mode);
    sleep_enable();
    // In one piece: no interrupt is taken between SEI and the instruction after
    // it, so one that is pending already wakes the CPU rather than being
    // handled before it sleeps.
    __asm__ volatile("sei\n\tsleep" ::: "memory");
    // Between two handlers one instruction of ours runs: with these few before
    // CLI, all handlers that wait get their turn, not only the first.
    sleep_disable();
    cli();
}
