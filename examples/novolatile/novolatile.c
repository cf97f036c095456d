// Answers every line from the serial port with a dot. The handler sets a flag when a line has ended, and main waits for it.
//
// The bug: the flag is not volatile. The compiler reads it once, before the loop, and then waits for ever without looking at it again.

#include <avr/interrupt.h>
#include <avr/io.h>
#include <stdint.h>

#ifdef FIXED
static volatile uint8_t lineEnded;
#else
static uint8_t lineEnded;
#endif

ISR(USART_RX_vect) {
	if (UDR0 == '\n')
		lineEnded = 1;
}

static void put(char c) {
	while (!(UCSR0A & (1 << UDRE0)))
		;
	UDR0 = c;
}

int main(void) {
	UBRR0 = 103; // 9600 baud at 16 MHz
	UCSR0B = 1 << RXEN0 | 1 << TXEN0 | 1 << RXCIE0;
	sei();
	for (;;) {
		while (!lineEnded) // BUG: it is read once, because it is not volatile
			;
		lineEnded = 0;
		put('.');
	}
}
