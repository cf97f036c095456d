// What could be attached is not.
#include "attach.h"

static uint8_t stop;

__attribute__((noinline, noclone)) static void set(void) { stop = 1; }

static void (*volatile later)(void) = set;

int main(void) {
	attach(0, nothing);
	startTimer();
	sei();
	later();
	if (stop)
		for (;;)
			;
	attach(1, set);
	for (;;)
		;
}
