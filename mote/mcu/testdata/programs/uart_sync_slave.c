// Purpose: two USARTs of a chip wired to each other, synchronous master and slave, both ways at once
// Datasheet: 2467X "Synchronous Clock Operation"; 2549Q section 22.3.4: DDR_XCK makes the master
// Chips: atmega128 atmega1281 atmega2560
// Wire: TXD0 -> RXD1
// Wire: TXD1 -> RXD0
// Wire: XCK0 -> XCK1
// Pad: RXD0 high
// Pad: RXD1 high
// Expect: bytes slave == 0xA5 0x3C 0x81
// Expect: bytes master == 0x42 0xFF 0x00
// Expect: var errors == 0
#include "chip.h"

volatile uint8_t slave[3], master[3], errors;

int main(void)
{
	static const uint8_t there[] = {0xA5, 0x3C, 0x81}, back[] = {0x42, 0xFF, 0x00};
	OUTPUT(PAD_XCK0);
	UBRR0L = 9;
	UCSR0C = UCSR1C = 0x46; /* synchronous, 8N1 */
	UCSR1B = _BV(RXEN1) | _BV(TXEN1);
	UCSR0B = _BV(RXEN0) | _BV(TXEN0);
	for (uint8_t i = 0; i < 3; i++) {
		UDR1 = back[i];
		UDR0 = there[i];
		while (!(UCSR1A & _BV(RXC1)) || !(UCSR0A & _BV(RXC0)))
			;
		errors |= (UCSR1A | UCSR0A) & (_BV(FE0) | _BV(DOR0) | _BV(UPE0));
		slave[i] = UDR1;
		master[i] = UDR0;
	}
	DONE();
}
