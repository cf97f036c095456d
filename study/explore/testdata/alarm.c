// Seconds that are only compared: half of the old and half of the new number make an alarm ring early, or drive a pin.
#include <avr/interrupt.h>
#include <avr/io.h>

volatile uint32_t seconds;
volatile uint32_t alarm = 60;
volatile uint8_t rung;
volatile uint16_t TOS_NODE_ID = 1; // its initial value differs from mote to mote, so that is no code that everybody knows

ISR(TIMER0_COMPA_vect) { seconds++; }

static uint32_t now(void) {
#ifdef FIXED
	uint8_t was = SREG;
	cli();
	uint32_t n = seconds;
	SREG = was;
	return n;
#else
	return seconds; // BUG
#endif
}

int main(void) {
	TCCR0A = 2;
	OCR0A = 249;
	TIMSK0 = 2;
	TCCR0B = 3;
	DDRB = 0x20;
	sei();
	for (;;) {
#ifdef PIN
		if (now() >= 300) {
			PORTB |= 0x20;
		}
#else
		if (now() >= alarm) {
			alarm += 60;
			rung++;
		}
#endif
	}
}
