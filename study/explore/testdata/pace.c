// Characters go out through a queue, which a handler empties. How many fit into it, and how many wait in it at some moment, depends on the time alone.
#define F_CPU 16000000
#include <avr/interrupt.h>
#include <avr/io.h>
#include <util/delay.h>

uint16_t *volatile list;
volatile uint8_t polled, asked, head, waiting;
volatile uint8_t queue[8];
uint16_t first, second, seen;

ISR(TIMER1_OVF_vect) {
	if (list)
		polled = 1;
}

ISR(USART_UDRE_vect) {
	if (!waiting) {
		UCSR0B &= ~(1 << UDRIE0);
		return;
	}
	UDR0 = queue[head];
	head = (head + 1) & 7;
	waiting--;
}

static void put(uint8_t c) {
	while (waiting == 8) {
	}
	cli();
	queue[(head + waiting) & 7] = c;
	waiting++;
	UCSR0B |= 1 << UDRIE0;
	sei();
}

ISR(USART_RX_vect) { asked = UDR0; }

int main(void) {
	UCSR0B = 1 << TXEN0 | 1 << RXEN0 | 1 << RXCIE0;
	UBRR0 = 3;
	TIMSK1 = 1 << TOIE1;
	TCCR1B = 1;
	list = &first;
	sei();
	for (;;) {
		if (!asked)
			continue;
		asked = 0;
		for (uint8_t i = 0; i < CHARACTERS; i++)
			put(i);
		list = list == &first ? &second : &first;
		_delay_us(32900);
		for (uint8_t i = 0; i < 4; i++) {
			seen = seen * 31 + waiting;
			_delay_us(10);
		}
	}
}
