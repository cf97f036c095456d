// Purpose: pin change interrupts: masked pads only, both edges, three cycles to the flag, clearing PCIFR
// Datasheet: 2549Q section 15.1 and Figure 15-1; DS40002061A section 13.1 and Figure 13-1
// Chips: atmega328p atmega1281 atmega2560
// Pad: PCINT0 low
// Pad: PCINT1 low
// On: MARK rise 1 +50: high PCINT1
// On: MARK rise 1 +100: high PCINT0
// On: MARK rise 1 +150: low PCINT0
// On: MARK rise 2 +20: high PCINT0
// Expect: entry PCINT0 #1 MARK+100+3+4+WIDE
// Expect: entry PCINT0 #2 MARK+150+3+4+WIDE
// Expect: served PCINT0 x2
// Expect: bytes flags == 1 0
#include "chip.h"

volatile uint8_t flags[2];

EMPTY_HANDLER(PCINT0_vect)

int main(void)
{
	OUTPUT(PAD_MARK);
	PCMSK0 = 1;
	PCICR = 1;
	sei();
	MARK_UP();
	NOPS(200);
	MARK_DOWN();
	PCICR = 0;
	MARK_UP();
	WAIT(50);
	flags[0] = PCIFR;
	PCIFR = 1;
	flags[1] = PCIFR;
	DONE();
}
