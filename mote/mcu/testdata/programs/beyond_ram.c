// Purpose: reading and writing where there is no memory is told once each, and reads as zero; the last byte of SRAM is memory
// Datasheet: 2467X, 2549Q, DS40002061A "SRAM Data Memory"; external memory (XMEM) is not fitted
// Chips: all
// Expect: notice "reads an address that has no memory" bad_read
// Expect: notice "writes an address that has no memory" bad_write
// Expect: notices 2
// Expect: var last == 0x77
// Expect: var beyond == 0
#include "chip.h"

volatile uint8_t last, beyond;

int main(void)
{
	uint8_t v;
	uint8_t *p = (uint8_t *)(RAM_END - 64);
	*(volatile uint8_t *)p = 0x77;
	last = *(volatile uint8_t *)p;
	__asm__ __volatile__(".global bad_write\nbad_write:\n\tsts %1, %2\n\t.global bad_read\nbad_read:\n\tlds %0, %1\n\tlds %0, %1\n\tsts %1, %2"
		: "=&r"(v) : "n"(RAM_END + 1), "r"((uint8_t)0x99));
	beyond = v;
	DONE();
}
