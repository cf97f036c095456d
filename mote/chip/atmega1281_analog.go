package chip

import "motehound/mote/periph"

// Analog peripherals of the ATmega1281, from datasheet 2549: registers from "Register Summary", inputs from "Input Channel
// Selections" (Table 26-4), references from Table 26-3, triggers from Table 26-6. It has eight channels and no MUX5.

var atmega1281ADC = periph.ADCConfig{
	ADMUX: 0x7C, ADCSRA: 0x7A, ADCSRB: 0x7B, ADCL: 0x78, ADCH: 0x79,
	Vector:            30,
	Mux:               adcMux5Bit,
	References:        [4]uint16{periph.ADCRefAREF, periph.ADCRefAVCC, 1100, 2560},
	BandgapMillivolts: 1100,
	Channels: [16]periph.Pin{
		periph.P('F', 0), periph.P('F', 1), periph.P('F', 2), periph.P('F', 3),
		periph.P('F', 4), periph.P('F', 5), periph.P('F', 6), periph.P('F', 7),
	},
	Triggers: [8]periph.Signal{
		periph.SigNone, periph.SigAnalogComparator, periph.SigExternalInterrupt0, periph.SigTimer0Compare,
		periph.SigTimer0Overflow, periph.SigTimer1CompareB, periph.SigTimer1Overflow, periph.SigTimer1Capture,
	},
	PRADC: periph.RegBit{Reg: 0x64, Bit: 0},
}

var atmega1281Comparator = periph.ComparatorConfig{
	ACSR: 0x50, Vector: 29,
	ACME: periph.RegBit{Reg: 0x7B, Bit: 6}, // in ADCSRB
	AIN0: periph.P('E', 2), AIN1: periph.P('E', 3),
	BandgapMillivolts: 1100,
}
