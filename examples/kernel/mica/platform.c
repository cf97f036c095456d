// Pins and power of the Mica boards.
#include <avr/sleep.h>

#include "kernel.h"

enum { FLASH_SELECT = 1 << PA3 };

// The external flash must not listen while others use its pins: its chip select
// is high from the start.
void PlatformC__init(void)
{
    PORTA |= FLASH_SELECT;
    DDRA |= FLASH_SELECT;
}

// Asked of the hardware each time, so there is no count of users to get out of
// step. UART, ADC, SPI, the synchronous timers and the edges of INT4 to INT7 need
// the I/O clock, which only idle keeps (ATmega128 datasheet, Table 17); timer 0
// has its own crystal and runs on in power-save.
uint8_t PlatformC__sleepMode(void)
{
    if (SPCR & (1 << SPIE))    // first: a radio that listens wakes us most often
        return SLEEP_MODE_IDLE;
    if (UCSR0B & ((1 << RXEN0) | (1 << TXEN0)))
        return SLEEP_MODE_IDLE;
    if (ADCSRA & (1 << ADEN))
        return SLEEP_MODE_IDLE;
    if ((TIMSK & ~((1 << OCIE0) | (1 << TOIE0))) || ETIMSK)
        return SLEEP_MODE_IDLE;
    if (EIMSK & 0xF0)
        return SLEEP_MODE_IDLE;
    return SLEEP_MODE_PWR_SAVE;
}
