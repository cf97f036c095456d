// Purpose: the TWI as a slave: addressed, written to, read from, stopped; general call; not its address
// Datasheet: 2467X Tables 90 and 91; 2549Q Tables 24-4 and 24-5; DS40002061A Tables 22-4 and 22-5
// Chips: all
// On: MARK rise 1 +200: address 24
// On: MARK rise 1 +400: address 20
// On: MARK rise 1 +600: write AB
// On: MARK rise 1 +800: stop
// On: MARK rise 1 +1000: address 21
// On: MARK rise 1 +1200: read 1
// On: MARK rise 1 +1400: read
// On: MARK rise 1 +1600: stop
// On: MARK rise 1 +1800: address 00
// On: MARK rise 1 +2000: write CD
// On: MARK rise 1 +2200: stop
// Expect: twi S12w- S10w+ AB+ P S10r+ C0+ C1- P S00w+ CD+ P
// Expect: bytes status == 0x60 0x80 0xA0 0xA8 0xB8 0xC0 0x70 0x90 0xA0
// Expect: bytes got == 0xAB 0xCD
#include "chip.h"

volatile uint8_t status[9], got[2], n, received, next = 0xC0;

ISR(TWI_vect)
{
	uint8_t s = TWSR & 0xF8;
	status[n++] = s;
	if (s == 0x80 || s == 0x90)
		got[received++] = TWDR;
	if (s == 0xA8 || s == 0xB8)
		TWDR = next++;
	TWCR = _BV(TWINT) | _BV(TWEA) | _BV(TWEN) | _BV(TWIE);
}

int main(void)
{
	OUTPUT(PAD_MARK);
	TWAR = 0x20 | _BV(TWGCE);
	TWCR = _BV(TWEA) | _BV(TWEN) | _BV(TWIE);
	sei();
	MARK_UP();
	WAIT(2500);
	DONE();
}
