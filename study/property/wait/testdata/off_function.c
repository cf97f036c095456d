#include "timer.h"

static volatile uint8_t in, out;
static uint8_t ring[8];

ISR(TIMER0_OVF_vect) { ring[in++ & 7] = 1; }

__attribute__((noinline)) static uint8_t available(void) { return in - out; } // want interrupts_off in|out

__attribute__((noinline)) static uint8_t take(void) {
	while (!available())
		;
	return ring[out++ & 7];
}

int main(void) {
	startTimer();
	sei();
	PORTB = take();
	cli();
	PORTB = take();
	PORTB = take();
	for (;;)
		take();
}
