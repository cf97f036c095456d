// Purpose: BOOTRST starts the chip in the boot section, whose size the BOOTSZ fuses set; a boot section that is empty is passed over
// Datasheet: 2467X "Entering the Boot Loader Program", Table 112; 2549Q section 29.5, Table 29-7; DS40002061A section 27.6, Table 27-7
// Chips: all
// Fuses: FF DA FF
// Flags[atmega328p]: -Wl,--section-start=.boot=0x7800
// Flags[atmega128 atmega1281]: -Wl,--section-start=.boot=0x1F000
// Flags[atmega2560]: -Wl,--section-start=.boot=0x3F000
// Expect: var booted == 0x42
#include "chip.h"

CONFIG uint8_t booted;

__attribute__((section(".boot"), naked, used)) void boot(void)
{
	__asm__ __volatile__("ldi r24, 0x42\n\tsts booted, r24\n\tjmp 0");
}

int main(void)
{
	DONE();
}
