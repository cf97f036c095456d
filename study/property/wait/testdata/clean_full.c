#include "timer.h"

static volatile uint8_t buffer[16], head, tail, ready = 1;

static void __attribute__((noinline)) take(void) {
	if (head != tail) {
		buffer[tail] = 0;
		tail = (tail + 1) % sizeof buffer;
	}
}

ISR(TIMER0_OVF_vect) { take(); }

// With interrupts off, the handler's work is done here.
static void __attribute__((noinline)) put(uint8_t c) {
	uint8_t next = (head + 1) % sizeof buffer;
	while (next == tail)
		if (!(SREG & 1 << SREG_I) && ready)
			take();
	buffer[head] = c;
	head = next;
}

int main(void) {
	startTimer();
#ifdef TCCR0B // a wait that is worth skipping
	TCCR0B = 3;
#else
	TCCR0 = 4;
#endif
	sei();
	for (uint8_t n = 0;; n++)
		put(n);
}
