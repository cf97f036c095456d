// A list of waiting jobs, to which the handler of a UART and the main program append. The main program takes them with interrupts off.
#include <avr/interrupt.h>
#include <avr/io.h>

#define JOBS 4
#define NONE 255

volatile uint8_t next[JOBS] = { NONE, NONE, NONE, NONE };
volatile uint8_t head = NONE, tail = NONE;
uint8_t rounds;

static inline void append(uint8_t job) {
	if (next[job] != NONE || tail == job)
		return;
	if (head == NONE)
		head = job;
	else
		next[tail] = job;
	tail = job;
}

static inline void take(void) {
	uint8_t job = head;
	if (job == NONE)
		return;
	head = next[job];
	if (head == NONE)
		tail = NONE;
	next[job] = NONE;
}

ISR(USART_RX_vect) {
	append(UDR0 & 1);
}

int main(void) {
	UBRR0 = 103;
	UCSR0B = 1 << RXEN0 | 1 << RXCIE0;
	sei();
	for (;;) {
		if (++rounds & 1) {
#ifdef FIXED
			cli();
			append(2);
			sei();
#else
			append(2);
#endif
		} else {
			cli();
			take();
			sei();
		}
	}
}
