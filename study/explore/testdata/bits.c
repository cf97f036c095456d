// Bits of one byte, which the handler of a UART and the main program change.
#include <avr/interrupt.h>
#include <avr/io.h>

static volatile struct {
	uint8_t full : 1, busy : 1, last : 3;
} status;

ISR(USART_RX_vect) {
	status.full = 1;
	status.last = UDR0;
}

int main(void) {
	UBRR0 = 103;
	UCSR0B = 1 << RXEN0 | 1 << RXCIE0;
	sei();
	for (;;) {
		if (status.full) {
#ifdef FIXED
			cli();
#endif
			status.busy ^= 1; // BUG
#ifdef FIXED
			sei();
#endif
		}
	}
}
