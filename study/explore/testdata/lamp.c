// A handler dims three lamps. The main program changes how bright they are, one after the other.
#include <avr/interrupt.h>
#include <avr/io.h>

static volatile uint8_t bright[3] = {10, 20, 30};
#ifdef NUMBER // one number of two digits, for a device with parallel lines
#define OUT(phase) (bright[0] + bright[1])
#else
#define OUT(phase) ((bright[0] > phase) | (bright[1] > phase) << 1 | (bright[2] > phase) << 2)
#endif

ISR(TIMER0_COMPA_vect) {
	static uint8_t phase;
	PORTB = OUT(phase);
	phase += 50;
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
		uint8_t c = UDR0;
		bright[0] = c;
		bright[1] = c + 100; // BUG
		bright[2] = ~c;
	}
}
