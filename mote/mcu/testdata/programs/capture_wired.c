// Purpose: Timer/Counter1 captures the output of Timer/Counter0: the distance of its edges, the flag without interrupt
// Datasheet: 2467X "Input Capture Unit"; 2549Q section 17.6; DS40002061A section 16.6
// Chips: all
// Wire[atmega128]: OC0 -> ICP1
// Wire[atmega1281 atmega2560 atmega328p]: OC0A -> ICP1
// Expect: words distance == 200 200 200 200
// Expect: var flags == 4
#include "chip.h"

volatile uint16_t distance[4];
volatile uint8_t flags;

int main(void)
{
#ifdef __AVR_ATmega128__
	OUTPUT(PAD_OC0);
	OCR0 = 99;
	TCCR0 = _BV(WGM01) | _BV(COM00) | 1;
#else
	OUTPUT(PAD_OC0A);
	OCR0A = 99;
	TCCR0A = _BV(WGM01) | _BV(COM0A0);
	TCCR0B = 1;
#endif
	TCCR1B = _BV(ICES1) | 1;
	TIFR1 = _BV(ICF1);
	while (!(TIFR1 & _BV(ICF1)))
		;
	uint16_t last = ICR1;
	for (uint8_t i = 0; i < 4; i++) {
		TIFR1 = _BV(ICF1);
		while (!(TIFR1 & _BV(ICF1)))
			;
		flags++;
		uint16_t now = ICR1;
		distance[i] = now - last;
		last = now;
	}
	DONE();
}
