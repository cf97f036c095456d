// The main program sends the sum of the bytes of a counter that a timer's handler increments. No variable ever has a wrong value.
#include <avr/interrupt.h>
#include <avr/io.h>

volatile uint16_t ticks;

ISR(TIMER0_COMPA_vect) { ticks++; }

int main(void) {
	UBRR0 = 103;
	UCSR0B = 1 << TXEN0;
	TCCR0A = 2;
	OCR0A = 249;
	TIMSK0 = 2;
	TCCR0B = 3;
	ticks = 254;
	sei();
	for (;;) {
#ifdef FIXED
		cli();
		uint16_t now = ticks;
		sei();
#else
		uint16_t now = ticks; // BUG
#endif
#ifdef PORT
		PORTB = now + (now >> 8);
#else
		UDR0 = now + (now >> 8);
#endif
	}
}
