// Handlers that call what was attached to them, as in Arduino's core.
#include "timer.h"

static void nothing(void) { }

static void (*volatile attached[2])(void) = { nothing, nothing };

__attribute__((noinline, noclone)) static void attach(uint8_t n, void (*f)(void)) {
	if (n < 2)
		attached[n] = f;
}

ISR(TIMER0_OVF_vect) { attached[0](); }
ISR(TIMER1_OVF_vect) { attached[1](); }
