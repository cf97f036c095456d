// Purpose: free running: a conversion every 13 ADC clocks, an interrupt each; the result is held between ADCL and ADCH
// Datasheet: 2467X "ADC Control and Status Register A", ADFR; 2549Q section 26.3; DS40002061A section 24.3
// Chips: all
// Expect: sampled MARK+2+16+13*32+16 MARK+2+16+25*32+48 MARK+2+16+25*32+13*32+48 MARK+2+16+25*32+26*32+48
// Expect: served ADC x4
// Expect: words results == 107 108 109 110
// Expect: var held == 111
// Expect: var later == 113
#include "chip.h"

volatile uint16_t results[4], held, later;
volatile uint8_t n;

ISR(ADC_vect)
{
	results[n++] = ADC;
	if (n == 4)
		ADCSRA &= (uint8_t)~(_BV(ADIE) | _BV(ADIF));
}

int main(void)
{
	OUTPUT(PAD_MARK);
	ADMUX = 1;
	sei();
	START(ADCSRA, _BV(ADEN) | _BV(ADSC) | _BV(AUTO_TRIGGER) | _BV(ADIE) | 5);
	while (n < 4)
		;
	while (!(ADCSRA & _BV(ADIF)))
		;
	ADCSRA |= _BV(ADIF);
	uint8_t low = ADCL;
	while (!(ADCSRA & _BV(ADIF))) /* this result is lost: ADCH has not been read */
		;
	held = low | ADCH << 8;
	ADCSRA |= _BV(ADIF);
	while (!(ADCSRA & _BV(ADIF)))
		;
	later = ADC;
	DONE();
}
