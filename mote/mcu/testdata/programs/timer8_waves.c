// Purpose: Timer/Counter0 in all waveform generation modes: the pads OC0A and OC0B, to the cycle
// Datasheet: 2549Q section 16.7, Tables 16-2 to 16-8; DS40002061A section 15.7, Tables 15-2 to 15-8. Tick k comes at MARK + 2 + k
// Chips: atmega328p atmega1281 atmega2560
// Run: 30000
// Case: normal, toggle: a=0x40 b=1 ocra=99 => wave OC0A rise MARK+2+100: 256 x20
// Case: normal, both: a=0x50 b=1 ocra=99 ocrb=200 => wave OC0A rise MARK+2+100: 256 x20; wave OC0B rise MARK+2+201: 256 x20
// Case: CTC: a=0x52 b=1 ocra=99 ocrb=9 => wave OC0A rise MARK+2+100: 100 x50; wave OC0B rise MARK+2+10: 100 x50
// Case: fast PWM: a=0xA3 b=1 ocra=63 ocrb=0 => wave OC0A rise MARK+2+256: 64 192 x20; wave OC0B rise MARK+2+256: 1 255 x20
// Case: fast PWM, inverting: a=0xC3 b=1 ocra=63 => wave OC0A rise MARK+2+64: 192 64 x20
// Case: fast PWM, OCR at TOP: a=0x83 b=1 ocra=255 => wave OC0A rise MARK+2+256:
// Case: fast PWM to OCR0A, toggle A: a=0x63 b=9 ocra=99 ocrb=39 => wave OC0A rise MARK+2+100: 100 x20;
//   wave OC0B rise MARK+2+100: 40 60 x20
// Case: phase correct: a=0xA1 b=1 ocra=63 ocrb=128 => wave OC0A rise MARK+2+448: 126 384 x10;
//   wave OC0B rise MARK+2+383: 256 254 x10
// Case: phase correct to OCR0A, toggle A: a=0x61 b=9 ocra=100 ocrb=25 => wave OC0A rise MARK+2+101: 200 x10;
//   wave OC0B rise MARK+2+176: 50 150 x10
// Case: COM 1 without WGM02 leaves the pad to the port: a=0x43 b=1 ocra=99 => wave OC0A still
#include "chip.h"

CONFIG uint8_t a, b, ocra, ocrb;

int main(void)
{
	OUTPUT(PAD_OC0A);
	OUTPUT(PAD_OC0B);
	OUTPUT(PAD_MARK);
	OCR0A = ocra;
	OCR0B = ocrb;
	TCCR0A = a;
	TCCR0B = b & 8;
	START(TCCR0B, b);
	for (;;)
		;
}
