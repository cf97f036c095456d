// Bits of one byte say what is to be done. A handler sets one while the main program clears the other. What is done shows on pins alone.
#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/sleep.h>

enum { TICK = 1, PRESSED = 2 };

static volatile uint8_t wanted;

ISR(TIMER1_COMPA_vect) { wanted |= TICK; }

ISR(PCINT2_vect) { wanted |= PRESSED; }

int main(void) {
	TCCR1B = 1 << WGM12 | 1 << CS11 | 1 << CS10;
	OCR1A = 249; // 1 kHz
	TIMSK1 = 1 << OCIE1A;
	PORTD = 1 << PD4;
	PCMSK2 = 1 << PCINT20;
	PCICR = 1 << PCIE2;
	sei();
	for (;;) {
		if (wanted & TICK) {
#ifdef FIXED
			cli();
#endif
			wanted &= ~TICK; // BUG
#ifdef FIXED
			sei();
#endif
			PINB = 1;
		}
		if (wanted & PRESSED) {
			cli();
			wanted &= ~PRESSED;
			sei();
			if (PIND & 1 << PD4)
				PORTB |= 2;
			else
				PORTB &= ~2;
		}
		cli();
		if (!wanted) {
			sleep_enable();
			sei();
			sleep_cpu();
		}
		sei();
	}
}
