/* What goes wrong only if events come in another order than they do by themselves, and only for some inputs, one for each CASE. */
#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/sleep.h>
#include <stdint.h>
#include "motehound.h"

volatile uint16_t TOS_NODE_ID = 1;

volatile uint8_t reading, limit = 100, used, work, first, both;

#if CASE == 1 /* one timer sets a limit, 1 ms before another one uses it */
ISR(TIMER1_COMPA_vect) {
	limit = 255;
}

ISR(TIMER3_COMPA_vect) {
	used = limit;
	mh_assert(reading <= limit);
}

static void task(void) { }

#elif CASE == 2 /* a task uses it, in the midst of which a timer sets it */
ISR(TIMER1_COMPA_vect) {
	work = 1;
}

ISR(TIMER3_COMPA_vect) {
	limit = 255;
}

static void task(void) {
	if (!work) return;
	work = 0;
	for (volatile uint16_t i = 0; i < 1000; i++) /* 2.3 ms */
		;
	used = limit;
	mh_assert(reading <= limit);
}

#else /* mote 1 sends a limit and 1 ms later mote 2 a reading, to mote 0 */
static void send(uint8_t c) {
	while (!(UCSR0A & _BV(UDRE0)))
		;
	UDR0 = c;
}

ISR(TIMER1_COMPA_vect) {
	if (TOS_NODE_ID == 1) send(255);
}

ISR(TIMER3_COMPA_vect) {
	if (TOS_NODE_ID == 2) send(reading);
}

ISR(USART0_RX_vect) {
	limit = UDR0;
	both++;
}

ISR(USART1_RX_vect) {
	uint8_t r = UDR1;
	used = limit;
	both++;
	mh_assert(r <= limit);
}

static void task(void) { }
#endif

int main(void) {
	if (CASE < 3 || TOS_NODE_ID == 2) mh_symbolic(&reading, 1, "reading");
	UBRR0L = UBRR1L = 3; /* 115200 baud */
	UCSR0B = _BV(RXEN0) | _BV(RXCIE0) | _BV(TXEN0);
	UCSR1B = _BV(RXEN1) | _BV(RXCIE1) | _BV(TXEN1);
#if CASE == 3
	if (TOS_NODE_ID == 0) goto on;
#else
	UCSR0B = UCSR1B = 0;
#endif
	OCR1A = 9216; /* of 7.3728 MHz / 8: 10 ms */
	OCR3A = 10138; /* 11 ms */
	TIMSK = _BV(OCIE1A);
	ETIMSK = _BV(OCIE3A);
	TCCR1B = TCCR3B = _BV(CS11);
#if CASE == 3
on:
#endif
	sei();
	for (;;) {
		task();
		sleep_mode();
	}
}
