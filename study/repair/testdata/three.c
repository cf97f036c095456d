// Three fields that belong together are read on three lines.
#include <avr/interrupt.h>
#include <avr/io.h>

volatile struct {
	uint8_t hour, minute, second;
} now, shown;

ISR(USART_RX_vect) {
	uint8_t c = UDR0;
	now.hour = c;
	now.minute = c;
	now.second = c;
}

int main(void) {
	UBRR0 = 103;
	UCSR0B = 1 << RXEN0 | 1 << RXCIE0;
	sei();
	for (;;) {
		GPIOR0 = 1;
		shown.hour = now.hour;
		shown.minute = now.minute;
		shown.second = now.second;
		GPIOR0 = 2;
	}
}
