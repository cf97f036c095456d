package chip

import "motehound/mote/periph"

// Serial interfaces of the ATmega328P, from datasheet DS40002061 (sections 19 to 22): registers from "Register Summary",
// vectors from "Interrupt Vectors in ATmega328 and ATmega328P", pads from "Alternate Port Functions". The chip's only
// USART is called USART0 by its registers (UDR0) and USART by its vectors.

var atmega328pUSARTs = []periph.USARTConfig{
	{
		Name: "USART0",
		UDR:  0xC6, UCSRA: 0xC0, UCSRB: 0xC1, UCSRC: 0xC2, UBRRL: 0xC4, UBRRH: 0xC5,
		RX: 19, UDRE: 20, TX: 21,
		RXD: periph.P('D', 0), TXD: periph.P('D', 1), XCK: periph.P('D', 4),
		MSPIM: true,
	},
}

var atmega328pSPI = periph.SPIConfig{
	SPCR: 0x4C, SPSR: 0x4D, SPDR: 0x4E,
	STC: 18,
	SS:  periph.P('B', 2), SCK: periph.P('B', 5), MOSI: periph.P('B', 3), MISO: periph.P('B', 4),
}

var atmega328pTWI = periph.TWIConfig{
	TWBR: 0xB8, TWSR: 0xB9, TWAR: 0xBA, TWDR: 0xBB, TWCR: 0xBC, TWAMR: 0xBD,
	Vector: 25,
	SDA:    periph.P('C', 4), SCL: periph.P('C', 5),
}
