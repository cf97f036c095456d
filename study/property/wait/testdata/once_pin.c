#include "timer.h"

static uint8_t late; // waits for a pin, but not for ever
static uint16_t rounds;

ISR(TIMER0_OVF_vect) { late = 1; }

static __attribute__((noinline)) uint8_t echo(void) {
	late = 0;
	PORTB |= 2;
	PORTB &= ~2;
	while (!(PINB & 1))
		if (late) // want read_once late "waits for a pin, and asks in vain for late, which is read once"
			return 0;
	return 1;
}

int main(void) {
	startTimer();
	sei();
	for (;;)
		rounds += echo();
}
