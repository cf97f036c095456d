// A counter of two bytes that a timer's handler increments while the main program reads it.
#include <avr/interrupt.h>
#include <avr/io.h>

volatile uint16_t ticks;
volatile uint16_t last;

ISR(TIMER0_COMPA_vect) { ticks++; }

int main(void) {
	TCCR0A = 2;
	OCR0A = 249;
	TIMSK0 = 2;
	TCCR0B = 3;
	ticks = 250;
	sei();
	for (;;) {
#ifdef FIXED
		cli();
		uint16_t now = ticks;
		sei();
#else
		uint16_t now = ticks; // BUG
#endif
		if ((uint16_t)(now - last) >= 2) {
			last = now;
		}
	}
}
