// Purpose: fuse bytes, lock bits and the signature row by LPM, by a program that never executes SPM
// Datasheet: 2467X "Reading the Fuse and Lock Bits from Software"; 2549Q sections 29.7.9, 29.7.10; DS40002061A sections 27.8.9, 27.8.10, Table 27-5. On the
//   ATmega128 software cannot read the signature
// Chips: all
// Fuses: E2 D8 F4
// Expect: bytes fuses == 0xE2 0xFF 0xF4 0xD8
// Expect[atmega328p]: bytes signature == 0x1E 0x95 0x0F
// Expect[atmega1281]: bytes signature == 0x1E 0x97 0x04
// Expect[atmega2560]: bytes signature == 0x1E 0x98 0x01
// Expect: var late == 0x55
#include "chip.h"
#include <avr/boot.h>

volatile uint8_t fuses[4], signature[3], late;
const uint8_t constant PROGMEM = 0x55;

int main(void)
{
	for (uint8_t i = 0; i < 4; i++)
		fuses[i] = boot_lock_fuse_bits_get(i);
#ifndef __AVR_ATmega128__
	for (uint8_t i = 0; i < 3; i++)
		signature[i] = boot_signature_byte_get(2 * i);
#endif
	/* More than three cycles after SPMCSR was written, LPM reads flash. */
	SPMCSR = _BV(BLBSET) | 1;
	WAIT(6);
	late = pgm_read_byte(&constant);
	DONE();
}
