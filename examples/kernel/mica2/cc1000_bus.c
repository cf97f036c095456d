// The CC1000's three wires (SWRS048, 3-wire Serial Configuration Interface): seven
// bits of address and one that says write, while PALE is low; then eight bits of
// data, either way. Bits change while PCLK is high, and are taken when it falls.
#include "board.h"
#include "cc1000.h"

// The port's other pins belong to others, and single-bit changes are single
// instructions on it.
void CC1000BusP__start(void)
{
    atomic {
        PORTD |= CC1000_PALE | CC1000_PCLK | CC1000_PDATA;
        DDRD |= CC1000_PALE | CC1000_PCLK | CC1000_PDATA;
    }
}

static void CC1000BusP__put(uint8_t byte)
{
    for (uint8_t bit = 0x80; bit != 0; bit >>= 1) {
        if (byte & bit)
            PORTD |= CC1000_PDATA;
        else
            PORTD &= ~CC1000_PDATA;
        PORTD &= ~CC1000_PCLK;
        PORTD |= CC1000_PCLK;
    }
}

static void CC1000BusP__address(uint8_t reg, bool isWrite)
{
    PORTD &= ~CC1000_PALE;
    CC1000BusP__put(reg << 1 | isWrite);
}

void CC1000BusP__write(uint8_t reg, uint8_t value)
{
    CC1000BusP__address(reg, true);
    PORTD |= CC1000_PALE;
    CC1000BusP__put(value);
    PORTD |= CC1000_PDATA;
}

uint8_t CC1000BusP__read(uint8_t reg)
{
    uint8_t value = 0;

    CC1000BusP__address(reg, false);
    DDRD &= ~CC1000_PDATA;
    PORTD |= CC1000_PALE;
    for (uint8_t i = 0; i < 8; i++) {
        PORTD &= ~CC1000_PCLK;
        value <<= 1;
        if (PIND & CC1000_PDATA)
            value |= 1;
        PORTD |= CC1000_PCLK;
    }
    PORTD |= CC1000_PDATA;
    DDRD |= CC1000_PDATA;
    return value;
}
