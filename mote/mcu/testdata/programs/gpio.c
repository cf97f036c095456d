// Purpose: ports: toggling through PIN, SBI on PIN, pull-ups, PUD, and the synchroniser's one cycle
// Datasheet: 2467X "Ports as General Digital I/O", Figure 31; 2549Q section 13.2; DS40002061A section 14.2: reading back an assigned value takes a NOP
// Chips: all
// Expect: var at_once == 0
// Expect: var after_nop == 1
// Expect[atmega1281 atmega2560 atmega328p]: var toggled == 0x05
// Expect[atmega1281 atmega2560 atmega328p]: var single == 0x04
// Expect[atmega128]: var toggled == 0x06
// Expect[atmega128]: var single == 0x06
// Expect: var pulled == 1
// Expect: var disabled == 0
// Expect: var held_low == 0
// Pad: T1 low
#include "chip.h"

volatile uint8_t at_once, after_nop, toggled, single, pulled, disabled, held_low;

int main(void)
{
	uint8_t x, y;
	DDRB = 0x0F;
	__asm__ __volatile__("out %2, %3\n\tin %0, %4\n\tin %1, %4"
		: "=&r"(x), "=&r"(y) : "I"(_SFR_IO_ADDR(PORTB)), "r"((uint8_t)1), "I"(_SFR_IO_ADDR(PINB)));
	at_once = x;
	after_nop = y;
	PORTB = 0x06;
	PINB = 0x03; /* toggles on the newer chips, does nothing on the ATmega128 */
	toggled = PORTB;
	PINB |= 0;
	PORTB = toggled;
	PINB |= _BV(0); /* SBI: one bit only on the newer chips */
	single = PORTB;

	PORTC = _BV(5); /* an input, nothing drives it */
	WAIT(2);
	pulled = PINC >> 5 & 1;
#ifdef __AVR_ATmega128__
	SFIOR |= _BV(PUD);
#else
	MCUCR |= _BV(PUD);
#endif
	WAIT(2);
	disabled = PINC >> 5 & 1;
	HIGH(PAD_T1);
	WAIT(2);
	held_low = IS_HIGH(PAD_T1);
	DONE();
}
