// Purpose: when TOV1 rises: leaving MAX in normal and CTC mode, TOP in fast PWM, BOTTOM in the phase correct modes
// Datasheet: 2467X Table 61; 2549Q Table 17-2; DS40002061A Table 16-4, column "TOV1 Flag Set on". Tick k is at MARK + 2 + k
// Chips: all
// Case: normal: a=0 b=1 top=99 tcnt=64536 => entry TIMER1_OVF MARK+2+1000+4+WIDE; served TIMER1_OVF x1
// Case: CTC: a=0 b=0x09 top=99 => served TIMER1_OVF x0
// Case: CTC past TOP: a=0 b=0x09 top=99 tcnt=64536 => entry TIMER1_OVF MARK+2+1000+4+WIDE; served TIMER1_OVF x1
// Case: fast PWM to ICR1: a=2 b=0x19 top=999 => entry TIMER1_OVF #1 MARK+2+1000+4+WIDE; entry TIMER1_OVF #2 MARK+2+2000+4+WIDE
// Case: phase correct to ICR1: a=2 b=0x11 top=999 => entry TIMER1_OVF #1 MARK+2+1999+4+WIDE; entry TIMER1_OVF #2 MARK+2+3997+4+WIDE
// Case: frequency correct to ICR1: a=0 b=0x11 top=999 => entry TIMER1_OVF #1 MARK+2+1999+4+WIDE
// Case: ICF1 at TOP: a=2 b=0x19 top=999 capture=1 => entry TIMER1_CAPT #1 MARK+2+1000+4+WIDE
#include "chip.h"

CONFIG uint8_t a, b, capture;
CONFIG uint16_t top, tcnt;

EMPTY_HANDLER(TIMER1_OVF_vect)
EMPTY_HANDLER(TIMER1_CAPT_vect)

int main(void)
{
	OUTPUT(PAD_MARK);
	OCR1A = top;
	TCCR1A = a;
	TCCR1B = b & 0x18;
	ICR1 = top;
	TCNT1 = tcnt;
	TIMSK1 = capture ? _BV(ICIE1) : _BV(TOIE1);
	TIFR1 = 0xFF;
	sei();
	START(TCCR1B, b);
	NOPS(4100);
	DONE();
}
