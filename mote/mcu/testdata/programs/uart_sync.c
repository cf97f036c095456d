// Purpose: the synchronous USART as a master, bit by bit on the pads, TXD wired to RXD
// Datasheet: 2467X "Synchronous Clock Operation"; 2549Q section 22.3.4; DS40002061A section 20.3.4: fXCK = fosc / (2 (UBRR + 1))
// Chips: all
// Wire: TXD0 -> RXD0
// Pad: RXD0 high
// Expect: bytes got == 0xA5 0x3C 0xFF
// Expect: var errors == 0
// Expect: wave XCK0 rise MARK+6: 5 5 5 5 5 5 5 5
#include "chip.h"

volatile uint8_t got[3], errors;

int main(void)
{
	static const uint8_t data[] = {0xA5, 0x3C, 0xFF};
	OUTPUT(PAD_MARK);
	OUTPUT(PAD_XCK0);
	UBRR0H = 0;
	UBRR0L = 4;
#ifdef __AVR_ATmega128__
	UCSR0C = _BV(UMSEL0) | 0x26; /* 8E1 */
#else
	UCSR0C = _BV(UMSEL00) | 0x26;
#endif
	START(UCSR0B, _BV(RXEN0) | _BV(TXEN0));
	for (uint8_t i = 0; i < 3; i++) {
		UDR0 = data[i];
		while (!(UCSR0A & _BV(RXC0)))
			;
		errors |= UCSR0A & (_BV(FE0) | _BV(DOR0) | _BV(UPE0));
		got[i] = UDR0;
	}
	DONE();
}
