// Purpose: single conversions: the first takes 25 ADC clocks, others 13; when the input is sampled; the interrupt; ADLAR
// Datasheet: 2467X "Prescaling and Conversion Timing", Table 95; 2549Q section 26.4, Table 26-1; DS40002061A section 24.4, Table 24-1: sample and hold
//   13.5 ADC clocks after the start of a first conversion, 1.5 after that of others. The prescaler starts with ADEN at MARK + 2,
//   and a conversion with its next rising edge, half a period later
// Chips: all
// Expect: sampled MARK+2+32+13*64+32
// Expect: entry ADC MARK+2+32+25*64+4+WIDE
// Expect: var first == 307
// Expect: var second == 308
// Expect: var left == 308*64+64
// Expect: var eight == 308>>2
// Expect: var cycles == 13*64..14*64+40
#include "chip.h"

volatile uint16_t first, second, left, cycles;
volatile uint8_t eight;

EMPTY_HANDLER(ADC_vect)

int main(void)
{
	OUTPUT(PAD_MARK);
	ADMUX = 3;
	sei();
	START(ADCSRA, _BV(ADEN) | _BV(ADSC) | _BV(ADIE) | 6);
	NOPS(1650);
	first = ADC;
	TCCR1B = 1;
	uint16_t from = TCNT1;
	ADCSRA = _BV(ADEN) | _BV(ADSC) | 6;
	while (ADCSRA & _BV(ADSC))
		;
	cycles = TCNT1 - from;
	second = ADC;
	ADMUX = 3 | _BV(ADLAR); /* shows the same result, moved */
	eight = ADCH;
	ADCSRA |= _BV(ADSC);
	while (ADCSRA & _BV(ADSC))
		;
	left = ADC;
	DONE();
}
