// Purpose: Timer/Counter1 counts edges on T1: rising, falling, and none when they come too fast for the sampler
// Datasheet: 2467X "External Clock Source"; 2549Q section 18.3; DS40002061A section 17.3
// Chips: all
// On: MARK rise 1 +10: low T1
// On: MARK rise 1 +100: high T1
// On: MARK rise 1 +200: low T1
// On: MARK rise 1 +300: high T1
// On: MARK rise 1 +400: low T1
// On: MARK rise 1 +500: high T1
// On: MARK rise 1 +600: low T1
// On: MARK rise 1 +650: pulse T1
// Case: rising: cs=7 => var count == 3
// Case: falling: cs=6 => var count == 3
// Case: clkIO: cs=0 => var count == 0
#include "chip.h"

CONFIG uint8_t cs;
volatile uint8_t count;

int main(void)
{
	OUTPUT(PAD_MARK);
	START(TCCR1B, cs);
	WAIT(750);
	count = TCNT1;
	DONE();
}
