#include "timer.h"

// The watchdog is on, but the loop resets it.
static uint8_t done;

ISR(TIMER0_OVF_vect) { done = 1; }

int main(void) {
	wdt_enable(WDTO_15MS);
	startTimer();
	sei();
	while (!done) // want read_once done
		wdt_reset();
	PORTB = 1;
	for (;;)
		wdt_reset();
}
