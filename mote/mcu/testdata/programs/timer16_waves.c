// Purpose: Timer/Counter1 in all waveform generation modes: the pads OC1A and OC1B, to the cycle
// Datasheet: 2467X "Modes of Operation" of Timer/Counter1 and 3, Tables 58 to 61; 2549Q section 17.9, Tables 17-2 to 17-5;
//   DS40002061A section 16.9, Tables 16-1 to 16-4. START writes TCCR1B so that tick k (TCNT1 becomes k) comes at MARK + 2 + k;
//   a match with OCR1A = n acts on the tick that leaves n, k = n + 1.
// Chips: all
// Run: 140000
// Case: normal, toggle: a=0x40 b=1 ocra=99 => wave OC1A rise MARK+2+100: 65536
// Case: normal, set: a=0xC0 b=1 ocra=99 => wave OC1A rise MARK+2+100:; wave OC1B still
// Case: normal, clear: a=0x80 b=1 ocra=99 => wave OC1A still; level OC1A low
// Case: CTC with OCR1A, toggle, clk/1: a=0x40 b=0x09 ocra=99 => wave OC1A rise MARK+2+100: 100 x20
// Case: CTC with OCR1A, both units: a=0x50 b=0x09 ocra=99 ocrb=24 => wave OC1A rise MARK+102: 100 x20;
//   wave OC1B rise MARK+2+25: 100 x20
// Case: CTC with ICR1: a=0x40 b=0x19 ocra=9 icr=49 => wave OC1A rise MARK+2+10: 50 x20
// Case: fast PWM 8 bits: a=0x81 b=0x09 ocra=63 => wave OC1A rise MARK+2+256: 64 192 x5
// Case: fast PWM 8 bits, inverting: a=0xC1 b=0x09 ocra=63 => wave OC1A rise MARK+2+64: 192 64 x5
// Case: fast PWM 9 bits: a=0x82 b=0x09 ocra=100 => wave OC1A rise MARK+2+512: 101 411 x5
// Case: fast PWM 10 bits: a=0x83 b=0x09 ocra=1000 => wave OC1A rise MARK+2+1024: 1001 23 x3
// Case: fast PWM with ICR1: a=0xA2 b=0x19 ocra=29 ocrb=0 icr=99 => wave OC1A rise MARK+2+100: 30 70 x5;
//   wave OC1B rise MARK+2+100: 1 99 x5
// Case: fast PWM with OCR1A, toggle: a=0x43 b=0x19 ocra=99 => wave OC1A rise MARK+2+100: 100 x10
// Case: fast PWM, OCR at TOP, constant high: a=0x82 b=0x19 ocra=99 icr=99 => wave OC1A rise MARK+2+100:; level OC1A high
// Case: phase correct 8 bits: a=0x81 b=1 ocra=63 => wave OC1A rise MARK+2+448: 126 384 x3
// Case: phase correct 8 bits, inverting: a=0xC1 b=1 ocra=63 => wave OC1A rise MARK+2+64: 384 126 x3
// Case: phase correct 9 bits: a=0x82 b=1 ocra=100 => wave OC1A rise MARK+2+923: 200 822 x2
// Case: phase correct 10 bits: a=0x83 b=1 ocra=1000 => wave OC1A rise MARK+2+1047: 2000 46 x2
// Case: phase correct with ICR1: a=0x82 b=0x11 ocra=30 icr=100 => wave OC1A rise MARK+2+171: 60 140 x5
// Case: phase correct with OCR1A, toggle A: a=0x63 b=0x11 ocra=100 ocrb=25 => wave OC1A rise MARK+2+101: 200 x5;
//   wave OC1B rise MARK+2+176: 50 150 x5
// Case: phase and frequency correct with ICR1: a=0x80 b=0x11 ocra=30 icr=100 => wave OC1A rise MARK+2+171: 60 140 x5
// Case: phase and frequency correct with OCR1A: a=0x21 b=0x11 ocra=100 ocrb=25 => wave OC1B rise MARK+2+176: 50 150 x5
#include "chip.h"

CONFIG uint8_t a, b;
CONFIG uint16_t ocra, ocrb, icr;

int main(void)
{
	OUTPUT(PAD_OC1A);
	OUTPUT(PAD_OC1B);
	OUTPUT(PAD_MARK);
	OCR1A = ocra; /* in normal mode: not buffered */
	OCR1B = ocrb;
	TCCR1A = a;
	TCCR1B = b & 0x18;
	ICR1 = icr; /* only the modes with ICR1 as TOP take it */
	START(TCCR1B, b);
	for (;;)
		;
}
