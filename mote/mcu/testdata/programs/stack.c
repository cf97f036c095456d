// Purpose: how much of the stack calls and interrupts take, and the order of the bytes
// Datasheet: 2467X "Stack Pointer" (two bytes); 2549Q section 7.6 (three with a 22-bit program counter); Instruction Set Manual DS40002198, CALL
// Chips: all
// Expect: var start == 1
// Expect: var call == 2+WIDE
// Expect: var interrupt == 2+WIDE
// Expect: var address == 1
// Simavr: start call interrupt address
#include "chip.h"

volatile uint8_t start, call, interrupt, address;
volatile uint8_t isr_sp;

ISR(TIMER1_COMPA_vect, ISR_NAKED)
{
	__asm__ __volatile__("push r24\n\tin r24, 0x3D\n\tsts isr_sp, r24\n\tpop r24\n\treti");
}

int main(void)
{
	uint8_t x, lo, mid, hi = 0, sp = SPL;
	uint16_t here;
	start = SP <= RAMEND && SP > RAMEND - 16;
	__asm__ __volatile__("rcall 1f\n1:\n\tin %0, 0x3D\n\t"
#ifdef __AVR_ATmega2560__
		"pop %3\n\t"
#endif
		"pop %2\n\tpop %1\n\tldi %A4, pm_lo8(1b)\n\tldi %B4, pm_hi8(1b)"
		: "=&d"(x), "=&d"(lo), "=&d"(mid), "+d"(hi), "=&d"(here));
	call = sp - x;
	address = here == (lo | mid << 8) && hi == 0;
	OCR1A = 50;
	TIMSK1 = _BV(OCIE1A);
	TCCR1B = 1;
	sei();
	WAIT(100);
	cli();
	interrupt = sp - isr_sp - 1;
	DONE();
}
