package chip

import "motehound/isa/avr"

// ATmega328P: datasheet DS40002061 (doc8271). The chip of the Arduino Uno.
var ATmega328P = Chip{
	Name:        "atmega328p",
	Signature:   [3]uint8{0x1E, 0x95, 0x0F},
	Has:         avr.AVRePlus,
	FlashSize:   32 << 10,
	RAMBase:     0x100,
	RAMSize:     2 << 10,
	EEPROMSize:  1 << 10,
	Registers:   atmega328pRegisters,
	Vectors:     atmega328pVectors,
	Scratch:     []uint16{0x3E, 0x4A, 0x4B}, // GPIOR0..2
	SingleBitIO: true,
	Control: ControlConfig{
		SMCR: 0x53, SE: 0, SM0: 1, SM1: 2, SM2: 3,
		MCUCR: 0x55, IVSEL: 1, IVCE: 0,
		KeepMCUCR: 0x60, // BODS, BODSE: there is no brown-out detector to disable
		MCUSR:     0x54, PORF: 0, EXTRF: 1, WDRF: 3,
		PRR:        []uint16{0x64},
		SPAtRAMEnd: true,
		BOOTRST:    FuseBit{2, 0},
		WDTON:      FuseBit{2, 4},
		CKDIV8:     FuseBit{1, 7},
	},
	Ports:      atmega328pPorts,
	ExtInt:     &atmega328pExtInt,
	PinChange:  &atmega328pPinChange,
	Prescaler:  &prescalerGTCCR,
	Timers:     atmega328pTimers,
	USARTs:     atmega328pUSARTs,
	SPI:        &atmega328pSPI,
	TWI:        &atmega328pTWI,
	ADC:        &atmega328pADC,
	Comparator: &atmega328pComparator,
	EEPROM:     &atmega328pEEPROM,
	SelfProg:   &atmega328pSelfProg,
	Watchdog:   &atmega328pWatchdog,
	Clock:      &clockCLKPR,
}
