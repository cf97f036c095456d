package chip

import "motehound/isa/avr"

// ATmega128: datasheet 2467 (doc2467, revision X). The chip of the Mica2 and MicaZ.
var ATmega128 = Chip{
	Name:       "atmega128",
	Signature:  [3]uint8{0x1E, 0x97, 0x02},
	Has:        avr.AVRePlusElpm,
	FlashSize:  128 << 10,
	RAMBase:    0x100,
	RAMSize:    4 << 10,
	EEPROMSize: 4 << 10,
	Registers:  atmega128Registers,
	Vectors:    atmega128Vectors,
	Control: ControlConfig{
		SMCR: 0x55, SE: 5, SM0: 3, SM1: 4, SM2: 2, // MCUCR
		MCUCR: 0x55, IVSEL: 1, IVCE: 0,
		KeepMCUCR: 0xC0, // SRE, SRW10: no external memory is fitted
		MCUSR:     0x54, PORF: 0, EXTRF: 1, WDRF: 3,
		KeepMCUSR: 0x80, // JTD
		BOOTRST:   FuseBit{2, 0},
		WDTON:     FuseBit{3, 0},
	},
	Ports:      atmega128Ports,
	ExtInt:     &atmega128ExtInt,
	Prescaler:  &atmega128Prescaler,
	Timers:     atmega128Timers,
	USARTs:     atmega128USARTs,
	SPI:        &atmega128SPI,
	TWI:        &atmega128TWI,
	ADC:        &atmega128ADC,
	Comparator: &atmega128Comparator,
	EEPROM:     &atmega128EEPROM,
	SelfProg:   &atmega128SelfProg,
	Watchdog:   &atmega128Watchdog,
	Clock:      &atmega128Clock,
}
