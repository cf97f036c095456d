// Purpose: every auto trigger source starts a conversion, and the others do not
// Datasheet: 2549Q Table 26-6; DS40002061A Table 24-6
// Chips: atmega328p atmega1281 atmega2560
// Pad: AIN0 low
// Pad: AIN1 low
// Pad: INT0 low
// Pad: ICP1 low
// On: MARK rise 1 +100: high AIN0
// On: MARK rise 2 +100: high INT0
// On: MARK rise 7 +100: high ICP1
// Case: comparator: adts=1 => bytes started == 1 0 0 0 0 0 0
// Case: INT0: adts=2 => bytes started == 0 1 0 0 0 0 0
// Case: timer 0 compare: adts=3 => bytes started == 0 0 1 0 0 0 0
// Case: timer 0 overflow: adts=4 => bytes started == 0 0 0 1 0 0 0
// Case: timer 1 compare B: adts=5 => bytes started == 0 0 0 0 1 0 0
// Case: timer 1 overflow: adts=6 => bytes started == 0 0 0 0 0 1 0
// Case: timer 1 capture: adts=7 => bytes started == 0 0 0 0 0 0 1
#include "chip.h"

CONFIG uint8_t adts;
volatile uint8_t started[7];
static uint8_t n;

static void look(void)
{
	MARK_UP();
	WAIT(200);
	TCCR0B = 0;
	TCCR1B = 0;
	started[n++] = ADCSRA >> ADSC & 1;
	WAIT(500);
	MARK_DOWN();
}

int main(void)
{
	OUTPUT(PAD_MARK);
	ADCSRA = _BV(ADEN) | _BV(ADSC) | 5;
	while (ADCSRA & _BV(ADSC))
		;
	ADCSRB = adts;
	ADCSRA = _BV(ADEN) | _BV(ADATE) | 5;
	EICRA = 3;
	look(); /* AIN0 */
	look(); /* INT0 */
	OCR0A = 50;
	OCR1B = 50;
	TCCR0B = 1;
	look();
	OCR0A = 0; /* a match would come before the overflow, but its flag is set already */
	TCNT0 = 200;
	TCCR0B = 1;
	look();
	TCNT1 = 0;
	TCCR1B = 1;
	look();
	TCNT1 = 0xFF80;
	TCCR1B = 1;
	look();
	TCNT1 = 1000;
	TCCR1B = _BV(ICES1) | 1;
	look();
	DONE();
}
