// A ring buffer whose count is changed by the handler of a UART and by the main program.
#include <avr/interrupt.h>
#include <avr/io.h>

#define SIZE 16

volatile uint8_t ring[SIZE], count, last;
uint8_t in, out;

ISR(USART_RX_vect) {
	uint8_t c = UDR0;
	if (count < SIZE) {
		ring[in] = c;
		in = (in + 1) % SIZE;
		count++;
	}
}

int main(void) {
	UBRR0 = 103;
	UCSR0B = 1 << RXEN0 | 1 << RXCIE0;
	sei();
	for (;;) {
		if (count > 0) {
			last = ring[out];
			out = (out + 1) % SIZE;
#ifdef FIXED
			cli();
			count--;
			sei();
#else
			count--; // BUG
#endif
		}
	}
}
