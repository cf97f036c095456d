// Purpose: every USART of a chip, each with its own rate, all at the same time
// Datasheet: 2467X "USART"; 2549Q chapter 22
// Chips: atmega128 atmega1281 atmega2560
// Echo: 0
// Echo: 1
// Echo[atmega2560]: 2
// Echo[atmega2560]: 3
// Expect: uart 0 bytes 41 42 43
// Expect: uart 0 frame 10*16*10
// Expect: uart 1 bytes 51 52 53
// Expect: uart 1 frame 10*16*12
// Expect[atmega2560]: uart 2 bytes 61 62 63
// Expect[atmega2560]: uart 2 frame 10*16*14
// Expect[atmega2560]: uart 3 bytes 71 72 73
// Expect[atmega2560]: uart 3 frame 10*16*16
// Expect: bytes last == 0x43 0x53
// Expect[atmega2560]: bytes last == 0x43 0x53 0x63 0x73
#include "chip.h"

volatile uint8_t last[4];

#define SETUP(n, ubrr) (UBRR##n##L = ubrr, UCSR##n##B = _BV(RXEN0) | _BV(TXEN0))
#define PUT(n, v) \
	while (!(UCSR##n##A & _BV(UDRE0))) \
		; \
	UDR##n = v
#define GET(n) \
	while (UCSR##n##A & _BV(RXC0)) \
		last[n] = UDR##n

int main(void)
{
	SETUP(0, 9);
	SETUP(1, 11);
#ifdef __AVR_ATmega2560__
	SETUP(2, 13);
	SETUP(3, 15);
#endif
	for (uint8_t i = 1; i <= 3; i++) {
		PUT(0, 0x40 + i);
		PUT(1, 0x50 + i);
#ifdef __AVR_ATmega2560__
		PUT(2, 0x60 + i);
		PUT(3, 0x70 + i);
#endif
	}
	for (uint16_t i = 0; i < 2000; i++) {
		GET(0);
		GET(1);
#ifdef __AVR_ATmega2560__
		GET(2);
		GET(3);
#endif
	}
	DONE();
}
