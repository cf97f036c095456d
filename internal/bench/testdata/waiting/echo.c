/* Sends back what it receives, without interrupts. */
#include <avr/io.h>

static uint8_t get(void)
{
	while (!(UCSR0A & _BV(RXC0)))
		;
	return UDR0;
}

static void put(uint8_t c)
{
	while (!(UCSR0A & _BV(UDRE0)))
		;
	UDR0 = c;
}

int main(void)
{
	UBRR0 = 103; /* 9600 baud */
	UCSR0B = _BV(RXEN0) | _BV(TXEN0);
	for (;;)
		put(get());
}
