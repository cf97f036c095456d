#include "timer.h"

static volatile uint8_t done;
static volatile uint16_t ticks;

ISR(TIMER0_OVF_vect) {
	ticks++;
	done = 1;
}

static uint16_t now(void) {
	uint8_t sreg = SREG;
	cli();
	uint16_t t = ticks;
	SREG = sreg;
	return t;
}

int main(void) {
	startTimer();
	sei();
	while (!done)
		;
	while (now() < 20)
		;
	for (;;) {
		cli();
		if (ticks > 40)
			break;
		sei();
	}
	for (;;)
		;
}
