// A record that is made ready field by field, while the button's handler fills it as soon as its first field is set. What the handler wants done is done in the same round of the
// main loop, which then waits for a UART.
#include <avr/interrupt.h>
#include <avr/io.h>

static volatile struct {
	uint8_t open, passed;
	uint16_t since;
} gate;

static volatile uint8_t somebody;

ISR(INT0_vect) {
	if (!gate.open)
		return;
	gate.open = 0;
	gate.passed++;
	gate.since = 7;
	somebody = 1;
}

static __attribute__((noinline)) void print(uint8_t n) {
	while (!(UCSR0A & 1 << UDRE0))
		;
	UDR0 = n;
}

static __attribute__((noinline)) void ready(uint8_t passed) {
#ifdef FIXED
	cli();
#endif
	gate.open = 1;
	gate.passed = passed; // BUG
	gate.since = 0;
#ifdef FIXED
	sei();
#endif
}

int main(void) {
	PORTD = 1 << PD2;
	UBRR0 = 103;
	UCSR0B = 1 << TXEN0;
	EICRA = 1 << ISC01;
	EIMSK = 1 << INT0;
	ready(0);
	sei();
	for (;;) {
		if (!somebody)
			continue;
		somebody = 0;
		uint8_t passed = gate.passed;
		for (uint8_t n = 0; n < 3; n++)
			print(passed + n);
		ready(passed);
	}
}
