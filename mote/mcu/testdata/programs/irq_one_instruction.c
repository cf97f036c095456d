// Purpose: one instruction is executed after SEI, after RETI and after OUT SREG, before an interrupt that waits
// Datasheet: 2467X, 2549Q, DS40002061A "Reset and Interrupt Handling": "when the AVR exits from an interrupt, it will always return to the main
//   program and execute one more instruction"; Instruction Set Manual DS40002198, SEI
// Chips: all
// Pad: INT0 low
// Expect: bytes after_sei == 1 2 3
// Expect: bytes after_out == 1 2 3
// Expect: served INT0 x6
#include "chip.h"

volatile uint8_t after_sei[3], after_out[3], n;
register uint8_t counter __asm__("r2");

ISR(INT0_vect)
{
	if (n < 3)
		after_sei[n] = counter;
	else
		after_out[n - 3] = counter;
	n++;
	if (n % 3 == 0)
		EIMSK = 0;
}

int main(void)
{
	EICRA = 0;
	EIMSK = 1;
	__asm__ __volatile__("clr r2\n\tsei\n\tinc r2\n\tinc r2\n\tinc r2\n\tinc r2\n\tinc r2\n\tcli");
	EIMSK = 1;
	__asm__ __volatile__("clr r2\n\tin r24, %0\n\tori r24, 0x80\n\tout %0, r24\n\tinc r2\n\tinc r2\n\tinc r2\n\tinc r2\n\tcli"
		::"I"(_SFR_IO_ADDR(SREG)) : "r24");
	DONE();
}
