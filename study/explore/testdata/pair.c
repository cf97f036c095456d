// The main program copies two fields that a handler writes together.
#include <avr/interrupt.h>
#include <avr/io.h>

volatile struct {
	uint8_t value, check;
} sample, copy;

ISR(USART_RX_vect) {
	sample.value = UDR0;
	sample.check = ~sample.value;
}

int main(void) {
	UBRR0 = 103;
	UCSR0B = 1 << RXEN0 | 1 << RXCIE0;
	sample.check = 0xFF;
	sei();
	for (;;) {
		GPIOR0 = 1; // between SEI and CLI nothing else would come
#ifdef FIXED
		cli();
#endif
		copy.value = sample.value;
		copy.check = sample.check; // BUG
#ifdef FIXED
		sei();
#endif
	}
}
