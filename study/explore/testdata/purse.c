// Coins are paid back one in a round, and else spent. A handler moves all that can be spent to what is paid back.
#include <avr/interrupt.h>
#include <avr/io.h>

volatile uint8_t credit, owed;
volatile uint8_t sold, paid;

ISR(USART_RX_vect) {
	if (UDR0 != 'l') {
		owed += credit;
		credit = 0;
	} else {
		credit += 20;
	}
}

int main(void) {
	UBRR0 = 103;
	UCSR0B = 1 << RXEN0 | 1 << RXCIE0;
	credit = 20;
	sei();
	for (;;) {
		PORTB = credit;
		cli();
		uint8_t pay = owed != 0;
		if (pay)
			owed--;
		sei();
		if (pay) {
			paid++;
			continue;
		}
#ifdef FIXED
		cli();
#endif
		if (credit >= 8) {
			credit -= 8; // BUG
			sold++;
		}
#ifdef FIXED
		sei();
#endif
	}
}
