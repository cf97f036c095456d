#define F_CPU 8000000UL
#include "timer.h"
#include <util/delay.h>

static volatile uint8_t done;

ISR(TIMER0_OVF_vect) { done++; }

int main(void) {
	startTimer();
	cli();
	while (done < 2) // want interrupts_off done
		_delay_ms(1);
	sei();
	for (;;)
		;
}
