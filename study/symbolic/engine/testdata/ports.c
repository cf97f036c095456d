/* A client asks a server for a port, over a wire with SLIP frames. Only port 80 is open, and there must be no port 0. */
#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/sleep.h>
#include <stdint.h>
#include "motehound.h"

volatile uint16_t TOS_NODE_ID = 1;

enum { IDLE, ASKED, OPEN, REFUSED, GAVE_UP };

uint8_t port = 80;
volatile uint8_t state, asked, served, ticks, tries;
static uint8_t frame[4], length;

static void put(uint8_t c) {
	while (!(UCSR0A & _BV(UDRE0)))
		;
	UDR0 = c;
}

static void send(uint8_t a, uint8_t b) {
	put(a);
	put(b);
	put(0xC0);
}

static void serve(uint8_t p, uint8_t seq) {
	mh_assert(p != 0);
	served++;
	send(p == 80 ? 'A' : 'R', seq);
}

static void answer(uint8_t what, uint8_t seq) {
	if (state != ASKED || seq != tries) return;
	state = what == 'A' ? OPEN : REFUSED;
}

ISR(USART0_RX_vect) {
	uint8_t c = UDR0;
	if (c != 0xC0) {
		if (length < sizeof frame) frame[length++] = c;
		return;
	}
	if (length == 2) {
		if (TOS_NODE_ID == 1)
			serve(frame[0], frame[1]);
		else
			answer(frame[0], frame[1]);
	}
	length = 0;
}

ISR(TIMER1_COMPA_vect) { /* every 10 ms */
	ticks++;
	if (TOS_NODE_ID == 1) return;
	if (ticks == 1) {
		mh_symbolic(&port, 1, "port");
		mh_assume(port != 0xC0);
		state = ASKED;
	}
	if (state == ASKED && (ticks & 3) == 1) {
		if (tries == 3) {
			state = GAVE_UP;
			return;
		}
		tries++;
		send(port, tries);
	}
}

int main(void) {
	UBRR0L = 3; /* 115200 baud */
	UCSR0B = _BV(RXEN0) | _BV(RXCIE0) | _BV(TXEN0);
	OCR1A = 9216; /* of 7.3728 MHz / 8 */
	TIMSK = _BV(OCIE1A);
	TCCR1B = _BV(WGM12) | _BV(CS11);
	sei();
	for (;;)
		sleep_mode();
}
