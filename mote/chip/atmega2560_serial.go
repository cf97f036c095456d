package chip

import "motehound/mote/periph"

// Serial interfaces of the ATmega2560, from datasheet 2549: registers from "Register Summary", vectors from "Interrupt
// Vectors in ATmega640/1280/1281/2560/2561", pads from "Alternate Functions" of ports B, D, E, H and J.

var atmega2560USARTs = []periph.USARTConfig{
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
	{
		Name: "USART2",
		UDR:  0xD6, UCSRA: 0xD0, UCSRB: 0xD1, UCSRC: 0xD2, UBRRL: 0xD4, UBRRH: 0xD5,
		RX: 52, UDRE: 53, TX: 54,
		RXD: periph.P('H', 0), TXD: periph.P('H', 1), XCK: periph.P('H', 2),
		MSPIM: true,
	},
	{
		Name: "USART3",
		UDR:  0x136, UCSRA: 0x130, UCSRB: 0x131, UCSRC: 0x132, UBRRL: 0x134, UBRRH: 0x135,
		RX: 55, UDRE: 56, TX: 57,
		RXD: periph.P('J', 0), TXD: periph.P('J', 1), XCK: periph.P('J', 2),
		MSPIM: true,
	},
}

var atmega2560SPI = periph.SPIConfig{
	SPCR: 0x4C, SPSR: 0x4D, SPDR: 0x4E,
	STC: 25,
	SS:  periph.P('B', 0), SCK: periph.P('B', 1), MOSI: periph.P('B', 2), MISO: periph.P('B', 3),
}

var atmega2560TWI = periph.TWIConfig{
	TWBR: 0xB8, TWSR: 0xB9, TWAR: 0xBA, TWDR: 0xBB, TWCR: 0xBC, TWAMR: 0xBD,
	Vector: 40,
	SDA:    periph.P('D', 1), SCL: periph.P('D', 0),
}
