// Purpose: the watchdog resets the chip; MCUSR says why; WDE cannot be cleared while WDRF is set, nor without WDCE
// Datasheet: 2467X "Watchdog Timer", Table 22 (typical at 5 V), "Timed Sequences"; 2549Q sections 12.4 and 12.5; DS40002061A sections 11.8 and
//   11.9, Table 11-2: 16 ms
// Chips: all
// On: PULSE rise 1 +100: reset
// Expect: bytes flags == 1 8 2
// Expect[atmega1281 atmega2560 atmega328p]: wave MARK rise MARK+0: 128000..128002
// Expect[atmega128]: wave MARK rise MARK+0: 112329..112331
// Expect[atmega1281 atmega2560 atmega328p]: bytes control == 8 8 8 0
// Expect[atmega128]: bytes control == 0 8 0 0
// Expect: var boots == 3
// Expect: var unlocked == 8
#include "chip.h"

CONFIG uint8_t boots, flags[3], control[4], unlocked;

static void turn_off(void)
{
	__asm__ __volatile__("sts %0, %1\n\tsts %0, %2" ::"n"(_SFR_MEM_ADDR(WATCHDOG)), "r"((uint8_t)(_BV(WDCE) | _BV(WDE))), "r"((uint8_t)0));
}

int main(void)
{
	flags[boots++] = RESET_FLAGS;
	OUTPUT(PAD_MARK);
	OUTPUT(PAD_PULSE);
	switch (boots) {
	case 1:
		RESET_FLAGS = 0;
		WATCHDOG = _BV(WDE); /* the shortest time */
		WATCHDOG = 0;        /* not in the timed sequence: no effect */
		unlocked = WATCHDOG;
		__asm__ __volatile__("out %0, %1\n\twdr" ::"I"(_SFR_IO_ADDR(PORTC)), "r"((uint8_t)_BV(3)));
		for (;;)
			;
	case 2:
		control[0] = WATCHDOG; /* the newer chips leave the watchdog on after it has struck */
		WATCHDOG = _BV(WDE);
		control[1] = WATCHDOG;
		turn_off();
		control[2] = WATCHDOG;
		RESET_FLAGS = 0;
		RESET_FLAGS = _BV(WDRF); /* a flag is not set by writing one */
		turn_off();
		control[3] = WATCHDOG;
		RESET_FLAGS = 0x1F;
		PORTC = _BV(2);
		for (;;)
			;
	}
	DONE();
}
