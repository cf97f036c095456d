#include "timer.h"

static struct {
	uint16_t at;
	uint8_t ready;
} sample;

ISR(TIMER0_OVF_vect) {
	sample.at++;
	sample.ready = 1;
}

__attribute__((noinline)) static void await(uint8_t *flag) {
	while (!*flag) // want read_once sample.ready
		;
}

int main(void) {
	startTimer();
	sei();
	await(&sample.ready);
	PORTB = sample.at;
	for (;;)
		;
}
