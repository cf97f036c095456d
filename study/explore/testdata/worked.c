// What a character asks for is worked on, and then the flag is cleared that says so.
#include <avr/interrupt.h>
#include <avr/io.h>

volatile uint8_t changed, wanted;

ISR(USART_RX_vect) {
	wanted = UDR0;
	changed = 1;
}

int main(void) {
	UBRR0 = 103;
	UCSR0B = 1 << RXEN0 | 1 << RXCIE0;
	sei();
	for (;;) {
		if (!changed)
			continue;
#ifdef FIXED
		changed = 0;
#endif
		OCR0A = wanted;
#ifndef FIXED
		changed = 0; // BUG
#endif
	}
}
