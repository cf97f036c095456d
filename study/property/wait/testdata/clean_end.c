#include "timer.h"

// Handlers do all the work. Main tests a variable before it ends.
static uint8_t mode;
volatile uint8_t count;

ISR(TIMER0_OVF_vect) { count++; }

int main(void) {
	mode = PINB;
	startTimer();
	sei();
	if (mode == 0)
		PORTB = 1;
	for (;;)
		;
}
