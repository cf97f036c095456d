#include "attach.h"

static uint8_t done;

static void finish(void) { done = 1; }

int main(void) {
	attach(0, finish);
	startTimer();
	sei();
	while (!done) // want read_once done "TIMER0_OVF writes it"
		;
	PORTB = 1;
	for (;;)
		;
}
