#include "timer.h"

// A self-test: the flag is volatile, so it was meant to be read once.
static volatile uint8_t alive;

ISR(TIMER0_OVF_vect) { alive = 1; }

int main(void) {
	startTimer();
	sei();
	if (!alive)
		for (;;)
			;
	PORTB = 1;
	for (;;)
		;
}
