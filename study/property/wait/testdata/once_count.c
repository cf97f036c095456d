#include "timer.h"

// The handler counts up to what main waits for: it takes several interrupts.
static uint16_t ticks;

ISR(TIMER0_OVF_vect) { ticks++; }

int main(void) {
	startTimer();
	sei();
	while (ticks < 300) // want read_once ticks
		;
	PORTB = 1;
	for (;;)
		;
}
