// The main program turns two pins of a port on and off, the handler a third one.
#include <avr/interrupt.h>
#include <avr/io.h>

#ifdef USART0_RX_vect
#define USART_RX_vect USART0_RX_vect
#endif
#ifndef PORT
#define PORT PORTB
#endif
#ifndef PINS
#define PINS 3
#endif

ISR(USART_RX_vect)
{
	if (UDR0 & 1)
		PORT |= 1 << 4;
	else
		PORT &= ~(1 << 4);
}

int main(void)
{
	UBRR0L = 8;
	UCSR0B = 1 << RXCIE0 | 1 << RXEN0;
	sei();
	for (;;) {
#ifdef FIXED
		cli();
#endif
		PORT |= PINS; // BUG
#ifdef FIXED
		sei();
		cli();
#endif
		PORT &= ~PINS;
#ifdef FIXED
		sei();
#endif
	}
}
