#include "leds.h"

#include "board.h"
#include "kernel.h"

#define LED_PINS (LED0_PIN | LED1_PIN | LED2_PIN)

static uint8_t LedsP__pins(uint8_t leds)
{
    uint8_t pins = 0;

    if (leds & LED0)
        pins |= LED0_PIN;
    if (leds & LED1)
        pins |= LED1_PIN;
    if (leds & LED2)
        pins |= LED2_PIN;
    return pins;
}

void LedsP__init(void)
{
    LedsP__set(0);
    atomic LED_DDR |= LED_PINS;
}

// The port's other pins belong to other drivers and their handlers, so each
// change is one atomic read-modify-write.
void LedsP__set(uint8_t leds)
{
    uint8_t pins = LedsP__pins(leds);

    if (LED_ACTIVE_LOW)
        pins ^= LED_PINS;
    atomic LED_PORT = (LED_PORT & ~LED_PINS) | pins;
}

void LedsP__toggle(uint8_t leds)
{
    uint8_t pins = LedsP__pins(leds);

    atomic LED_PORT ^= pins;
}
