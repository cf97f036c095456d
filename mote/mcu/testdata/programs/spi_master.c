// Purpose: the SPI master against a device: bytes both ways, data order, all rates to the cycle, write collision
// Datasheet: 2467X "Serial Peripheral Interface", Table 72; 2549Q chapter 21, Table 21-5; DS40002061A chapter 19, Table 19-5. SPIF rises
//   one cycle after the eighth period of SCK; MARK + 1 is the cycle that writes SPDR
// Chips: all
// Expect: spi 01 02 80 55
// Expect: bytes got == 0x5A 0xFE
// Expect: var lsb == 0xBF
// Expect: var collision == 0x40
// Case: fosc/4: spcr=0 x2=0 => entry SPI_STC MARK+1+8*4+1+4+WIDE
// Case: fosc/16: spcr=1 x2=0 => entry SPI_STC MARK+1+8*16+1+4+WIDE
// Case: fosc/64: spcr=2 x2=0 => entry SPI_STC MARK+1+8*64+1+4+WIDE
// Case: fosc/128: spcr=3 x2=0 => entry SPI_STC MARK+1+8*128+1+4+WIDE
// Case: fosc/2: spcr=0 x2=1 => entry SPI_STC MARK+1+8*2+1+4+WIDE
// Case: fosc/8: spcr=1 x2=1 => entry SPI_STC MARK+1+8*8+1+4+WIDE
// Case: fosc/32: spcr=2 x2=1 => entry SPI_STC MARK+1+8*32+1+4+WIDE
#include "chip.h"

CONFIG uint8_t spcr, x2;
volatile uint8_t got[2], lsb, collision;

EMPTY_HANDLER(SPI_STC_vect)

static uint8_t transfer(uint8_t v)
{
	SPDR = v;
	while (!(SPSR & _BV(SPIF)))
		;
	return SPDR;
}

int main(void)
{
	OUTPUT(PAD_MARK);
	OUTPUT(PAD_SS);
	OUTPUT(PAD_MOSI);
	OUTPUT(PAD_SCK);
	SPCR = _BV(SPE) | _BV(MSTR);
	got[0] = transfer(0x01);
	got[1] = transfer(0x02);
	SPCR |= _BV(DORD);
	lsb = transfer(0x01); /* the device sees 0x80 and answers 0xFD, which arrives as 0xBF */
	SPCR = _BV(SPE) | _BV(MSTR) | _BV(SPIE) | spcr;
	SPSR = x2;
	sei();
	START(SPDR, 0x55);
	SPDR = 0x66; /* too early */
	collision = SPSR & _BV(WCOL);
	NOPS(1100);
	DONE();
}
