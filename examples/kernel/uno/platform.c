// Pins and power of the Uno.
#include <avr/sleep.h>

#include "kernel.h"

// All pins are inputs after reset, and nothing on the board minds.
void PlatformC__init(void)
{
}

// Asked of the hardware each time, so there is no count of users to get out of
// step. Everything here needs the I/O clock, the clock's own timer 1 too; only
// idle keeps it (ATmega328P datasheet, Table 10-1).
uint8_t PlatformC__sleepMode(void)
{
    if (UCSR0B & ((1 << RXEN0) | (1 << TXEN0)))
        return SLEEP_MODE_IDLE;
    if (ADCSRA & (1 << ADEN))
        return SLEEP_MODE_IDLE;
    if (SPCR & (1 << SPIE))
        return SLEEP_MODE_IDLE;
    if (TIMSK0 || TIMSK1 || TIMSK2)
        return SLEEP_MODE_IDLE;
    return SLEEP_MODE_PWR_DOWN;
}
