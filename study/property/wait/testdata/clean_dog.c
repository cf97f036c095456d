#include "timer.h"

// The watchdog ends both waits.
static volatile uint8_t ticks;
static uint8_t done;

ISR(TIMER0_OVF_vect) {
	ticks++;
	done = 1;
}

int main(void) {
	wdt_enable(WDTO_15MS);
	startTimer();
	if (PINB & 1) {
		sei();
		while (!done)
			;
	}
	while (!ticks)
		;
	for (;;)
		;
}
