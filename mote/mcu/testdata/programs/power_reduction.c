// Purpose: PRTIM1 stops Timer/Counter1, which goes on from where it was; PRADC makes the ADC's registers unreachable
// Datasheet: 2549Q section 11.10.2; DS40002061A section 10.11.3
// Chips: atmega328p atmega1281 atmega2560
// Expect: var stopped == 0
// Expect: var later == 100..110
// Expect: var admux == 0
#include "chip.h"

volatile uint8_t stopped, later, admux;

int main(void)
{
#ifdef __AVR_ATmega328P__
#define REDUCE PRR
#else
#define REDUCE PRR0
#endif
	TCCR1B = 1;
	REDUCE = _BV(PRTIM1);
	uint8_t from = TCNT1L;
	WAIT(100);
	stopped = TCNT1L - from;
	REDUCE = 0;
	WAIT(100);
	later = TCNT1L - from;
	ADMUX = 0x45;
	REDUCE = _BV(PRADC);
	admux = ADMUX;
	DONE();
}
