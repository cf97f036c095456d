package chip

import "motehound/mote/periph"

// Serial interfaces of the ATmega2560, from datasheet 2549: registers from "Register Summary", vectors from "Interrupt
// Vectors in ATmega640/1280/1281/2560/2561", pads from "Alternate Functions" of ports B, D, E, H and J.

var atmega2560USARTs = []periph.USARTConfig{
	usart("USART0", 0xC0, 26, "E012"),
	usart("USART1", 0xC8, 37, "D235"),
	usart("USART2", 0xD0, 52, "H012"),
	usart("USART3", 0x130, 55, "J012"),
}

var atmega2560SPI = periph.SPIConfig{
	SPCR: 0x4C, SPSR: 0x4D, SPDR: 0x4E,
	STC: 25,
	SS:  periph.P('B', 0), SCK: periph.P('B', 1), MOSI: periph.P('B', 2), MISO: periph.P('B', 3),
}

var atmega2560TWI = twi(40, periph.P('D', 1), periph.P('D', 0))
