#include "timer.h"

// The second look at the flag leaves interrupts off.
static volatile uint8_t done;

ISR(TIMER0_OVF_vect) { done++; }

int main(void) {
	startTimer();
	sei();
	for (;;) {
		cli();
		if (done >= 2) // want interrupts_off done
			break;
	}
	sei();
	for (;;)
		;
}
