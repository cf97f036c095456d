// Purpose: the references and the inputs that are no pads: bandgap, ground; a differential input
// Datasheet: 2467X Tables 97 and 98 (bandgap 1.23 V); 2549Q Tables 26-3 and 26-4; DS40002061A Tables 24-3 and 24-4 (bandgap 1.1 V). AREF is
//   2.5 V here, AVCC 5 V: 1.1 / 5 * 1024 = 225
// Chips: all
// Expect[atmega128]: words codes == 1230*1024/2500 1230*1024/5000 0
// Expect[atmega1281 atmega2560 atmega328p]: words codes == 1100*1024/2500 1100*1024/5000 0
// Expect[atmega128 atmega1281 atmega2560]: var difference == 49
// Expect[atmega2560]: var ninth == 809
// Expect: notices 0
#include "chip.h"

volatile uint16_t codes[3], ninth;
volatile int16_t difference;

static uint16_t convert(uint8_t mux)
{
	ADMUX = mux;
	ADCSRA |= _BV(ADSC);
	while (ADCSRA & _BV(ADSC))
		;
	return ADC;
}

#ifdef __AVR_ATmega328P__
#define BANDGAP 14
#define GROUND 15
#else
#define BANDGAP 30
#define GROUND 31
#endif

int main(void)
{
	ADCSRA = _BV(ADEN) | 3;
	codes[0] = convert(BANDGAP);
	codes[1] = convert(BANDGAP | 0x40);
	codes[2] = convert(GROUND | 0x40);
#ifndef __AVR_ATmega328P__
	difference = convert(0x12 | 0x40); /* ADC2 - ADC1: half of the difference of the codes, 207 and 107 + 1 */
#endif
#ifdef __AVR_ATmega2560__
	ADCSRB = _BV(MUX5);
	ninth = convert(0x40); /* ADC8 */
#endif
	DONE();
}
