// The board's three LEDs, as bits of a number: LED0 is the lowest.
#ifndef LEDS_H
#define LEDS_H

#include <stdint.h>

enum { LED0 = 1, LED1 = 2, LED2 = 4 };

void LedsP__init(void);
void LedsP__set(uint8_t leds);
void LedsP__toggle(uint8_t leds);

#endif
