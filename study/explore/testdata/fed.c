// A main loop that feeds the watchdog, and a transfer whose end is an interrupt. Nothing is wrong. While main has nothing to do, time passes without it; then it is not
// the program's fault that the watchdog resets the mote.
#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/wdt.h>

static volatile unsigned char busy, sent;

ISR(SPI_STC_vect) {
	if (++sent < 4)
		SPDR = sent;
	else
		busy = 0;
}

int main(void) {
	MCUSR = 0;
	wdt_disable();
	DDRB = 1 << PB3 | 1 << PB5 | 1 << PB2;
	SPCR = 1 << SPIE | 1 << SPE | 1 << MSTR | 1 << SPR1 | 1 << SPR0;
	UBRR0 = 103;
	UCSR0B = 1 << RXEN0 | 1 << TXEN0;
	wdt_enable(WDTO_1S);
	sei();
	busy = 1;
	SPDR = 0;
	for (const char *s = "started"; *s; s++) {
		loop_until_bit_is_set(UCSR0A, UDRE0);
		UDR0 = *s;
	}
	for (;;) {
		wdt_reset();
		if (UCSR0A & 1 << RXC0 && UDR0 == 'x')
			busy = 1;
	}
}
