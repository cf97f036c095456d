/* A chain of motes. Those at its end read a sensor some times, and count what they see; then they report to mote 0, hop by hop, that they
 * are done, or, if a reading was very high, sound an alarm. USART0 leads towards mote 0, USART1 away from it. */
#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/sleep.h>
#include <stdint.h>

volatile uint16_t TOS_NODE_ID = 1;

enum { MOTES = 5, SOURCES = 2, READINGS = 3 };

volatile uint8_t low, high, taken, passed, reports, alarms, ticks;

static void put0(uint8_t c) {
	while (!(UCSR0A & _BV(UDRE0)))
		;
	UDR0 = c;
}

static void report(uint8_t what) {
	put0(what);
	put0(0xC0);
}

static uint8_t what;

ISR(USART1_RX_vect) {
	uint8_t c = UDR1;
	if (c != 0xC0) {
		what = c;
		return;
	}
	if (TOS_NODE_ID == 0) {
		reports++;
		if (what == 'a') alarms++;
	} else {
		passed++;
		report(what);
	}
}

ISR(ADC_vect) {
	uint16_t v = ADC;
	if (v < 100)
		low++;
	else if (v > 900)
		high++;
	taken++;
	ADCSRA = 0; /* or every sleep would start another conversion */
}

ISR(TIMER1_COMPA_vect) { /* every 10 ms */
	ticks++;
	if (TOS_NODE_ID < MOTES - SOURCES) return;
	if (taken < READINGS)
		ADCSRA = _BV(ADEN) | _BV(ADIE) | _BV(ADPS2) | _BV(ADSC);
	else if (ticks == READINGS + 2 + TOS_NODE_ID)
		report(high == READINGS ? 'a' : 'd');
}

int main(void) {
	UBRR0L = UBRR1L = 3; /* 115200 baud */
	UCSR0B = _BV(RXEN0) | _BV(RXCIE0) | _BV(TXEN0);
	UCSR1B = _BV(RXEN1) | _BV(RXCIE1) | _BV(TXEN1);
	ADMUX = 2;
	OCR1A = 9216; /* of 7.3728 MHz / 8 */
	TIMSK = _BV(OCIE1A);
	TCCR1B = _BV(WGM12) | _BV(CS11);
	sei();
	for (;;)
		sleep_mode();
}

ISR(USART0_RX_vect) { (void)UDR0; }
