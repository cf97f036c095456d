// Purpose: going back to power-save within one TOSC1 cycle of the wake-up: a new chip is woken again at once, an ATmega128 not
//   at all; a user is told
// Datasheet: 2467X "Asynchronous Operation of the Timer/Counter"; 2549Q section 20.9; DS40002061A section 18.9: "the interrupt will
//   immediately occur and the device wake up again"
// Chips: all
// Crystal: 32768
// Expect: notice "put to sleep again"
// Expect[atmega1281 atmega2560 atmega328p]: var wakes == 20
// Run[atmega128]: 3000000
// Expect[atmega128]: var wakes == 1
#include "chip.h"

#ifdef __AVR_ATmega128__
#define CONTROL TCCR0
#else
#define CONTROL TCCR2B
#endif

volatile uint8_t wakes;

ISR(ASYNC_OVF_vect)
{
	wakes++;
}

int main(void)
{
	ASSR = _BV(ASYNC_BIT);
	ASYNC_TCNT = 250;
	CONTROL = 2;
	while (ASSR & ~_BV(ASYNC_BIT))
		;
	ASYNC_FLAGS = 0xFF;
	ASYNC_MASK = _BV(ASYNC_TOIE);
	SLEEP_REG = SLEEP_BITS(3);
	sei();
	while (wakes < 20)
		__asm__ __volatile__("sleep");
	DONE();
}
