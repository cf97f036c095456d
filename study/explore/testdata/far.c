// A counter of two bytes that begins at 0, so that it takes long to carry. Of two like it one never does.
#include <avr/interrupt.h>
#include <avr/io.h>

volatile uint16_t pulses, turns, level;
volatile uint16_t shown;

ISR(TIMER0_COMPA_vect) {
#ifdef ROUND // it carries before it begins anew
	if (++pulses == 1000)
		pulses = 0;
#else
	pulses++;
#endif
	if (++turns == 100) {
		turns = 0;
	}
	if (level < 200) {
		level++;
	}
}

int main(void) {
	TCCR0A = 2;
	OCR0A = 249;
	TIMSK0 = 2;
	TCCR0B = 3;
	sei();
	for (;;) {
		shown = turns;
		shown = level;
#ifdef RESET
		if (pulses == 50) {
			cli();
			pulses = 0;
			sei();
		}
#endif
#ifdef FIXED
		cli();
		uint16_t now = pulses;
		sei();
#else
		uint16_t now = pulses; // BUG
#endif
		if ((uint16_t)(now - shown) >= 500) {
			shown = now;
		}
	}
}
