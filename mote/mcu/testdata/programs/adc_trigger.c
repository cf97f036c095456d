// Purpose: conversions triggered by Timer/Counter0's compare match, without a CPU; the flag must be cleared for the next one
// Datasheet: 2549Q section 26.3 and Table 26-1; DS40002061A section 24.3 and Table 24-1: the prescaler is reset by the trigger, sample and hold
//   2 ADC clocks after it, three cycles for synchronisation
// Chips: atmega328p atmega1281 atmega2560
// Expect: var count == 5
// Expect: var silent == 5
// Expect: words gaps == 1998..2002 1998..2002 1998..2002 1998..2002
#include "chip.h"

volatile uint8_t count, silent;
volatile uint16_t stamps[5], gaps[4];

ISR(ADC_vect)
{
	stamps[count++] = TCNT1;
	TIFR0 = _BV(OCF0A);
}

int main(void)
{
	ADMUX = 1;
	ADCSRA = _BV(ADEN) | _BV(ADSC) | 4; /* the long first conversion */
	while (ADCSRA & _BV(ADSC))
		;
	ADCSRB = 3; /* Timer/Counter0 compare match A */
	ADCSRA = _BV(ADEN) | _BV(ADATE) | _BV(ADIE) | _BV(ADIF) | 4;
	TCCR1B = 1;
	OCR0A = 249;
	TCCR0A = _BV(WGM01);
	TCCR0B = 2;
	sei();
	while (count < 5) /* no sleep: it would start a conversion */
		;
	for (uint8_t i = 0; i < 4; i++)
		gaps[i] = stamps[i + 1] - stamps[i];
	cli();
	TIFR0 = _BV(OCF0A);
	ADCSRA = _BV(ADEN) | _BV(ADATE) | _BV(ADIF) | 4;
	WAIT(2500);
	silent = count;
	DONE();
}
