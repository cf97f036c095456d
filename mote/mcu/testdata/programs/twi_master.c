// Purpose: the TWI master and an EEPROM on the bus: write, repeated START, read, NACK of an address and of data
// Datasheet: 2467X "Two-wire Serial Interface", Tables 88 and 89; 2549Q chapter 24, Tables 24-2 and 24-3; DS40002061A chapter 22, Tables 22-2
//   and 22-3
// Chips: all
// Expect: twi S50w+ 10+ AB+ CD+ S50w+ 10+ S50r+ AB+ CD- P S51w- P S50w+ F0+ 99- P
// Expect: bytes status == 0x08 0x18 0x28 0x28 0x28 0x10 0x18 0x28 0x10 0x40 0x50 0x58 0x08 0x20 0x08 0x18 0x28 0x30
// Expect: bytes data == 0xAB 0xCD
// Expect: served TWI x18
// Expect: var stop == 0
#include "chip.h"

volatile uint8_t status[18], data[2], n, stop;

/* TWINT lasts until software clears it, so the handler switches the interrupt off. */
ISR(TWI_vect)
{
	TWCR &= (uint8_t)~(_BV(TWIE) | _BV(TWINT));
}

static void go(uint8_t bits)
{
	TWCR = _BV(TWINT) | _BV(TWEN) | bits;
	while (!(TWCR & _BV(TWINT)))
		;
	TWCR = _BV(TWEN) | _BV(TWIE);
	sei();
	NOPS(4);
	cli();
	status[n++] = TWSR & 0xF8;
}

static void put(uint8_t v)
{
	TWDR = v;
	go(0);
}

static void end(void)
{
	TWCR = _BV(TWINT) | _BV(TWEN) | _BV(TWSTO);
	while (TWCR & _BV(TWSTO))
		;
}

int main(void)
{
	TWSR = 0;
	TWBR = 32;
	go(_BV(TWSTA));
	put(0xA0);
	put(0x10);
	put(0xAB);
	put(0xCD);
	go(_BV(TWSTA));
	put(0xA0);
	put(0x10);
	go(_BV(TWSTA));
	put(0xA1);
	go(_BV(TWEA));
	data[0] = TWDR;
	go(0);
	data[1] = TWDR;
	end();
	go(_BV(TWSTA));
	put(0xA2);
	end();
	go(_BV(TWSTA));
	put(0xA0);
	put(0xF0);
	put(0x99);
	end();
	stop = TWCR & _BV(TWSTO);
	DONE();
}
