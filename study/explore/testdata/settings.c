// The main program and a handler use the same device: the ADC, or with EEPROM the EEPROM.
#include <avr/eeprom.h>
#include <avr/interrupt.h>
#include <avr/io.h>

volatile uint16_t level, other;
volatile uint8_t saved;

static uint16_t sample(uint8_t channel)
{
	ADMUX = 64 | channel;
	ADCSRA |= 1 << ADSC; // BUG
	while (ADCSRA & 1 << ADSC)
		;
	return ADC;
}

ISR(USART_RX_vect)
{
	uint8_t c = UDR0;
#if defined(EEPROM)
	eeprom_write_byte((uint8_t *)1, c);
#elif defined(RESTORES)
	uint8_t was = ADMUX;
	while (ADCSRA & 1 << ADSC)
		;
	ADMUX = 64 | 1;
	(void)c;
	ADMUX = was;
#elif defined(SAME)
	(void)c;
	ADMUX = 64;
#else
	(void)c;
	other = sample(1);
#endif
}

int main(void)
{
	UBRR0 = 8;
	UCSR0B = 1 << RXEN0 | 1 << RXCIE0;
	ADCSRA = 1 << ADEN | 7;
	sei();
	for (;;) {
#ifdef FIXED
		cli();
#endif
#ifdef EEPROM
		eeprom_write_byte((uint8_t *)0, saved++);
#else
		level = sample(0);
#endif
#ifdef FIXED
		sei();
#endif
	}
}
