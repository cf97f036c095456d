// Purpose: the analog comparator: output, interrupt on each kind of edge, bandgap as the positive input, capture by Timer/Counter1
// Datasheet: 2467X "Analog Comparator", Tables 93 and 94; 2549Q chapter 25; DS40002061A chapter 23: one to two cycles of synchronisation (two
//   here), then the capture's own three; tick k of Timer/Counter1 is at MARK + 2 + k
// Chips: all
// Pad: AIN0 low
// Pad: AIN1 low
// On: MARK rise 1 +100: high AIN0
// On: MARK rise 1 +300: low AIN0
// Expect: bytes outputs == 0 1 0
// Expect: var bandgap == 1
// Case: toggle: acsr=0x08 => served ANALOG_COMP x2
// Case: falling: acsr=0x0A => served ANALOG_COMP x1
// Case: rising: acsr=0x0B => served ANALOG_COMP x1
// Case: capture of the rise: acsr=0x04 edge=0x40 => var stamp == 103; served nothing
// Case: capture of the fall: acsr=0x04 edge=0 => var stamp == 303
// Case: off: acsr=0x80 edge=0x40 => var stamp == 0
#include "chip.h"

CONFIG uint8_t acsr, edge;
volatile uint8_t outputs[3], bandgap;
volatile uint16_t stamp;

EMPTY_HANDLER(ANALOG_COMP_vect)

int main(void)
{
	OUTPUT(PAD_MARK);
	ACSR = acsr;
	TCCR1B = edge;
	TIFR1 = 0xFF;
	sei();
	START(TCCR1B, edge | 1);
	outputs[0] = ACSR >> ACO & 1;
	WAIT(200);
	outputs[1] = (ACSR >> ACO & 1) | (ACSR >> ACD & 1);
	WAIT(200);
	outputs[2] = ACSR >> ACO & 1;
	stamp = ICR1;
	cli();
	ACSR = _BV(ACBG); /* 1.1 V or 1.23 V above AIN1 */
	WAIT(10);
	bandgap = ACSR >> ACO & 1;
	DONE();
}
