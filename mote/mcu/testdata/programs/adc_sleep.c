// Purpose: ADC noise reduction: SLEEP starts the conversion, its end wakes the CPU; I/O clocks stand still meanwhile
// Datasheet: 2467X "ADC Noise Canceler"; 2549Q section 26.6; DS40002061A section 24.6
// Chips: all
// Expect: var result == 707
// Expect: served ADC x1
// Expect: var timer == 0..60
// Expect: slept 25*128..26*128
#include "chip.h"

volatile uint16_t result, timer;

ISR(ADC_vect)
{
	result = ADC;
}

int main(void)
{
	ADMUX = 7;
	TCCR1B = 1;
	ADCSRA = _BV(ADEN) | _BV(ADIE) | 7;
	SLEEP_REG = SLEEP_BITS(1);
	sei();
	TCNT1 = 0;
	__asm__ __volatile__("sleep");
	timer = TCNT1;
	DONE();
}
