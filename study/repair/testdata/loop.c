// The main program copies an array in a loop, while the handler of a UART fills it.
#include <avr/interrupt.h>
#include <avr/io.h>

#define SIZE 4

volatile uint8_t samples[SIZE], copy[SIZE];

ISR(USART_RX_vect) {
	uint8_t c = UDR0;
	for (uint8_t i = 0; i < SIZE; i++) {
		samples[i] = c;
	}
}

int main(void) {
	UBRR0 = 103;
	UCSR0B = 1 << RXEN0 | 1 << RXCIE0;
	sei();
	for (;;) {
		GPIOR0 = 1;
		for (uint8_t i = 0; i < SIZE; i++) {
			copy[i] = samples[i];
		}
		GPIOR0 = 2;
	}
}
