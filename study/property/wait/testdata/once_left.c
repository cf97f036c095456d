#include "timer.h"

static uint8_t due; // nobody else writes it but to 0, so GCC knows that the loop never ends, and leaves the test without its branch

ISR(TIMER0_OVF_vect) { due = 1; }

int main(void) {
	uint8_t n = 0;
	startTimer();
	sei();
	for (;;) {
		while (!due) // want read_once due
			;
		due = 0;
		if (++n == 8) {
			n = 0;
			PORTB ^= 1;
		}
	}
}
