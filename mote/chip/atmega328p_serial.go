package chip

import "motehound/mote/periph"

// Serial interfaces of the ATmega328P, from datasheet DS40002061 (sections 19 to 22): registers from "Register Summary",
// vectors from "Interrupt Vectors in ATmega328 and ATmega328P", pads from "Alternate Port Functions". The chip's only
// USART is called USART0 by its registers (UDR0) and USART by its vectors.

var atmega328pUSARTs = []periph.USARTConfig{usart("USART0", 0xC0, 19, "D014")}

var atmega328pSPI = periph.SPIConfig{
	SPCR: 0x4C, SPSR: 0x4D, SPDR: 0x4E,
	STC: 18,
	SS:  periph.P('B', 2), SCK: periph.P('B', 5), MOSI: periph.P('B', 3), MISO: periph.P('B', 4),
}

var atmega328pTWI = twi(25, periph.P('C', 4), periph.P('C', 5))
