// Purpose: how long a compare match takes to its handler: awake, in the middle of a long instruction, from idle; and back
// Datasheet: 2467X, DS40002061A "Interrupt Response Time": four cycles, four more from sleep, four for RETI; 2549Q section 7.8.1: five each, with
//   the three bytes of a 22-bit program counter. The match with OCR1A = 99 is at MARK + 2 + 100
// Chips: all
// Case: awake: how=0 => entry TIMER1_COMPA MARK+102+4+WIDE; wave PULSE rise MARK+102+4+WIDE+3+2: 4+WIDE+2
// Case: in an RCALL: how=1 => entry TIMER1_COMPA MARK+102+2+4+WIDE+WIDE
// Case: idle: how=2 => entry TIMER1_COMPA MARK+102+4+4+WIDE+WIDE
#include "chip.h"

CONFIG uint8_t how;

ISR(TIMER1_COMPA_vect, ISR_NAKED)
{
	/* The vector's JMP takes three cycles, SBI two; CBI comes after the RETI below. */
	__asm__ __volatile__("sbi %0, 2\n\treti" ::"I"(_SFR_IO_ADDR(PORTC)));
}

static __attribute__((noinline)) void awake(void)
{
	START(TCCR1B, 1);
	/* MARK + 1 is the last cycle of STS: the match comes at the end of a hundred NOPs. */
	NOPS(100);
	__asm__ __volatile__("cbi %0, 2" ::"I"(_SFR_IO_ADDR(PORTC)));
}

static __attribute__((noinline)) void in_rcall(void)
{
	START(TCCR1B, 1);
	NOPS(99);
	__asm__ __volatile__("rcall 1f\n1:\n\tpop r0\n\tpop r0");
#ifdef __AVR_ATmega2560__
	__asm__ __volatile__("pop r0");
#endif
}

int main(void)
{
	OUTPUT(PAD_MARK);
	OUTPUT(PAD_PULSE);
	OCR1A = 99;
	TIMSK1 = _BV(OCIE1A);
	SLEEP_REG = SLEEP_BITS(0);
	sei();
	switch (how) {
	case 0:
		awake();
		break;
	case 1:
		in_rcall();
		break;
	case 2:
		START(TCCR1B, 1);
		__asm__ __volatile__("sleep");
		break;
	}
	WAIT(100);
	DONE();
}
