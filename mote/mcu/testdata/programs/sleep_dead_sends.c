// Purpose: asleep in idle mode with interrupts off, the devices go on: the USART sends what it holds, the EEPROM keeps what it was given
// Datasheet: 2467X, 2549Q, DS40002061A "Idle Mode": the USART, the timers and the interrupt system continue operating
// Chips: all
// Ends: dead_sleep
// Expect: uart 0 bytes 41 42
// Expect: uart 0 frame 10*16*10
// Expect: eeprom 3 == 5A
// Expect: var woke == 0
#include "chip.h"

volatile uint8_t woke;

int main(void)
{
	UBRR0L = 9;
	UCSR0B = _BV(TXEN0);
	UDR0 = 0x41;
	while (!(UCSR0A & _BV(UDRE0)))
		;
	UDR0 = 0x42;
	EEAR = 3;
	EEDR = 0x5A;
	__asm__ __volatile__("sbi %0, 2\n\tsbi %0, 1" ::"I"(_SFR_IO_ADDR(EECR)));
	SLEEP_REG = SLEEP_BITS(0);
	__asm__ __volatile__("sleep");
	woke = 1;
	DONE();
}
