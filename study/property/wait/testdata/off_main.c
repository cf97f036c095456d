#include "timer.h"

static volatile uint8_t ticks;

ISR(TIMER0_OVF_vect) { ticks++; }

int main(void) {
	startTimer();
	sei();
	while (ticks < 3)
		;
	cli();
	while (ticks < 6) // want interrupts_off ticks
		;
	sei();
	for (;;)
		;
}
