// A program that sleeps until a character comes, works on it, and clears the flag that says so when it has done so.
#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/sleep.h>
#define F_CPU 16000000UL
#include <util/delay.h>

volatile uint8_t changed, wanted;

ISR(USART_RX_vect) {
	wanted = UDR0;
	changed = 1;
}

int main(void) {
#ifdef FAST // it is done long before the next character
	UBRR0 = 103;
#else
	UBRR0 = 8;
#endif
	UCSR0B = 1 << RXEN0 | 1 << RXCIE0;
	sei();
	for (;;) {
		if (changed) {
#ifdef FIXED
			changed = 0;
#endif
			OCR0A = wanted;
#ifndef FAST // it takes as long as four characters
			for (uint8_t n = 0; n < 2; n++) {
				_delay_us(200);
				PORTB ^= 1;
			}
#endif
#ifndef FIXED
			changed = 0; // BUG
#endif
		}
		cli();
		if (!changed) {
			sleep_enable();
			sei();
			sleep_cpu();
			sleep_disable();
		}
		sei();
	}
}
