// Timer 0 overflows often, and its handler runs when interrupts are on.
#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/wdt.h>
#include <stdint.h>

static inline void startTimer(void) {
#ifdef TCCR0B
	TCCR0B = 1;
	TIMSK0 |= 1 << TOIE0;
#else
	TCCR0 = 1;
	TIMSK |= 1 << TOIE0;
#endif
}

// startCapture has a second handler: of timer 1, which overflows, too.
static inline void startCapture(void) {
	TCCR1B = 1;
#ifdef TIMSK1
	TIMSK1 |= 1 << TOIE1;
#else
	TIMSK |= 1 << TOIE1;
#endif
}
