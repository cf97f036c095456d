#include "timer.h"

static uint8_t done;

ISR(TIMER0_OVF_vect) { done = 1; }

int main(void) {
	startTimer();
	sei();
	while (!done) // want read_once done
		;
	PORTB = 1;
	for (;;)
		;
}
