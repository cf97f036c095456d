#include "timer.h"

// What the handler writes is not known.
static uint8_t key;

ISR(TIMER0_OVF_vect) { key = PINB | 1; }

int main(void) {
	startTimer();
	sei();
	while (!key) // want read_once key
		;
	PORTB = key;
	for (;;)
		;
}
