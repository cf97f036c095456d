// A count that the handler of a UART and the main program both increase. Nobody looks at it; with RESET it is set anew.
#include <avr/interrupt.h>
#include <avr/io.h>

volatile uint8_t total, came;

ISR(USART_RX_vect) {
	came = UDR0;
	total++;
}

int main(void) {
	UBRR0 = 103;
	UCSR0B = 1 << RXEN0 | 1 << RXCIE0;
	sei();
	for (;;) {
#ifdef RESET
		if (came) {
			total = 0;
		}
#endif
		GPIOR0 = 1;
#ifdef FIXED
		cli();
		total++;
		sei();
#else
		total++; // BUG
#endif
	}
}
