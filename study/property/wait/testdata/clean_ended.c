#include "timer.h"

// The variable is read in the loop. What follows is no wait for it.
static uint16_t ticks;

ISR(TIMER0_OVF_vect) { ticks++; }

int main(void) {
	startTimer();
	sei();
	do {
		__asm__ volatile("" ::: "memory");
	} while (ticks < 10);
	for (;;)
		;
}
