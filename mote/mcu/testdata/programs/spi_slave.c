// Purpose: the SPI as a slave of the bench; a master that is selected becomes a slave
// Datasheet: 2467X "SS Pin Functionality"; 2549Q section 21.1; DS40002061A section 19.3
// Chips: all
// Pad: SS high
// On: MARK rise 1 +10: shift 77
// On: MARK rise 1 +50: low SS
// On: MARK rise 1 +100: shift 11
// On: MARK rise 1 +200: shift 22
// On: MARK rise 1 +300: shift 33
// On: MARK rise 1 +400: high SS
// On: MARK rise 2 +20: low SS
// Expect: replies FF A5 12 23
// Expect: bytes heard == 0x11 0x22 0x33
// Expect: served SPI_STC x4
// Expect: var still_master == 0
#include "chip.h"

volatile uint8_t heard[4], n, still_master;

ISR(SPI_STC_vect)
{
	uint8_t v = SPDR;
	heard[n++] = v;
	SPDR = v + 1;
}

int main(void)
{
	OUTPUT(PAD_MARK);
	OUTPUT(PAD_MISO);
	SPCR = _BV(SPE) | _BV(SPIE);
	SPDR = 0xA5;
	sei();
	MARK_UP();
	MARK_DOWN();
	WAIT(500);
	SPCR = _BV(SPE) | _BV(SPIE) | _BV(MSTR);
	MARK_UP();
	WAIT(100);
	still_master = SPCR & _BV(MSTR);
	DONE();
}
