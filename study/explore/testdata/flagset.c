// A handler sets two flags at once. The main program looks for one after the other, and takes each with interrupts off.
#include <avr/interrupt.h>
#include <avr/io.h>

#define TICK 1
#define SECOND 2

volatile uint8_t events;
volatile uint8_t ticks, seconds;

ISR(USART_RX_vect) {
	(void)UDR0;
	events |= TICK | SECOND;
}

static uint8_t take(uint8_t mask) {
#ifdef FIXED
	cli();
#endif
	uint8_t got = events & mask;
	events &= ~mask; // BUG
#ifdef FIXED
	sei();
#endif
	return got;
}

int main(void) {
	UBRR0 = 103;
	UCSR0B = 1 << RXEN0 | 1 << RXCIE0;
	sei();
	for (;;) {
		if (events & TICK) {
			take(TICK);
			ticks++;
		}
		if (take(SECOND))
			seconds++;
	}
}
