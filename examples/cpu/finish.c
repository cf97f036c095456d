// How the programs end: on the mote asleep with interrupts off, from which only a
// reset wakes it; on a host with the checksum printed.
#include "cpu.h"

#ifdef __AVR__

#include <avr/interrupt.h>
#include <avr/sleep.h>

volatile uint32_t result;
volatile uint8_t done;

void finish(uint32_t checksum)
{
    result = checksum;
    done = 1;
    set_sleep_mode(SLEEP_MODE_PWR_DOWN);
    sleep_enable();
    cli();
    for (;;)
        sleep_cpu();
}

#else

#include <stdio.h>
#include <stdlib.h>

void finish(uint32_t checksum)
{
    printf("0x%08lX\n", (unsigned long)checksum);
    exit(0);
}

#endif
