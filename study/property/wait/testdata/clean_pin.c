#include "timer.h"

static uint8_t mode; // is looked at once, on purpose
static volatile uint8_t late;
static uint16_t rounds;

ISR(TIMER0_OVF_vect) { late = 1; mode ^= 1; }

static __attribute__((noinline)) uint8_t echo(void) {
	uint8_t fast = mode;
	PORTB |= 2;
	while (!(PINB & 1)) {
		if (fast)
			PORTB &= ~2;
		if (late)
			return 0;
	}
	return 1;
}

static __attribute__((noinline)) uint8_t answer(void) {
	uint8_t quick = mode;
	while (!(PINB & 1))
		if (quick)
			return 0;
	return 1;
}

int main(void) {
	startTimer();
	sei();
	for (;;)
		rounds += echo() + answer();
}
