// A clock of four bytes: a timer has the lower two, and its handler counts the upper two. Whoever sends a character asks for it.
#include <avr/interrupt.h>
#include <avr/io.h>

volatile uint16_t upper;
volatile uint32_t now;
volatile uint8_t asked;

ISR(TIMER1_OVF_vect) { upper++; }
ISR(USART_RX_vect) { asked = UDR0; }

int main(void) {
	upper = 255;
	UBRR0 = 103;
	UCSR0B = 1 << RXEN0 | 1 << RXCIE0;
	TIMSK1 = 1 << TOIE1;
	TCCR1B = 1;
	sei();
	for (;;) {
		if (!asked)
			continue;
		asked = 0;
#ifdef FIXED
		cli();
		uint16_t high = upper, low = TCNT1;
		if (TIFR1 & 1 << TOV1 && low < 0x8000)
			high++;
		sei();
#else
		uint16_t high = upper; // BUG
		uint16_t low = TCNT1;
#endif
		now = (uint32_t)high << 16 | low;
	}
}
