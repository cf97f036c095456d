// Purpose: a register without a model says so, once, with its name and the instruction's address; it keeps its value
// Datasheet: 2467X "External Memory Interface" (XMCRA, no external memory here); 2549Q section 27.9.1 (OCDR, no debugger); DS40002061A chapter 36 (a reserved address)
// Chips: all
// Expect[atmega128]: notice "XMCRA (0x6D), which is not modelled" culprit
// Expect[atmega1281 atmega2560]: notice "OCDR (0x51), which is not modelled" culprit
// Expect[atmega328p]: notice "0x8E (0x8E), which is not modelled" culprit
// Expect: notices 1
// Expect: var kept == 0x42
#include "chip.h"

#if defined(__AVR_ATmega328P__)
#define REGISTER 0x8E
#elif defined(__AVR_ATmega128__)
#define REGISTER 0x6D
#else
#define REGISTER 0x51
#endif

volatile uint8_t kept;

int main(void)
{
	uint8_t v = 0x42;
	__asm__ __volatile__(".global culprit\nculprit:\n\tsts %1, %0\n\tsts %1, %0\n\tlds %0, %1" : "+r"(v) : "n"(REGISTER));
	kept = v;
	DONE();
}
