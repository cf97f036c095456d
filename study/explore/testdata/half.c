// A handler reads a number of two bytes while the main program writes it.
#include <avr/interrupt.h>
#include <avr/io.h>

volatile uint16_t limit = 0x00FF, seen;

ISR(USART_RX_vect) {
	uint8_t c = UDR0;
	seen = limit + (c & 0);
}

int main(void) {
	UBRR0 = 103;
	UCSR0B = 1 << RXEN0 | 1 << RXCIE0;
	sei();
	for (;;) {
		GPIOR0 = 1; // between SEI and CLI nothing else would come
#ifdef FIXED
		cli();
		limit ^= 0x01FF;
		sei();
#else
		limit ^= 0x01FF; // BUG
#endif
	}
}
