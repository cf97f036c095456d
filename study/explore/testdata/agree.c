// A counter of two bytes that the main program reads until two reads agree, with interrupts on.
#include <avr/interrupt.h>
#include <avr/io.h>

volatile uint16_t ticks;
volatile uint16_t last, drawn;

ISR(TIMER0_COMPA_vect) { ticks++; }

static uint16_t now(void) {
	uint16_t first;
	do {
		first = ticks; // BUG
#ifdef FIXED
	} while (first != ticks);
#else
	} while (0);
#endif
	return first;
}

int main(void) {
	TCCR0A = 2;
	OCR0A = 249;
	TIMSK0 = 2;
	TCCR0B = 3;
	ticks = 250;
	sei();
	for (;;) {
		uint16_t at = now();
		if ((uint16_t)(at - last) >= 2) {
			drawn = at ^ now(); // what it is depends on whether the handler came in between
			last = at;
		}
	}
}
