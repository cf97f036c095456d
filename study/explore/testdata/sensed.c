// The ADC's handler keeps a reading of two bytes that the main program reads. The sensor reads the same all the time, unless something else is supposed.
#include <avr/interrupt.h>
#include <avr/io.h>
#include <util/atomic.h>

volatile uint16_t reading, buffer;
volatile uint8_t ready;
volatile uint16_t level;

#ifdef BY_TIMER // it reads what the ADC has, which converts all the time
ISR(TIMER0_COMPA_vect) { reading = ADC; }
#else
ISR(ADC_vect) {
	reading = ADC;
	if (!ready) {
		buffer = reading;
		ready = 1;
	}
	ADCSRA |= 1 << ADSC;
}
#endif

int main(void) {
#ifdef BY_TIMER
	ADCSRA = 1 << ADEN | 1 << ADSC | 1 << ADATE | 3;
	TCCR0A = 2;
	OCR0A = 249;
	TIMSK0 = 2;
	TCCR0B = 3;
#else
	ADCSRA = 1 << ADEN | 1 << ADIE | 1 << ADSC | 7;
#endif
	sei();
	for (;;) {
#if defined ATOMIC
		ATOMIC_BLOCK(ATOMIC_RESTORESTATE) { level = reading; }
#elif defined AGREE
		uint16_t now;
		do {
			now = reading;
		} while (now != reading);
		level = now;
#elif defined BUFFER
		if (ready) {
			level = buffer;
			ready = 0;
		}
#elif defined BYTE // the upper byte never changes
		level = reading & 0xFF;
#else
		uint16_t now = reading; // BUG
#ifdef SCALED
		now = now * 5;
#endif
		level = now;
#endif
	}
}
