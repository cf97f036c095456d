package chip

import "motehound/isa/avr"

// ATmega1281: datasheet 2549 (ATmega640/1280/1281/2560/2561). The chip of the IRIS.
var ATmega1281 = Chip{
	Name:        "atmega1281",
	Signature:   [3]uint8{0x1E, 0x97, 0x04},
	Has:         avr.AVRePlusElpm,
	FlashSize:   128 << 10,
	RAMBase:     0x200,
	RAMSize:     8 << 10,
	EEPROMSize:  4 << 10,
	Registers:   atmega1281Registers,
	Vectors:     atmega1281Vectors,
	Scratch:     megaScratch,
	SingleBitIO: true,
	Control:     megaControl,
	Ports:       atmega1281Ports,
	ExtInt:      &atmega1281ExtInt,
	PinChange:   &atmega1281PinChange,
	Prescaler:   &atmega1281Prescaler,
	Timers:      atmega1281Timers,
	USARTs:      atmega1281USARTs,
	SPI:         &atmega1281SPI,
	TWI:         &atmega1281TWI,
	ADC:         &atmega1281ADC,
	Comparator:  &atmega1281Comparator,
	EEPROM:      &atmega1281EEPROM,
	SelfProg:    &atmega1281SelfProg,
	Watchdog:    &atmega1281Watchdog,
	Clock:       &atmega1281Clock,
}

// What the whole family of datasheet 2549 has in the same places.
var (
	megaScratch = []uint16{0x3E, 0x4A, 0x4B, 0x74, 0x75} // GPIOR0..2, XMCRA, XMCRB

	megaControl = ControlConfig{
		SMCR: 0x53, SE: 0, SM0: 1, SM1: 2, SM2: 3,
		MCUCR: 0x55, IVSEL: 1, IVCE: 0,
		KeepMCUCR: 0x80, // JTD
		MCUSR:     0x54, PORF: 0, EXTRF: 1, WDRF: 3,
		PRR:        []uint16{0x64, 0x65},
		SPAtRAMEnd: true,
		BOOTRST:    FuseBit{2, 0},
		WDTON:      FuseBit{2, 4},
		CKDIV8:     FuseBit{1, 7},
	}
)
