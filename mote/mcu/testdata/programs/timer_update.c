// Purpose: when a written OCR1A takes effect: at BOTTOM in fast PWM, at TOP in phase correct, at BOTTOM in phase and frequency
//   correct PWM
// Datasheet: 2467X Table 61; 2549Q Table 17-2; DS40002061A Table 16-4, column "Update of OCR1x". TOP is 99. OCR1A goes from 20 to 70 near tick
//   250, in the middle of a period: fast PWM has 71 high from tick 300 on. Phase correct: TOP comes at tick 297, so the way down of this
//   period has the new value, and OC1A is high from tick 198 + 198 - 70 + 1 to 396 + 71. Frequency correct: the way down still has 20,
//   and OC1A is high from tick 198 + 198 - 20 + 1
// Chips: all
// Run: 4000
// Case: fast PWM: a=0x82 b=0x19 => wave OC1A rise MARK+2+100: 21 79 21 79 71 29 71 29
// Case: phase correct: a=0x82 b=0x11 => wave OC1A rise MARK+2+179: 40 108 140 58 140 58
// Case: phase and frequency correct: a=0x80 b=0x11 => wave OC1A rise MARK+2+179: 40 158 90 58 140 58
#include "chip.h"

CONFIG uint8_t a, b;

int main(void)
{
	OUTPUT(PAD_OC1A);
	OUTPUT(PAD_MARK);
	OCR1A = 20;
	TCCR1A = a;
	TCCR1B = b & 0x18;
	ICR1 = 99;
	START(TCCR1B, b);
	WAIT(240);
	OCR1A = 70;
	for (;;)
		;
}
