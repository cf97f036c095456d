// Purpose: constants above 64 KiB: ELPM with RAMPZ; LPM reads below
// Datasheet: 2467X "RAM Page Z Select Register - RAMPZ"; 2549Q section 7.6.1
// Chips: atmega128 atmega1281 atmega2560
// Flags: -Wl,--section-start=.constants=0x1FFE0 -Wl,--section-start=.low=0xFFE0
// Expect: bytes read == 0x12 0x34 0x9A
// Simavr: read
#include "chip.h"

volatile uint8_t read[3];

__attribute__((section(".constants"), used)) const uint8_t constants[] = {0x12, 0x34};
__attribute__((section(".low"), used)) const uint8_t low[] = {0x9A};

int main(void)
{
	RAMPZ = 1;
	__asm__ __volatile__("ldi r30, lo8(constants)\n\tldi r31, hi8(constants)\n\telpm r24, Z+\n\tsts read, r24\n\telpm\n\tsts read+1, r0\n\t"
		"sbiw r30, 1\n\tlpm r24, Z\n\tsts read+2, r24" ::: "r0", "r24", "r30", "r31", "memory");
	DONE();
}
