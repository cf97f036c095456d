package chip

import (
	"slices"

	"motehound/mote/periph"
)

// Analog peripherals of the ATmega2560, from datasheet 2549: registers from "Register Summary", inputs from "Input Channel
// Selections" (Table 26-4), references from Table 26-3, triggers from Table 26-6.

var atmega2560ADC = periph.ADCConfig{
	ADMUX: 0x7C, ADCSRA: 0x7A, ADCSRB: 0x7B, ADCL: 0x78, ADCH: 0x79,
	Vector: 30,
	Mux: append(slices.Clip(adcMux5Bit),
		// ADC8..ADC15
		periph.SingleEnded(8), periph.SingleEnded(9), periph.SingleEnded(10), periph.SingleEnded(11),
		periph.SingleEnded(12), periph.SingleEnded(13), periph.SingleEnded(14), periph.SingleEnded(15),
		// gain 10 and 200
		periph.Differential(8, 8, 10), periph.Differential(9, 8, 10), periph.Differential(8, 8, 200), periph.Differential(9, 8, 200),
		periph.Differential(10, 10, 10), periph.Differential(11, 10, 10), periph.Differential(10, 10, 200), periph.Differential(11, 10, 200),
		// against ADC9
		periph.Differential(8, 9, 1), periph.Differential(9, 9, 1), periph.Differential(10, 9, 1), periph.Differential(11, 9, 1),
		periph.Differential(12, 9, 1), periph.Differential(13, 9, 1), periph.Differential(14, 9, 1), periph.Differential(15, 9, 1),
		// against ADC10
		periph.Differential(8, 10, 1), periph.Differential(9, 10, 1), periph.Differential(10, 10, 1), periph.Differential(11, 10, 1),
		periph.Differential(12, 10, 1), periph.Differential(13, 10, 1), periph.SingleEnded(periph.ADCReserved), periph.SingleEnded(periph.ADCReserved),
	),
	MUX5:              periph.RegBit{Reg: 0x7B, Bit: 3},
	References:        [4]uint16{periph.ADCRefAREF, periph.ADCRefAVCC, 1100, 2560},
	BandgapMillivolts: 1100,
	Channels:          pins("F01234567K01234567"),
	Triggers:          adcTriggers,
	PRADC:             periph.RegBit{Reg: 0x64, Bit: 0},
}

var atmega2560Comparator = periph.ComparatorConfig{
	ACSR: 0x50, Vector: 29,
	ACME: periph.RegBit{Reg: 0x7B, Bit: 6}, // in ADCSRB
	AIN0: periph.P('E', 2), AIN1: periph.P('E', 3),
	BandgapMillivolts: 1100,
}
