// Blinks, and the serial port says how fast: f for fast, anything else for slow. Timer 0 counts ticks of 1 ms.
//
// The bug: main switches interrupts off to change the period, and calls pause, which waits for ticks. None comes any more.

#include <avr/interrupt.h>
#include <avr/io.h>
#include <stdint.h>

static volatile uint8_t ticks;
static volatile uint8_t command;

ISR(TIMER0_OVF_vect) { ticks++; }

ISR(USART_RX_vect) { command = UDR0; }

static void pause(uint8_t n) {
	uint8_t start = ticks;
	while ((uint8_t)(ticks - start) < n)
		;
}

static uint8_t obey(void) {
	uint8_t period;
	cli();
	period = command == 'f' ? 50 : 250;
	command = 0;
#ifdef FIXED
	sei();
	pause(2); // for the eye
#else
	pause(2); // BUG: interrupts are off, so ticks stands still
	sei();
#endif
	return period;
}

int main(void) {
	uint8_t period = 250, last = 0;
	DDRB = 1 << PB5;
	TCCR0B = 1 << CS01 | 1 << CS00; // 16 MHz / 64
	TIMSK0 = 1 << TOIE0;
	UBRR0 = 103; // 9600 baud
	UCSR0B = 1 << RXEN0 | 1 << RXCIE0;
	sei();
	for (;;) {
		if (command)
			period = obey();
		if ((uint8_t)(ticks - last) >= period) {
			last = ticks;
			PINB = 1 << PB5;
		}
	}
}
