#include "timer.h"

static uint8_t busy;

ISR(TIMER0_OVF_vect) { busy = 0; }

int main(void) {
	startTimer();
	sei();
	for (;;) {
		busy = 1;
		PORTB = 2; // the flag has to be read again behind this
		__asm__ volatile("" ::: "memory");
		while (busy) // want read_once busy
			;
		PORTB = 1;
	}
}
