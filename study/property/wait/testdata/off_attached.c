#include "attach.h"

static volatile uint8_t done;

static void finish(void) { done = 1; }

int main(void) {
	attach(1, finish);
	startCapture();
	cli();
	while (!done) // want interrupts_off done "TIMER1_OVF writes it"
		;
	for (;;)
		;
}
