#include "timer.h"

// Loops with interrupts off that end: what they read is there already.
static volatile uint8_t have, wanted = 3;
static volatile uint8_t ring[8];

ISR(TIMER0_OVF_vect) {
	for (uint8_t i = 0; i < wanted; i++)
		ring[i]++;
	if (have < wanted)
		have++;
	while (have > wanted)
		have--;
}

int main(void) {
	startTimer();
	sei();
	for (;;) {
		cli();
		while (have == 200)
			;
		uint8_t sum = 0;
		for (uint8_t i = 0; i < have; i++)
			sum += ring[i];
		PORTB = sum;
		sei();
	}
}
