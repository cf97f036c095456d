#include "timer.h"

static uint8_t done; // set back in each of eight rounds

ISR(TIMER0_OVF_vect) { done = 1; }

int main(void) {
	startTimer();
	sei();
	for (uint8_t i = 0; i < 8; i++) {
		done = 0;
		PORTB |= 64;
		while (!done) // want read_once done
			;
	}
	PORTB = 1;
	for (;;)
		;
}
