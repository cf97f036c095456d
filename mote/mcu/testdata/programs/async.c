// Purpose: the asynchronous timer on a 32,768 Hz crystal: busy flags, and sixteen wake-ups a second from power-save
// Datasheet: 2467X "Asynchronous Operation of the Timer/Counter", Table 17; 2549Q section 20.9; DS40002061A section 18.9. A
//   register takes its value after two edges of TOSC1: 244 to 488 cycles of 8 MHz; 256 ticks of 32,768 Hz / 8 are 500,000 cycles
// Chips: all
// Crystal: 32768
// WakeUp: 1000
// Expect: var busy_after_write == 1
// Expect: var busy == 200..520
// Expect: var latched == 200
// Expect: wave MARK rise MARK+0: 500000 500000 500000
// Expect[atmega128]: served TIMER0_OVF x4
// Expect[atmega1281 atmega2560 atmega328p]: served TIMER2_OVF x4
// Expect: slept 1600000..1609375
// Expect: notices 0
#include "chip.h"

#ifdef __AVR_ATmega128__
#define BUSY (_BV(TCN0UB) | _BV(OCR0UB) | _BV(TCR0UB))
#define CONTROL TCCR0
#else
#define BUSY (_BV(TCN2UB) | _BV(OCR2AUB) | _BV(OCR2BUB) | _BV(TCR2AUB) | _BV(TCR2BUB))
#define CONTROL TCCR2B
#endif

volatile uint8_t busy_after_write, latched, wakes;
volatile uint16_t busy;

ISR(ASYNC_OVF_vect)
{
	PORTC ^= _BV(3);
	wakes++;
}

int main(void)
{
	OUTPUT(PAD_MARK);
	ASYNC_MASK = 0;
	ASSR = _BV(ASYNC_BIT);
	TCCR1B = 1;
	ASYNC_OCR = 200;
	busy_after_write = (ASSR & BUSY) != 0;
	while (ASSR & BUSY)
		;
	busy = TCNT1;
	latched = ASYNC_OCR;
	TCCR1B = 0;
	ASYNC_TCNT = 200; /* the first overflow comes earlier */
	CONTROL = 2;
	while (ASSR & BUSY)
		;
	ASYNC_FLAGS = 0xFF;
	ASYNC_MASK = _BV(ASYNC_TOIE);
	SLEEP_REG = SLEEP_BITS(3);
	sei();
	while (wakes < 4) {
		__asm__ __volatile__("sleep");
		ASYNC_OCR = 200; /* wait for one TOSC1 cycle before sleeping again */
		while (ASSR & BUSY)
			;
	}
	DONE();
}
