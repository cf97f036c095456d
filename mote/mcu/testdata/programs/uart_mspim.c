// Purpose: USART0 as an SPI master reads the level of RXD; eight bits of 2 (UBRR + 1) cycles, after up to one bit of waiting
// Datasheet: 2549Q chapter 23; DS40002061A chapter 21: no start, stop or parity bits, UBRR as in synchronous mode
// Chips: atmega328p atmega1281 atmega2560
// Pad: RXD0 high
// On: MARK rise 2 +0: low RXD0
// Expect: bytes got == 0xFF 0x00
// Expect: var cycles == 80..104
#include "chip.h"

volatile uint8_t got[2], cycles;

static uint8_t transfer(uint8_t v)
{
	UDR0 = v;
	while (!(UCSR0A & _BV(RXC0)))
		;
	return UDR0;
}

int main(void)
{
	OUTPUT(PAD_MARK);
	OUTPUT(PAD_XCK0);
	UBRR0 = 0;
	UCSR0C = _BV(UMSEL01) | _BV(UMSEL00);
	UCSR0B = _BV(RXEN0) | _BV(TXEN0);
	UBRR0 = 4;
	TCCR1B = 1;
	MARK_UP();
	MARK_DOWN();
	uint8_t before = TCNT1;
	got[0] = transfer(0x81);
	cycles = TCNT1 - before;
	MARK_UP();
	WAIT(10);
	got[1] = transfer(0x81);
	DONE();
}
