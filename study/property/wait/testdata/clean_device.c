#include "timer.h"

// A wait with interrupts off for a device: a timer's flag.
static volatile uint8_t ticks;

ISR(TIMER0_OVF_vect) { ticks++; }

int main(void) {
	startTimer();
	for (;;) {
		cli();
		TCCR1B = 1;
		while (!(TCNT1 & 0x100) && ticks < 250)
			;
		sei();
		PORTB = ticks;
	}
}
