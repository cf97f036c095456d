#include "timer.h"

// Main stops for good once a handler has seen an error.
static uint8_t error;

ISR(TIMER0_OVF_vect) { error = 3; }

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
