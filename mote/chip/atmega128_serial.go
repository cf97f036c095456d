package chip

import "motehound/mote/periph"

// Serial interfaces of the ATmega128, from datasheet 2467: registers from "Register Summary", vectors from "Interrupt
// Vectors in ATmega128", pads from "Alternate Functions" of ports B, D and E.

var atmega128USARTs = []periph.USARTConfig{
	{
		Name: "USART0",
		UDR:  0x2C, UCSRA: 0x2B, UCSRB: 0x2A, UCSRC: 0x95, UBRRL: 0x29, UBRRH: 0x90,
		RX: 19, UDRE: 20, TX: 21,
		RXD: periph.P('E', 0), TXD: periph.P('E', 1), XCK: periph.P('E', 2),
	},
	{
		Name: "USART1",
		UDR:  0x9C, UCSRA: 0x9B, UCSRB: 0x9A, UCSRC: 0x9D, UBRRL: 0x99, UBRRH: 0x98,
		RX: 31, UDRE: 32, TX: 33,
		RXD: periph.P('D', 2), TXD: periph.P('D', 3), XCK: periph.P('D', 5),
	},
}

var atmega128SPI = periph.SPIConfig{
	SPCR: 0x2D, SPSR: 0x2E, SPDR: 0x2F,
	STC: 18,
	SS:  periph.P('B', 0), SCK: periph.P('B', 1), MOSI: periph.P('B', 2), MISO: periph.P('B', 3),
}

var atmega128TWI = periph.TWIConfig{
	TWBR: 0x70, TWSR: 0x71, TWAR: 0x72, TWDR: 0x73, TWCR: 0x74,
	Vector: 34,
	SDA:    periph.P('D', 1), SCL: periph.P('D', 0),
}
