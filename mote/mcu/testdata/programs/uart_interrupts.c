// Purpose: USART0 by interrupts: UDRE feeds, RXC takes the echo, TXC tells the end
// Datasheet: 2467X "Transmitter Flags and Interrupts"; 2549Q section 22.6.3; DS40002061A section 20.6.3
// Chips: all
// Echo: 0
// Expect: uart 0 bytes 6D 6F 74 65 68 6F 75 6E 64 00
// Expect: bytes got == 'm' 'o' 't' 'e' 'h' 'o' 'u' 'n' 'd'
// Expect: served USART0_UDRE x9
// Expect: served USART0_RX x9
// Expect: served USART0_TX x1
// Expect: var flags == 0x60
#include "chip.h"

volatile char got[10];
volatile uint8_t sent, received, ended, flags;
static const char text[] = "motehound";

ISR(USART0_UDRE_vect)
{
	UDR0 = text[sent];
	if (++sent == 9)
		UCSR0B &= ~_BV(UDRIE0);
}

ISR(USART0_RX_vect)
{
	got[received++] = UDR0;
}

ISR(USART0_TX_vect)
{
	ended++;
}

int main(void)
{
	UBRR0H = 0;
	UBRR0L = 12;
	UCSR0B = _BV(RXEN0) | _BV(TXEN0) | _BV(RXCIE0) | _BV(TXCIE0) | _BV(UDRIE0);
	sei();
	while (received < 9 || !ended)
		;
	UCSR0B = _BV(TXEN0);
	UDR0 = 0;
	while (!(UCSR0A & _BV(TXC0)))
		;
	flags = UCSR0A;
	DONE();
}
