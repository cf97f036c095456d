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
	Scratch:     []uint16{0x3E, 0x4A, 0x4B, 0x74, 0x75}, // GPIOR0..2, XMCRA, XMCRB
	SingleBitIO: true,
	Control: ControlConfig{
		SMCR: 0x53, SE: 0, SM0: 1, SM1: 2, SM2: 3,
		MCUCR: 0x55, IVSEL: 1, IVCE: 0,
		KeepMCUCR: 0x80, // JTD
		MCUSR:     0x54, PORF: 0, EXTRF: 1, WDRF: 3,
		PRR:        []uint16{0x64, 0x65},
		SPAtRAMEnd: true,
		BOOTRST:    FuseBit{2, 0},
		WDTON:      FuseBit{2, 4},
		CKDIV8:     FuseBit{1, 7},
	},
	Ports:      atmega2560Ports,
	ExtInt:     &atmega2560ExtInt,
	PinChange:  &atmega2560PinChange,
	Prescaler:  &prescalerGTCCR,
	Timers:     atmega2560Timers,
	USARTs:     atmega2560USARTs,
	SPI:        &atmega2560SPI,
	TWI:        &atmega2560TWI,
	ADC:        &atmega2560ADC,
	Comparator: &atmega2560Comparator,
	EEPROM:     &atmega2560EEPROM,
	SelfProg:   &atmega2560SelfProg,
	Watchdog:   &atmega2560Watchdog,
	Clock:      &clockCLKPR,
}
