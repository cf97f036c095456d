// Who asks for something that is taken waits until it is free: the handler of a UART asks, and the main program lets go.
#include <avr/interrupt.h>
#include <avr/io.h>

volatile uint8_t taken, waits;
uint8_t rounds;

ISR(USART_RX_vect) {
	(void)UDR0;
	if (taken)
		waits = 1;
	else
		taken = 2;
}

static inline void release(void) {
	if (waits) {
		waits = 0;
		taken = 2;
	} else {
		taken = 0; // BUG
	}
}

int main(void) {
	UBRR0 = 103;
	UCSR0B = 1 << RXEN0 | 1 << RXCIE0;
	sei();
	for (;;) {
		if (++rounds & 1) {
			cli();
			if (!taken)
				taken = 1;
			sei();
		} else {
#ifdef FIXED
			cli();
			release();
			sei();
#else
			release();
#endif
#ifdef AGAIN
			if (waits && !taken) {
				waits = 0;
				taken = 2;
			}
#endif
		}
	}
}
