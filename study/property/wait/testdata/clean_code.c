#include "timer.h"

// The same, but what the handler has seen is not known.
static uint8_t error;

ISR(TIMER0_OVF_vect) { error = PINB | 1; }

int main(void) {
	startTimer();
	sei();
	for (;;) {
		PORTB ^= 1;
		__asm__ volatile("" ::: "memory");
		if (error)
			for (;;)
				;
	}
}
