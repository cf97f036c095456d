// Purpose: the further 16-bit timers count like Timer/Counter1 and drive pads of their own; unit C too
// Datasheet: 2467X "16-bit Timer/Counter (Timer/Counter1 and Timer/Counter3)"; 2549Q chapter 17 and Table 14-1
// Chips: atmega128 atmega1281 atmega2560
// Expect: wave OC1C rise MARK+2+31: 100 x3
// Expect: wave OC3A rise MARK+100+2+50: 50 x3
// Expect[atmega2560]: wave OC4A rise MARK+200+2+60: 60 x3
// Expect[atmega2560]: wave OC5A rise MARK+300+2+70: 70 x3
// Expect[atmega1281 atmega2560]: served TIMER4_COMPA x5
// Expect[atmega1281 atmega2560]: served TIMER5_COMPA x5
// Expect: served TIMER3_COMPA x5
#include "chip.h"

volatile uint8_t third, fourth, fifth;

ISR(TIMER3_COMPA_vect)
{
	if (++third == 5)
		TIMSK3 = 0;
}

#ifndef __AVR_ATmega128__
ISR(TIMER4_COMPA_vect)
{
	if (++fourth == 5)
		TIMSK4 = 0;
}

ISR(TIMER5_COMPA_vect)
{
	if (++fifth == 5)
		TIMSK5 = 0;
}
#endif

int main(void)
{
	OUTPUT(PAD_OC1C);
	OUTPUT(PAD_OC3A);
	OUTPUT(PAD_MARK);
	OCR1A = 99;
	OCR1C = 30;
	TCCR1A = _BV(COM1C0);
	OCR3A = 49;
	TCCR3A = _BV(COM3A0);
#ifndef __AVR_ATmega128__
#ifdef __AVR_ATmega2560__
	OUTPUT(PAD_OC4A);
	OUTPUT(PAD_OC5A);
#endif
	OCR4A = 59;
	TCCR4A = _BV(COM4A0);
	OCR5A = 69;
	TCCR5A = _BV(COM5A0);
	/* STS takes two cycles, so 97 and the LDI before it make a hundred. */
	uint8_t v = _BV(WGM12) | 1;
	START(TCCR1B, v);
	WAIT(98);
	__asm__ __volatile__("sts %0, %1" ::"n"(_SFR_MEM_ADDR(TCCR3B)), "r"(v));
	WAIT(98);
	__asm__ __volatile__("sts %0, %1" ::"n"(_SFR_MEM_ADDR(TCCR4B)), "r"(v));
	WAIT(98);
	__asm__ __volatile__("sts %0, %1" ::"n"(_SFR_MEM_ADDR(TCCR5B)), "r"(v));
#else
	uint8_t v = _BV(WGM12) | 1;
	START(TCCR1B, v);
	WAIT(98);
	__asm__ __volatile__("sts %0, %1" ::"n"(_SFR_MEM_ADDR(TCCR3B)), "r"(v));
	WAIT(98 + 98 + 4);
#endif
	WAIT(600);
	TCCR3B = _BV(WGM12) | 2; /* slower, for the handlers */
	TIFR3 = _BV(OCF3A);
	TIMSK3 = _BV(OCIE3A);
#ifndef __AVR_ATmega128__
	TCCR4B = TCCR5B = _BV(WGM12) | 2;
	TIFR4 = TIFR5 = 0xFF;
	TIMSK4 = TIMSK5 = _BV(OCIE1A);
#endif
	sei();
	WAIT(8000);
	DONE();
}
