// The main program puts notes into a ring, and a handler plays them.
#include <avr/interrupt.h>
#include <avr/io.h>

static volatile struct {
	uint8_t pitch, length;
} ring[8];
static volatile uint8_t head, tail;

ISR(TIMER0_COMPA_vect) {
	static uint8_t left;
#ifdef ALWAYS // what is read is the same whenever it comes
	left = ring[7].length;
#else
	if (left && --left)
		return;
	if (tail == head)
		return;
	left = ring[tail].length;
	tail = (tail + 1) & 7;
#endif
}

int main(void) {
	UCSR0B = 1 << RXEN0;
	OCR0A = 99;
	TCCR0A = 1 << WGM01;
	TCCR0B = 1 << CS01;
	TIMSK0 = 1 << OCIE0A;
	sei();
	for (;;) {
		if (!(UCSR0A & 1 << RXC0))
			continue;
		uint8_t c = UDR0, h = head, next = (h + 1) & 7;
		if (next == tail)
			continue;
#ifndef FIXED
		head = next;
#endif
		ring[h].pitch = c;
		ring[h].length = c & 3; // BUG
#ifdef FIXED
		head = next;
#endif
	}
}
