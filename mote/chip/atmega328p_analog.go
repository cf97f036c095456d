package chip

import "motehound/mote/periph"

// Analog peripherals of the ATmega328P, from datasheet 8271: registers from "Register Summary", inputs from "Input Channel
// Selections" (Table 24-4), references from Table 24-3, triggers from Table 24-6. ADC6 and ADC7 have pins of their own
// in some packages, outside of any port.

var atmega328pADC = periph.ADCConfig{
	ADMUX: 0x7C, ADCSRA: 0x7A, ADCSRB: 0x7B, ADCL: 0x78, ADCH: 0x79,
	Vector: 22,
	Mux: []periph.ADCInput{
		periph.SingleEnded(0), periph.SingleEnded(1), periph.SingleEnded(2), periph.SingleEnded(3),
		periph.SingleEnded(4), periph.SingleEnded(5), periph.SingleEnded(6), periph.SingleEnded(7),
		periph.SingleEnded(periph.ADCTemperature), periph.SingleEnded(periph.ADCReserved), periph.SingleEnded(periph.ADCReserved), periph.SingleEnded(periph.ADCReserved),
		periph.SingleEnded(periph.ADCReserved), periph.SingleEnded(periph.ADCReserved),
		periph.SingleEnded(periph.ADCBandgap), periph.SingleEnded(periph.ADCGround),
	},
	References:        [4]uint16{periph.ADCRefAREF, periph.ADCRefAVCC, periph.ADCRefReserved, 1100},
	BandgapMillivolts: 1100,
	Channels:          pins("C012345"),
	Triggers:          adcTriggers,
	PRADC:             periph.RegBit{Reg: 0x64, Bit: 0},
}

var atmega328pComparator = periph.ComparatorConfig{
	ACSR: 0x50, Vector: 24,
	ACME: periph.RegBit{Reg: 0x7B, Bit: 6}, // in ADCSRB
	AIN0: periph.P('D', 6), AIN1: periph.P('D', 7),
	BandgapMillivolts: 1100,
}
