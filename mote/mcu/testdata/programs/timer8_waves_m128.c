// Purpose: the ATmega128's Timer/Counter0 (clkI/O) and Timer/Counter2 in all modes, at OC0 and OC2
// Datasheet: 2467X "Modes of Operation" of Timer/Counter0 and 2, Tables 52 to 55 and 64 to 67. One register holds mode and
//   clock, so the timer starts in its mode: tick k comes at MARK + 2 + k
// Chips: atmega128
// Run: 30000
// Case: normal, toggle: start=0x11 ocr=99 => wave OC0 rise MARK+2+100: 256 x20
// Case: CTC, toggle: start=0x19 ocr=99 => wave OC0 rise MARK+2+100: 100 x50
// Case: fast PWM: start=0x69 ocr=63 => wave OC0 rise MARK+2+256: 64 192 x20
// Case: fast PWM, inverting: start=0x79 ocr=63 => wave OC0 rise MARK+2+64: 192 64 x20
// Case: phase correct: start=0x61 ocr=63 => wave OC0 rise MARK+2+448: 126 384 x10
// Case: timer 2, CTC, toggle: second=1 start=0x19 ocr=99 => wave OC2 rise MARK+2+100: 100 x50
// Case: timer 2, fast PWM: second=1 start=0x69 ocr=63 => wave OC2 rise MARK+2+256: 64 192 x20
// Case: timer 2, phase correct: second=1 start=0x61 ocr=63 => wave OC2 rise MARK+2+448: 126 384 x10
#include "chip.h"

CONFIG uint8_t start, ocr, second;

int main(void)
{
	OUTPUT(PAD_OC0);
	OUTPUT(PAD_OC2);
	OUTPUT(PAD_MARK);
	OCR0 = ocr;
	OCR2 = ocr;
	if (second)
		START(TCCR2, start);
	else
		START(TCCR0, start);
	for (;;)
		;
}
