// Purpose: the watchdog's interrupt: every 32 ms on its own; with WDE once, and then a reset
// Datasheet: 2549Q section 12.4.1, Table 12-1; DS40002061A section 11.8, Table 11-1
// Chips: atmega328p atmega1281 atmega2560
// Expect: var boots == 2
// Expect: served WDT WDT WDT WDT
// Expect: wave MARK rise MARK+0: 255999..256001 x3
// Expect: bytes seen == 65 65 65 9
// Expect: var cause == 8
#include "chip.h"

CONFIG uint8_t boots, n, seen[4], cause;

ISR(WDT_vect)
{
	PORTC ^= _BV(3);
	seen[n] = WDTCSR; /* WDIE and WDP0; with WDE, WDIE is cleared by the hardware */
	n++;
}

int main(void)
{
	if (++boots == 2) {
		cause = MCUSR;
		DONE();
	}
	MCUSR = 0;
	OUTPUT(PAD_MARK);
	__asm__ __volatile__("sts %0, %1\n\tsts %0, %2" ::"n"(_SFR_MEM_ADDR(WDTCSR)), "r"((uint8_t)(_BV(WDCE) | _BV(WDE))),
		"r"((uint8_t)(_BV(WDIE) | _BV(WDP0))));
	sei();
	while (n < 3)
		;
	WDTCSR = _BV(WDIE) | _BV(WDE) | _BV(WDP0);
	for (;;)
		;
}
