// Purpose: of the interrupts that wait, the one with the lowest vector is served first; a handler that sets I is interrupted by any
// Datasheet: 2467X, 2549Q, DS40002061A "Reset and Interrupt Handling": the lower the address, the higher the priority
// Chips: all
// Expect: bytes order == 'A' 'a' 'B' 'b'
// Expect: bytes nested == 'B' 'A' 'a' 'b'
// Simavr: order
#include "chip.h"

volatile uint8_t order[8], nested[8], n, nesting;

static void note(uint8_t v)
{
	if (nesting)
		nested[n++] = v;
	else
		order[n++] = v;
}

ISR(TIMER1_COMPA_vect)
{
	note('A');
	note('a');
}

ISR(TIMER1_COMPB_vect)
{
	note('B');
	if (nesting) {
		OCR1A = TCNT1 + 40;
		TIFR1 = _BV(OCF1A);
		TIMSK1 |= _BV(OCIE1A);
		sei();
		WAIT(200);
		cli();
	}
	note('b');
}

int main(void)
{
	OCR1A = 300; /* B comes first */
	OCR1B = 200;
	TIMSK1 = _BV(OCIE1A) | _BV(OCIE1B);
	TCCR1B = 1;
	WAIT(400);
	sei();
	WAIT(400);
	cli();
	nesting = 1;
	n = 0;
	TIMSK1 = _BV(OCIE1B);
	OCR1B = TCNT1 + 100;
	TIFR1 = _BV(OCF1A) | _BV(OCF1B);
	sei();
	WAIT(1000);
	DONE();
}
