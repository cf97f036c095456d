// A handler counts to a limit, which the main program sets byte by byte as characters come.
#include <avr/interrupt.h>
#include <avr/io.h>

static volatile uint16_t limit = 300;

ISR(TIMER2_COMPA_vect) {
	static uint16_t ticks;
	if (++ticks >= limit) {
		ticks = 0;
		PORTB |= 1 << PB1;
	} else {
		PORTB &= ~(1 << PB1);
	}
}

static __attribute__((noinline)) void setup(void) {
	DDRB = 1 << PB1;
	UCSR0B = 1 << RXEN0;
	OCR2A = 249;
	TCCR2A = 1 << WGM21;
	TCCR2B = 1 << CS22;
	TIMSK2 = 1 << OCIE2A;
	sei();
	limit = 500; // nobody has counted that far
}

int main(void) {
	setup();
	for (;;) {
		if (!(UCSR0A & 1 << RXC0))
			continue;
		uint8_t c = UDR0;
#ifdef SMALL // whatever V sees, the counter is not in between
		limit = 200 + (c & 15);
#else
#ifdef FIXED
		cli();
#endif
		limit = c & 1 ? 400 : 250; // BUG
#ifdef FIXED
		sei();
#endif
#endif
	}
}
