// Purpose: code and constants above 128 KiB: EICALL, EIJMP, three bytes of return address, ELPM with RAMPZ
// Datasheet: 2549Q sections 7.6.1, 7.6.2 (EIND, RAMPZ) and 7.8.1; Instruction Set Manual DS40002198, EICALL, EIJMP, ELPM
// Chips: atmega2560
// Flags: -Wl,--section-start=.far=0x2A000 -Wl,--section-start=.constants=0x2FFFE
// Expect: var called == 7
// Expect: var jumped == 9
// Expect: var depth == 3
// Expect: bytes address == 1 0x50
// Expect: bytes read == 0x12 0x34 0x56 0x78
// Expect: var rampz == 3
// Simavr: called jumped depth address read
#include "chip.h"

volatile uint8_t called, jumped, depth, address[2], read[4], rampz;

__attribute__((section(".constants"), used)) const uint8_t constants[] = {0x12, 0x34, 0x56, 0x78};

__attribute__((section(".far"), naked, used)) void far_call(void)
{
	/* r24: the stack pointer's low byte; the return address stays on the stack. */
	__asm__ __volatile__("in r24, 0x3D\n\tldi r25, 7\n\tret");
}

__attribute__((section(".far"), naked, used)) void far_jump(void)
{
	__asm__ __volatile__("ldi r25, 9\n\tjmp landed");
}

__attribute__((section(".far"), naked, used)) void far_again(void)
{
	__asm__ __volatile__("rcall 1f\n1:\n\tpop r24\n\tpop r25\n\tpop r0\n\tret");
}

int main(void)
{
	uint8_t x, y, sp = SPL;
	EIND = 1;
	__asm__ __volatile__("ldi r30, pm_lo8(far_call)\n\tldi r31, pm_hi8(far_call)\n\teicall\n\tmov %0, r24\n\tmov %1, r25"
		: "=r"(x), "=r"(y)::"r24", "r25", "r30", "r31");
	depth = sp - x;
	called = y;
	__asm__ __volatile__("ldi r30, pm_lo8(far_again)\n\tldi r31, pm_hi8(far_again)\n\teicall\n\tmov %0, r24\n\tmov %1, r25"
		: "=r"(x), "=r"(y)::"r0", "r24", "r25", "r30", "r31");
	address[0] = x;
	address[1] = y;
	__asm__ __volatile__("ldi r30, pm_lo8(far_jump)\n\tldi r31, pm_hi8(far_jump)\n\teijmp\n\t.global landed\nlanded:\n\tmov %0, r25"
		: "=r"(x)::"r24", "r25", "r30", "r31");
	jumped = x;
	RAMPZ = 2;
	__asm__ __volatile__("ldi r30, lo8(constants)\n\tldi r31, hi8(constants)\n\t"
		"elpm r24, Z+\n\tsts read, r24\n\telpm r24, Z+\n\tsts read+1, r24\n\telpm r24, Z+\n\tsts read+2, r24\n\telpm r24, Z\n\tsts read+3, r24"
		::: "r24", "r30", "r31", "memory");
	rampz = RAMPZ;
	DONE();
}
