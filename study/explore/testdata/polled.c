// A main program that looks at its devices by itself: bytes, ticks of a timer, a button. It notes what it sees in their order.
#include <avr/interrupt.h>
#include <avr/io.h>
#include <util/delay.h>

volatile char seen[16];
volatile uint8_t n;

static void note(char c) {
	if (n < sizeof seen)
		seen[n++] = c;
}

static __attribute__((noinline)) char get(void) {
	while (!(UCSR0A & 1 << RXC0))
		;
	return UDR0;
}

static volatile uint16_t ticks;

ISR(TIMER0_COMPA_vect) { ticks++; }

int main(void) {
	UBRR0 = 103;
	UCSR0B = 1 << RXEN0 | 1 << TXEN0;
#if defined ECHO
	for (;;) {
		char c = get();
		note(c);
		while (!(UCSR0A & 1 << UDRE0))
			;
		UDR0 = c;
	}
#elif defined TICKS // of 1 s
	OCR1A = 15624;
	TCCR1B = 1 << WGM12 | 1 << CS12 | 1 << CS10;
	for (;;) {
		if (UCSR0A & 1 << RXC0)
			note(UDR0);
		if (TIFR1 & 1 << OCF1A) {
			TIFR1 = 1 << OCF1A;
			note('.');
		}
	}
#elif defined BUTTON
	for (;;) {
		while (!(PIND & 1 << PD2))
			;
		note('1');
		while (PIND & 1 << PD2)
			;
		note('0');
	}
#elif defined PRESSES // one wait follows another
	for (;;) {
		while (!(PIND & 1 << PD2))
			;
		note('1');
		while (PIND & 1 << PD2)
			;
	}
#elif defined SLOW // it loses bytes while it waits
	for (;;) {
		if (UCSR0A & 1 << RXC0) {
			if (UCSR0A & 1 << DOR0)
				note('!');
			note(UDR0);
			_delay_ms(8);
		}
	}
#elif defined FAST // a character takes two ticks
	OCR0A = 124;
	TCCR0A = 1 << WGM01;
	TCCR0B = 1 << CS01 | 1 << CS00;
	TIMSK0 = 1 << OCIE0A;
	sei();
	for (;;) {
		PORTB ^= 1;
		while (!(UCSR0A & 1 << RXC0))
			;
		note(UDR0);
	}
#elif defined RETURNS
	note(get());
	note(get());
	return 0;
#endif
}
