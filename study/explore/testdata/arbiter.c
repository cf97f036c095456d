// Who asks for something that is taken has to wait: the handler of a UART asks, and the main program does.
#include <avr/interrupt.h>
#include <avr/io.h>

#define USERS 2

volatile uint8_t taken, owner, waits[USERS];
uint8_t rounds;

static inline void request(uint8_t user) {
	if (!taken) {
		taken = 1; // BUG
		owner = user;
	} else {
		waits[user] = 1;
	}
}

static inline void release(void) {
	taken = 0;
	for (uint8_t user = 0; user < USERS && !taken; user++)
		if (waits[user]) {
			waits[user] = 0;
			taken = 1;
			owner = user;
		}
}

ISR(USART_RX_vect) {
	(void)UDR0;
	request(1);
}

int main(void) {
	UBRR0 = 103;
	UCSR0B = 1 << RXEN0 | 1 << RXCIE0;
	sei();
	for (;;) {
		if (++rounds & 1) {
#ifdef FIXED
			cli();
			request(0);
			sei();
#else
			request(0);
#endif
		} else {
			cli();
			release();
			sei();
		}
	}
}
