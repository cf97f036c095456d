// Sleeping when there is nothing to do.
#include <avr/sleep.h>

#include "clock.h"
#include "kernel.h"

void McuSleepC__McuSleep__sleep(void)
{
    uint8_t mode = PlatformC__sleepMode();

    if (mode != SLEEP_MODE_IDLE)
        ClockC__stopping();
    // The register has nothing else in use: external memory is off, and the vectors
    // are where they are after reset.
    _SLEEP_CONTROL_REG = mode | _BV(SE);
    // In one piece: no interrupt is taken between SEI and the instruction after
    // it, so one that is pending already wakes the CPU rather than being
    // handled before it sleeps.
    __asm__ volatile("sei\n\tsleep" ::: "memory");
    // Between two handlers one instruction of ours runs: with this one before
    // CLI, two handlers that wait get their turn, not only the first.
    _SLEEP_CONTROL_REG = 0;
    cli();
}
