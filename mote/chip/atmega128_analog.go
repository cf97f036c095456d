package chip

import "motehound/mote/periph"

// Analog peripherals of the ATmega128, from datasheet 2467: registers from "Register Summary", inputs from "Input Channel
// and Gain Selections" (Table 98), references from "Voltage Reference Selections for ADC" (Table 97).

// adcMux5Bit is the MUX4:0 settings that the ATmega128, the ATmega1281 and, while MUX5 is 0, the ATmega2560 share.
var adcMux5Bit = []periph.ADCInput{
	// ADC0..ADC7
	periph.SingleEnded(0), periph.SingleEnded(1), periph.SingleEnded(2), periph.SingleEnded(3),
	periph.SingleEnded(4), periph.SingleEnded(5), periph.SingleEnded(6), periph.SingleEnded(7),
	// gain 10 and 200
	periph.Differential(0, 0, 10), periph.Differential(1, 0, 10), periph.Differential(0, 0, 200), periph.Differential(1, 0, 200),
	periph.Differential(2, 2, 10), periph.Differential(3, 2, 10), periph.Differential(2, 2, 200), periph.Differential(3, 2, 200),
	// against ADC1
	periph.Differential(0, 1, 1), periph.Differential(1, 1, 1), periph.Differential(2, 1, 1), periph.Differential(3, 1, 1),
	periph.Differential(4, 1, 1), periph.Differential(5, 1, 1), periph.Differential(6, 1, 1), periph.Differential(7, 1, 1),
	// against ADC2
	periph.Differential(0, 2, 1), periph.Differential(1, 2, 1), periph.Differential(2, 2, 1), periph.Differential(3, 2, 1),
	periph.Differential(4, 2, 1), periph.Differential(5, 2, 1), periph.SingleEnded(periph.ADCBandgap), periph.SingleEnded(periph.ADCGround),
}

var atmega128ADC = periph.ADCConfig{
	ADMUX: 0x27, ADCSRA: 0x26, ADCL: 0x24, ADCH: 0x25,
	Vector:            22,
	Mux:               adcMux5Bit,
	References:        [4]uint16{periph.ADCRefAREF, periph.ADCRefAVCC, periph.ADCRefReserved, 2560},
	BandgapMillivolts: 1230,
	Channels:          pins("F01234567"),
}

var atmega128Comparator = periph.ComparatorConfig{
	ACSR: 0x28, Vector: 24,
	ACME: periph.RegBit{Reg: 0x40, Bit: 3}, // in SFIOR
	AIN0: periph.P('E', 2), AIN1: periph.P('E', 3),
	BandgapMillivolts: 1230,
}
