// Purpose: all prescaler taps, one prescaler for several timers, its reset and TSM
// Datasheet: 2467X "Timer/Counter3, Timer/Counter2, and Timer/Counter1 Prescalers"; 2549Q chapter 18; DS40002061A chapter 17
// Chips: all
// Expect: words counts == 1000 125 15 3 0
// Expect: var phase == 0
// Expect: var held == 0
// Expect: var ran == 10
// Expect: var together == 1
#include "chip.h"

volatile uint16_t counts[5];
volatile uint8_t phase, held, ran, together;

int main(void)
{
	/* From the write of CS to the write that stops it are 1000 cycles; the prescaler is reset just before. */
	for (uint8_t cs = 1; cs <= 5; cs++) {
		TCNT1 = 0;
		PRESCALER = _BV(RESET_SYNC);
		__asm__ __volatile__("sts %0, %1" ::"n"(_SFR_MEM_ADDR(TCCR1B)), "r"(cs));
		WAIT(998);
		__asm__ __volatile__("sts %0, r1" ::"n"(_SFR_MEM_ADDR(TCCR1B)));
		counts[cs - 1] = TCNT1;
	}

	/* A reset every 900 cycles keeps clk/1024 from ever ticking. */
	TCNT1 = 0;
	TCCR1B = 5;
	for (uint8_t i = 0; i < 5; i++) {
		PRESCALER = _BV(RESET_SYNC);
		WAIT(900);
	}
	phase = TCNT1;
	TCCR1B = 0;

	/* TSM holds the prescaler: the timer, and one that shares the prescaler, start together. */
	TCNT1 = 0;
	PRESCALER = _BV(TSM) | _BV(RESET_SYNC);
	TCCR1B = 2;
#ifdef __AVR_ATmega128__
	TCCR2 = 2;
#define OTHER TCNT2
#else
	TCCR0B = 2;
#define OTHER TCNT0
#endif
	WAIT(500);
	held = TCNT1;
	PRESCALER = 0;
	WAIT(80);
	ran = TCNT1;
	together = ran == OTHER;
	DONE();
}
