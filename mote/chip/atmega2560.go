package chip

import "motehound/isa/avr"

// ATmega2560: datasheet 2549 (ATmega640/1280/1281/2560/2561). The chip of the Arduino Mega 2560.
var ATmega2560 = Chip{
	Name:        "atmega2560",
	Signature:   [3]uint8{0x1E, 0x98, 0x01},
	Has:         avr.AVRePlus22,
	FlashSize:   256 << 10,
	RAMBase:     0x200,
	RAMSize:     8 << 10,
	EEPROMSize:  4 << 10,
	Registers:   atmega2560Registers,
	Vectors:     atmega2560Vectors,
	Scratch:     megaScratch,
	SingleBitIO: true,
	Control:     megaControl,
	Ports:       atmega2560Ports,
	ExtInt:      &atmega2560ExtInt,
	PinChange:   &atmega2560PinChange,
	Prescaler:   &atmega2560Prescaler,
	Timers:      atmega2560Timers,
	USARTs:      atmega2560USARTs,
	SPI:         &atmega2560SPI,
	TWI:         &atmega2560TWI,
	ADC:         &atmega2560ADC,
	Comparator:  &atmega2560Comparator,
	EEPROM:      &atmega2560EEPROM,
	SelfProg:    &atmega2560SelfProg,
	Watchdog:    &atmega2560Watchdog,
	Clock:       &atmega2560Clock,
}
