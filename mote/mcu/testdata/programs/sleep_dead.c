// Purpose: asleep with interrupts off nothing ends the sleep but a reset; a user is told by the reason for the stop
// Datasheet: 2467X, 2549Q, DS40002061A "Sleep Modes": an enabled interrupt wakes the chip
// Chips: all
// Ends: dead_sleep
// Expect: var woke == 0
#include "chip.h"

volatile uint8_t woke;

int main(void)
{
	TIMSK1 = _BV(TOIE1);
	TCCR1B = 1;
	SLEEP_REG = SLEEP_BITS(0);
	__asm__ __volatile__("sleep");
	woke = 1;
	DONE();
}
