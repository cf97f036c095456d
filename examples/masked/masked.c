// Blinks once a second. Timer 0 counts ticks of 1.024 ms, and wait waits for a number of them.
//
// The bug: when a command comes in, main changes the period with interrupts off, and waits meanwhile. No tick can come any more.

#include <avr/interrupt.h>
#include <avr/io.h>
#include <stdint.h>

static volatile uint8_t ticks;
static volatile uint8_t command;
static uint8_t period = 250;

ISR(TIMER0_OVF_vect) { ticks++; }

ISR(USART_RX_vect) { command = UDR0; }

static void wait(uint8_t n) {
	uint8_t start = ticks;
	while ((uint8_t)(ticks - start) < n)
		;
}

static void obey(void) {
	cli();
	period = command == 'f' ? 50 : 250;
	command = 0;
#ifdef FIXED
	sei();
	wait(2); // let the line settle
#else
	wait(2); // BUG: interrupts are off, so ticks stands still
	sei();
#endif
}

int main(void) {
	DDRB = 1 << PB5;
	TCCR0B = 1 << CS01 | 1 << CS00; // 16 MHz / 64
	TIMSK0 = 1 << TOIE0;
	UBRR0 = 103; // 9600 baud
	UCSR0B = 1 << RXEN0 | 1 << RXCIE0;
	sei();
	for (;;) {
		if (command)
			obey();
		PINB = 1 << PB5;
		wait(period);
	}
}
