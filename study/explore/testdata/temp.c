// The main program and a handler use registers of the same 16-bit timer.
#include <avr/interrupt.h>
#include <avr/io.h>

volatile uint16_t width = 3000, seen;

ISR(USART_RX_vect)
{
	uint8_t c = UDR0;
#if defined(OTHER) // an 8-bit timer has no TEMP
	OCR0A = c;
#elif defined(SAME)
	OCR1B = 3000 + (c & 1);
#else
	OCR1B = 0x1200 + c;
#endif
}

int main(void)
{
	UBRR0 = 8;
	UCSR0B = 1 << RXEN0 | 1 << RXCIE0;
	TCCR1B = 1 << CS11;
	sei();
	for (;;) {
#ifdef FIXED
		cli();
#endif
#ifdef READS
		seen = TCNT1; // BUG
#else
		OCR1A = width;
#endif
#ifdef FIXED
		sei();
#endif
	}
}
