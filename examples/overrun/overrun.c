// Takes messages from the serial port: a length byte, then as many bytes. Each is kept in buffer, and its sum is the answer.
//
// The bug: the handler believes the length byte. A message that is longer than buffer overwrites what is behind it.

#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/sleep.h>
#include <stdint.h>

static uint16_t messages;
static uint8_t buffer[16];
static volatile uint8_t length, received, ready;

ISR(USART_RX_vect) {
	uint8_t c = UDR0;
	if (ready)
		return; // main is not done with the last one
	if (length == 0) {
#ifdef FIXED
		if (c > sizeof buffer)
			return;
#endif
		length = c;
		received = 0;
		return;
	}
	buffer[received++] = c; // BUG: nobody has looked whether length is too large
	if (received == length)
		ready = 1;
}

int main(void) {
	UBRR0 = 103; // 9600 baud at 16 MHz
	UCSR0B = 1 << RXEN0 | 1 << TXEN0 | 1 << RXCIE0;
	sei();
	for (;;) {
		sleep_mode();
		if (!ready)
			continue;
		uint8_t sum = ++messages;
		for (uint8_t i = 0; i < length; i++)
			sum += buffer[i];
		UDR0 = sum;
		length = 0;
		ready = 0;
	}
}
