// Purpose: a boot loader erases, fills and writes a page, sees the RWW section busy, and runs what it wrote; the application's
//   SPM does nothing
// Datasheet: 2467X "Boot Loader Support", "Performing a Page Erase by SPM" and so on; 2549Q section 29.7; DS40002061A section 27.8: 3.7 to 4.5 ms,
//   4.5 here
// Chips: all
// Flags[atmega328p]: -Wl,--section-start=.boot=0x7000
// Flags[atmega128 atmega1281]: -Wl,--section-start=.boot=0x1E000
// Flags[atmega2560]: -Wl,--section-start=.boot=0x3E000
// Expect: notice "SPM outside the boot section" application_spm
// Expect: var before == 0x11
// Expect: var not_from_here == 0x11
// Expect: var blocked == 0xFF
// Expect: var status_busy == 0x43
// Expect: var status_ready == 0x40
// Expect: var after == 0x22
// Expect: var untouched == 0x33
// Expect: words times == 4500..4510 4500..4510
// Expect: var answer == 42
// Expect: served SPM_READY x1
#include "chip.h"

#define BOOT __attribute__((section(".boot"), noinline, used))

/* A page of code and data to be replaced: a function that returns 1, then words. */
const uint16_t page[SPM_PAGESIZE / 2] PROGMEM __attribute__((aligned(SPM_PAGESIZE))) = {0xE081, 0x9508, 0x1111};
const uint16_t next[SPM_PAGESIZE / 2] PROGMEM __attribute__((aligned(SPM_PAGESIZE))) = {0x3333};

volatile uint8_t before, not_from_here, blocked, status_busy, status_ready, after, untouched, answer;
volatile uint16_t times[2];

ISR(SPM_READY_vect)
{
	SPMCSR = 0;
}

static inline void spm(uint16_t z, uint8_t op, uint16_t word)
{
	__asm__ __volatile__("movw r0, %3\n\tsts %0, %1\n\tspm\n\tclr r1" ::"n"(_SFR_MEM_ADDR(SPMCSR)), "r"(op), "z"(z), "r"(word) : "r0");
}

BOOT static uint8_t look(uint16_t z)
{
	uint8_t v;
	__asm__ __volatile__("lpm %0, Z" : "=r"(v) : "z"(z));
	return v;
}

BOOT static void program(uint16_t z)
{
	TCNT1 = 0;
	spm(z, 0x03, 0);
	blocked = look(z + 4);
	status_busy = SPMCSR;
	while (SPMCSR & 1)
		;
	times[0] = TCNT1;
	status_ready = SPMCSR;
	spm(z, 1, 0xE28A); /* ldi r24, 42 */
	spm(z + 2, 1, 0x9508);
	spm(z + 4, 1, 0x2222);
	spm(z + 4, 1, 0x0000); /* a word of the buffer takes one value only */
	TCNT1 = 0;
	spm(z, 0x05, 0);
	while (SPMCSR & 1)
		;
	times[1] = TCNT1;
	spm(z, 0x11, 0); /* RWWSRE */
	SPMCSR = 0x80;   /* SPMIE: the interrupt is asked for as long as SPMEN is zero */
	sei();
	WAIT(20);
	cli();
}

int main(void)
{
	uint16_t z = (uint16_t)(uintptr_t)page;
	TCCR1B = 2;
	before = look(z + 4);
	__asm__ __volatile__("sts %0, %1\n\t.global application_spm\napplication_spm:\n\tspm" ::"n"(_SFR_MEM_ADDR(SPMCSR)), "r"((uint8_t)3), "z"(z));
	WAIT(10000);
	not_from_here = look(z + 4);
	program(z);
	after = look(z + 4);
	untouched = look((uint16_t)(uintptr_t)next);
	answer = ((uint8_t(*)(void))(z / 2))();
	DONE();
}
