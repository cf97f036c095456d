// Purpose: reading and writing a running 16-bit timer: TEMP, a written TCNT1, prescaled counting, TOV and OCF flags, FOC
// Datasheet: 2467X "Accessing 16-bit Registers", "Compare Match Blocking by TCNTn Write"; 2549Q sections 17.3, 17.7.2, 17.7.3; DS40002061A
//   sections 16.3, 16.7.2, 16.7.3
// Chips: all
// Expect: var first == 1
// Expect: var tenth == 10
// Expect: var temp == 0x1234
// Expect: var blocked == 0
// Expect: var matched == 1
// Expect: var overflow == 1
// Expect: var cleared == 0
// Expect: var forced == 1
// Expect: var forced_flag == 0
// Expect: var icr == 0x4321
// Expect: var icr_normal == 0x4321
#include "chip.h"

volatile uint8_t first, tenth, blocked, matched, overflow, cleared, forced, forced_flag;
volatile uint16_t temp, icr, icr_normal;

int main(void)
{
	uint8_t x, y;
	OUTPUT(PAD_OC1A);
	/* TCCR1B is written in a cycle w; the first tick is at w + 2, where LDS reads TCNT1. */
	__asm__ __volatile__("sts %2, %3\n\tlds %0, %4\n\tlds %1, %4+1\n\tsts %2, r1"
		: "=&r"(x), "=&r"(y) : "n"(_SFR_MEM_ADDR(TCCR1B)), "r"((uint8_t)1), "n"(_SFR_MEM_ADDR(TCNT1)));
	first = x;
	TCNT1 = 0;
	__asm__ __volatile__("sts %2, %3\n\t.rept 9\n\tnop\n\t.endr\n\tlds %0, %4\n\tlds %1, %4+1\n\tsts %2, r1"
		: "=&r"(x), "=&r"(y) : "n"(_SFR_MEM_ADDR(TCCR1B)), "r"((uint8_t)1), "n"(_SFR_MEM_ADDR(TCNT1)));
	tenth = x;

	/* The high byte waits in TEMP until the low byte is written; reading OCR1A does not touch it. */
	TCNT1H = 0x12;
	x = OCR1AL;
	TCNT1L = 0x34;
	temp = TCNT1;

	/* A TCNT1 written equal to OCR1A makes no match on the next tick. */
	OCR1A = 500;
	TIFR1 = 0xFF;
	TCNT1 = 500;
	TCCR1B = 1;
	WAIT(20);
	TCCR1B = 0;
	blocked = TIFR1 >> OCF1A & 1;
	TCNT1 = 499;
	TCCR1B = 1;
	WAIT(20);
	TCCR1B = 0;
	matched = TIFR1 >> OCF1A & 1;
	TCNT1 = 0xFFFE;
	TCCR1B = 1;
	WAIT(20);
	TCCR1B = 0;
	overflow = TIFR1 >> TOV1 & 1;
	TIFR1 = _BV(TOV1);
	cleared = TIFR1 >> TOV1 & 1;

	/* A forced match drives the pad and sets no flag. */
	TIFR1 = 0xFF;
	TCCR1A = _BV(COM1A1) | _BV(COM1A0);
	TCCR1C = _BV(FOC1A);
	WAIT(4);
	forced = IS_HIGH(PAD_OC1A);
	forced_flag = TIFR1 >> OCF1A & 1;

	/* ICR1 can be written in the modes that use it as TOP, and in no others. */
	TCCR1A = 0;
	TCCR1B = _BV(WGM13) | _BV(WGM12);
	ICR1 = 0x4321;
	icr = ICR1;
	TCCR1B = 0;
	ICR1 = 0x5555;
	icr_normal = ICR1;
	DONE();
}
