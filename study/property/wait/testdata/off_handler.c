#include "timer.h"

static volatile uint8_t sent;

ISR(TIMER1_OVF_vect) { sent = 1; }

ISR(TIMER0_OVF_vect) {
	sent = 0;
	while (!sent) // want interrupts_off sent "in the handler of TIMER0_OVF; TIMER1_OVF writes it"
		;
}

int main(void) {
	startTimer();
	startCapture();
	sei();
	for (;;)
		;
}
