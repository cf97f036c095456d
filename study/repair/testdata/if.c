// The handler counts what comes, and the main program takes one away, if there is one. The compiler reads the count once for both.
#include <avr/interrupt.h>
#include <avr/io.h>

uint8_t count;
volatile uint8_t taken, rounds;

ISR(USART_RX_vect) {
	taken = UDR0;
	count++;
}

int main(void) {
	UBRR0 = 103;
	UCSR0B = 1 << RXEN0 | 1 << RXCIE0;
	sei();
	for (;;) {
		rounds++;
		asm volatile("" ::: "memory");
		if (count > 0) {
			taken = 0;
			count--;
		}
	}
}
