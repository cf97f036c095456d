// Purpose: input capture from a pad that the bench drives: both edges, the noise canceler, the time stamp
// Datasheet: 2467X "Input Capture Unit"; 2549Q section 17.6; DS40002061A section 16.6. An edge passes the synchroniser in 2.5 to 3.5 cycles
//   (3 here), with the noise canceler four more; tick k is at MARK + 2 + k, so an edge at MARK + 100 finds 101, or 105
// Chips: all
// Pad: ICP1 low
// On: MARK rise 1 +100: high ICP1
// On: MARK rise 1 +300: low ICP1
// On: MARK rise 1 +400: high ICP1
// On: MARK rise 1 +403: low ICP1
// Case: rising: edge=0x41 => words stamps == 101 401; served TIMER1_CAPT x2
// Case: falling: edge=1 => words stamps == 301 404; served TIMER1_CAPT x2
// Case: rising, noise canceler: edge=0xC1 => words stamps == 105 0; served TIMER1_CAPT x1
// Case: falling, noise canceler: edge=0x81 => words stamps == 305 0; served TIMER1_CAPT x1
#include "chip.h"

CONFIG uint8_t edge;
volatile uint16_t stamps[2];
volatile uint8_t n;

ISR(TIMER1_CAPT_vect)
{
	stamps[n++] = ICR1;
}

int main(void)
{
	OUTPUT(PAD_MARK);
	TIMSK1 = _BV(ICIE1);
	TCCR1B = edge & 0xC0;
	TIFR1 = 0xFF;
	sei();
	START(TCCR1B, edge);
	WAIT(800);
	DONE();
}
