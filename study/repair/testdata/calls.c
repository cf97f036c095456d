// The two fields that belong together are read by two functions.
#include <avr/interrupt.h>
#include <avr/io.h>

volatile struct {
	uint8_t value, check;
} sample, copy;

ISR(USART_RX_vect) {
	sample.value = UDR0;
	sample.check = ~sample.value;
}

__attribute__((noinline)) static uint8_t value(void) {
	return sample.value;
}

__attribute__((noinline)) static uint8_t check(void) {
	return sample.check;
}

int main(void) {
	UBRR0 = 103;
	UCSR0B = 1 << RXEN0 | 1 << RXCIE0;
	sample.check = 0xFF;
	sei();
	for (;;) {
		GPIOR0 = 1;
		copy.value = value();
		copy.check = check();
		GPIOR0 = 2;
	}
}
