#include "timer.h"

static volatile uint8_t due; // is read for no reason before the end

ISR(TIMER0_OVF_vect) { due = 1; }

int main(void) {
	startTimer();
	sei();
	(void)due;
	for (;;)
		;
}
