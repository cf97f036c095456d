// Counts the bytes that pass a test.
#include <avr/io.h>

volatile uint8_t passed;

int main(void) {
	UCSR0B = 1 << RXEN0;
	for (;;) {
		while (!(UCSR0A & 1 << RXC0)) {
		}
		uint8_t c = UDR0;
		if (TEST) {
			passed++;
		}
	}
}
