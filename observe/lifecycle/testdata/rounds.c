// A main program without a kernel: it blinks, and answers bytes. Most rounds of its loop do nothing.
#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/sleep.h>

volatile uint16_t ticks;
volatile uint8_t got, last;
volatile uint16_t rounds; // that did something

ISR(TIMER1_COMPA_vect) { ticks++; } // 16 times a second

ISR(USART_RX_vect) {
	last = UDR0;
	got = 1;
}

static void __attribute__((noinline)) blink(void) { PORTB ^= 1 << 5; }

static void __attribute__((noinline)) answer(uint8_t c) {
	while (!(UCSR0A & 1 << UDRE0))
		;
	UDR0 = c + 1;
}

int main(void) {
	DDRB = 1 << 5;
	UBRR0 = 103;
	UCSR0B = 1 << RXEN0 | 1 << TXEN0 | 1 << RXCIE0;
	OCR1A = 15624;
	TCCR1B = 1 << WGM12 | 1 << CS11 | 1 << CS10;
	TIMSK1 = 1 << OCIE1A;
	sei();
	uint16_t before = 0;
	for (;;) {
#ifdef SLEEPS
		sleep_mode();
#endif
		cli();
		uint16_t now = ticks;
		sei();
		if (now - before >= 4) {
			before = now;
			rounds++;
			blink();
		}
		if (got) {
			got = 0;
			rounds++;
			answer(last);
		}
	}
}
