// Purpose: CLKPR divides CPU, timers and USART alike; it needs its timed sequence; the CKDIV8 fuse
// Datasheet: 2549Q section 10.13.2; DS40002061A section 9.12.2: CLKPS within four cycles of CLKPCE
// Chips: atmega328p atmega1281 atmega2560
// Fuses: 7F D9 FF
// Expect: bytes clkpr == 3 3
// Case: 8 MHz: clkps=0 => uart 0 nanoseconds 10*16*13*125; spans MARK 1000*125; spans OC1A 100*125 100*125
// Case: 1 MHz: clkps=3 => uart 0 nanoseconds 10*16*13*1000; spans MARK 1000*1000; spans OC1A 100*1000 100*1000
// Case: 31250 Hz: clkps=8 => uart 0 nanoseconds 10*16*13*32000; spans MARK 1000*32000; spans OC1A 100*32000
#include "chip.h"

CONFIG uint8_t clkps;
volatile uint8_t clkpr[2];

int main(void)
{
	OUTPUT(PAD_MARK);
	OUTPUT(PAD_OC1A);
	clkpr[0] = CLKPR;
	CLKPR = 1; /* no effect without CLKPCE */
	clkpr[1] = CLKPR;
	__asm__ __volatile__("sts %0, %1\n\tsts %0, %2" ::"n"(_SFR_MEM_ADDR(CLKPR)), "r"((uint8_t)_BV(CLKPCE)), "r"(clkps));
	UBRR0 = 12;
	UCSR0B = _BV(TXEN0);
	UDR0 = 0x41;
	MARK_UP();
	__asm__ __volatile__("");
	WAIT(999);
	MARK_DOWN();
	OCR1A = 99;
	TCCR1A = _BV(COM1A0);
	TCCR1B = _BV(WGM12) | 1;
	WAIT(350);
	while (!(UCSR0A & _BV(TXC0)))
		;
	DONE();
}
