// Purpose: IVSEL moves the vectors to the boot section, in a timed sequence
// Datasheet: 2467X "Moving Interrupts Between Application and Boot Space"; 2549Q section 14.3; DS40002061A section 12.4
// Chips: all
// Flags[atmega328p]: -Wl,--section-start=.boot=0x7000
// Flags[atmega128 atmega1281]: -Wl,--section-start=.boot=0x1E000
// Flags[atmega2560]: -Wl,--section-start=.boot=0x3E000
// Expect: bytes order == 1 2 1
// Expect: bytes ivsel == 0 2 0
#include "chip.h"

volatile uint8_t order[3], ivsel[3], n;

ISR(TIMER1_COMPA_vect)
{
	order[n++] = 1;
}

ISR(BADISR_vect)
{
	order[n++] = 2; /* from the boot section */
}

/* The boot section's table: all vectors lead to the handler above. */
__attribute__((section(".boot"), naked, used)) void table(void)
{
	__asm__ __volatile__(".rept 60\n\tjmp __vector_default\n\t.endr");
}

static void match(void)
{
	TCCR1B = 0;
	TCNT1 = 0;
	TCCR1B = 1;
	sei();
	WAIT(200);
	cli();
	TCCR1B = 0;
}

#define MOVE(v) \
	__asm__ __volatile__("sts %0, %1\n\tsts %0, %2" ::"n"(_SFR_MEM_ADDR(MCUCR)), "r"((uint8_t)_BV(IVCE)), "r"((uint8_t)(v)))

int main(void)
{
	OCR1A = 100;
	TIMSK1 = _BV(OCIE1A);
	MCUCR = _BV(IVSEL); /* without IVCE: no effect */
	ivsel[0] = MCUCR;
	match();
	MOVE(_BV(IVSEL));
	ivsel[1] = MCUCR;
	match();
	MOVE(0);
	ivsel[2] = MCUCR;
	match();
	DONE();
}
