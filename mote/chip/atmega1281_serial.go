package chip

import "motehound/mote/periph"

// Serial interfaces of the ATmega1281, from datasheet 2549: registers from "Register Summary", vectors from "Interrupt
// Vectors in ATmega640/1280/1281/2560/2561", pads from "Alternate Functions" of ports B, D and E.

var atmega1281USARTs = []periph.USARTConfig{
	{
		Name: "USART0",
		UDR:  0xC6, UCSRA: 0xC0, UCSRB: 0xC1, UCSRC: 0xC2, UBRRL: 0xC4, UBRRH: 0xC5,
		RX: 26, UDRE: 27, TX: 28,
		RXD: periph.P('E', 0), TXD: periph.P('E', 1), XCK: periph.P('E', 2),
		MSPIM: true,
	},
	{
		Name: "USART1",
		UDR:  0xCE, UCSRA: 0xC8, UCSRB: 0xC9, UCSRC: 0xCA, UBRRL: 0xCC, UBRRH: 0xCD,
		RX: 37, UDRE: 38, TX: 39,
		RXD: periph.P('D', 2), TXD: periph.P('D', 3), XCK: periph.P('D', 5),
		MSPIM: true,
	},
}

var atmega1281SPI = periph.SPIConfig{
	SPCR: 0x4C, SPSR: 0x4D, SPDR: 0x4E,
	STC: 25,
	SS:  periph.P('B', 0), SCK: periph.P('B', 1), MOSI: periph.P('B', 2), MISO: periph.P('B', 3),
}

var atmega1281TWI = periph.TWIConfig{
	TWBR: 0xB8, TWSR: 0xB9, TWAR: 0xBA, TWDR: 0xBB, TWCR: 0xBC, TWAMR: 0xBD,
	Vector: 40,
	SDA:    periph.P('D', 1), SCL: periph.P('D', 0),
}
