// Purpose: how long an edge on T1 takes to the counter, and a timer clocked by another one's output
// Datasheet: DS40002061A section 17.3: 2.5 to 3.5 system clock cycles from the edge to the counter; 2549Q section 18.3; 2467X
//   "External Clock Source"
// Chips: all
// Wire: OC1A -> T1
// Wire[atmega128 atmega1281 atmega2560]: OC1A -> T3
// On: MARK rise 1 +50: high T1
// Expect: var before == 0
// Expect: var after == 1
// Expect[atmega128 atmega1281 atmega2560]: var third == 10
#include "chip.h"

volatile uint8_t before, after, third;

int main(void)
{
	uint8_t x, y;
	OUTPUT(PAD_MARK);
	TCCR1B = 7;
	/* MARK rises at the end of OUT, c + 1; T1 at c + 51. IN and LDS read in their last cycle: c + 52, c + 54. */
	__asm__ __volatile__("out %2, %3\n\t.rept 50\n\tnop\n\t.endr\n\tlds %0, %4\n\tlds %1, %4"
		: "=&r"(x), "=&r"(y) : "I"(_SFR_IO_ADDR(PORTC)), "r"((uint8_t)_BV(3)), "n"(_SFR_MEM_ADDR(TCNT1)));
	before = x;
	after = y;
#ifndef __AVR_ATmega328P__
	OUTPUT(PAD_OC1A);
	TCCR3B = 6;
	OCR1A = 19;
	TCCR1A = _BV(COM1A0);
	TCCR1B = _BV(WGM12) | 1; /* 40 cycles for each falling edge */
	WAIT(415);
	third = TCNT3;
#endif
	DONE();
}
