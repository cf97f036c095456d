// Purpose: INT0 on any change, INT4 (INT1 on the ATmega328P) through clkI/O; latency; a flag set by writing the pad itself
// Datasheet: 2549Q section 15.1, Table 15-1, 15-3; DS40002061A section 13.1, Table 13-2; 2467X Table 50: "even if the pin is configured as an
//   output", so software can ask for the interrupt
// Chips: all
// Pad[atmega328p]: INT1 low
// Pad[atmega128 atmega1281 atmega2560]: INT4 low
// On[atmega328p]: MARK rise 1 +50: high INT1
// On[atmega328p]: MARK rise 1 +100: low INT1
// On[atmega128 atmega1281 atmega2560]: MARK rise 1 +50: high INT4
// On[atmega128 atmega1281 atmega2560]: MARK rise 1 +100: low INT4
// Expect[atmega328p]: entry INT1 #1 MARK+50+3+4
// Expect[atmega328p]: entry INT1 #2 MARK+100+3+4
// Expect[atmega128 atmega1281 atmega2560]: entry INT4 #1 MARK+50+3+4+WIDE
// Expect[atmega128 atmega1281 atmega2560]: entry INT4 #2 MARK+100+3+4+WIDE
// Expect: served INT0 x1
#include "chip.h"

EMPTY_HANDLER(INT0_vect)
#ifdef __AVR_ATmega328P__
EMPTY_HANDLER(INT1_vect)
#else
EMPTY_HANDLER(INT4_vect)
#endif

int main(void)
{
	OUTPUT(PAD_MARK);
#ifdef __AVR_ATmega328P__
	EICRA = 1 << 2;
	EIMSK = 1 << INT1;
#else
	EICRB = 1;
	EIMSK = 1 << INT4;
#endif
	EIFR = 0xFF;
	sei();
	MARK_UP();
	NOPS(200);
	EIMSK = 0;
	EICRA = 3;
	OUTPUT(PAD_INT0);
	LOW(PAD_INT0);
	WAIT(10);
	EIFR = 0xFF;
	EIMSK = _BV(INT0);
	HIGH(PAD_INT0);
	WAIT(20);
	DONE();
}
