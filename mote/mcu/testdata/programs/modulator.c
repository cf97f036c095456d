// Purpose: two compare units on PB7: their AND when PORTB7 is zero, their OR when it is one
// Datasheet: 2467X "Output Compare Modulator (OCM1C2)"; 2549Q chapter 19. Both are high for half of 256 ticks, the 8-bit one a quarter earlier:
//   from tick 192 (mod 256) to 64, OC1C from 0 to 128
// Chips: atmega128 atmega1281 atmega2560
// Run: 5000
// Case: and: port=0 => wave OC1C rise MARK+2+256: 64 192 x5
// Case: or: port=0x80 => wave OC1C rise MARK+2+192: 192 64 x5
#include "chip.h"

CONFIG uint8_t port;

#ifdef __AVR_ATmega128__
#define OTHER_START TCCR2
#define OTHER_BITS (_BV(WGM20) | _BV(WGM21) | _BV(COM21) | 1)
#else
#define OTHER_START TCCR0B
#define OTHER_BITS 1
#endif

int main(void)
{
	OUTPUT(PAD_OC1C);
	OUTPUT(PAD_MARK);
	PORTB = port;
	OCR1C = 127;
#ifdef __AVR_ATmega128__
	OCR2 = 127;
	TCNT2 = 64 + 2; /* it starts two cycles later */
#else
	OCR0A = 127;
	TCNT0 = 64 + 2;
	TCCR0A = _BV(WGM01) | _BV(WGM00) | _BV(COM0A1);
#endif
	TCCR1A = _BV(WGM10) | _BV(COM1C1);
	TCCR1B = _BV(WGM12);
	__asm__ __volatile__("out %0, %1\n\tsts %2, %3\n\tsts %4, %5" ::"I"(_SFR_IO_ADDR(PORTC)), "r"((uint8_t)_BV(3)),
		"n"(_SFR_MEM_ADDR(TCCR1B)), "r"((uint8_t)(_BV(WGM12) | 1)), "n"(_SFR_MEM_ADDR(OTHER_START)), "r"((uint8_t)OTHER_BITS));
	for (;;)
		;
}
