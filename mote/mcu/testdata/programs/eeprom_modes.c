// Purpose: EEPROM erase only and write only, at half the time; a write without erase only clears bits
// Datasheet: 2549Q Table 8-1; DS40002061A Table 8-1: 1.8 ms each
// Chips: atmega328p atmega1281 atmega2560
// Expect: bytes values == 0x0F 0x0C 0xFF
// Expect: words times == 3400..3410 1800..1810 1800..1810
#include "chip.h"

volatile uint8_t values[3];
volatile uint16_t times[3];

static void step(uint8_t i, uint8_t mode, uint8_t v)
{
	EEAR = 5;
	EEDR = v;
	TCNT1 = 0;
	EECR = mode << 4;
	EECR |= _BV(EEMPE);
	EECR |= _BV(EEPE);
	while (EECR & _BV(EEPE))
		;
	times[i] = TCNT1;
	EECR |= _BV(EERE);
	values[i] = EEDR;
}

int main(void)
{
	TCCR1B = 2;
	step(0, 0, 0x0F);
	step(1, 2, 0xFC);
	step(2, 1, 0);
	DONE();
}
