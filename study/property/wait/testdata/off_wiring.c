// delay() as in Arduino's core, in a handler.
#include "timer.h"

volatile unsigned long timer0_overflow_count;

ISR(TIMER0_OVF_vect) { timer0_overflow_count++; }

#ifndef TIFR0
#define TIFR0 TIFR
#endif

static unsigned long micros(void) {
	uint8_t sreg = SREG;
	cli();
	unsigned long n = timer0_overflow_count;
	uint8_t t = TCNT0;
	if (TIFR0 & 1 << TOV0 && t < 255)
		n++;
	SREG = sreg;
	return (n << 8 | t) * 8; // by 64 at 8 MHz
}

__attribute__((noinline)) void delay(unsigned long ms) {
	unsigned long start = micros();
	while (ms > 0)
		while (ms > 0 && micros() - start >= 1000) {
			ms--;
			start += 1000;
		}
}

ISR(TIMER1_OVF_vect) {
	delay(1);
	delay(50); // want interrupts_off delay "delay(50) with interrupts off in the handler of TIMER1_OVF: it does not wait so long"
}

int main(void) {
	startTimer();
#ifdef TCCR0B
	TCCR0B = 3;
#else
	TCCR0 = 4;
#endif
	startCapture();
	sei();
	for (;;)
		delay(5);
}
