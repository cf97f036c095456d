package chip

import (
	"slices"

	"motehound/isa/avr"
	"motehound/mote/periph"
)

// ATmega1281: datasheet 2549 (ATmega640/1280/1281/2560/2561). The chip of the IRIS. It is the ATmega2560 with half of the flash, in a
// case of 64 pins, without what has no pins there.
var ATmega1281 = Chip{
	Name:        "atmega1281",
	Signature:   [3]uint8{0x1E, 0x97, 0x04},
	Has:         avr.AVRePlusElpm,
	FlashSize:   128 << 10,
	RAMBase:     0x200,
	RAMSize:     8 << 10,
	EEPROMSize:  4 << 10,
	Registers:   atmega1281Registers(),
	Vectors:     atmega1281Vectors(),
	Scratch:     ATmega2560.Scratch,
	SingleBitIO: true,
	Control:     ATmega2560.Control,
	Ports:       atmega2560Ports[:7], // A to G
	ExtInt:      &atmega2560ExtInt,
	PinChange:   &atmega1281PinChange,
	Prescaler:   &prescalerGTCCR,
	Timers:      atmega1281Timers,
	USARTs:      atmega2560USARTs[:2],
	SPI:         &atmega2560SPI,
	TWI:         &atmega2560TWI,
	ADC:         &atmega1281ADC,
	Comparator:  &atmega2560Comparator,
	EEPROM:      &atmega2560EEPROM,
	SelfProg:    &atmega1281SelfProg,
	Watchdog:    &atmega2560Watchdog,
	Clock:       &clockCLKPR,
}

// atmega1281Registers are without PCMSK2, USART2, USART3 and the ports H to L.
func atmega1281Registers() []Register {
	return slices.DeleteFunc(slices.Clone(atmega2560Registers), func(r Register) bool {
		return r.Addr == 0x6D || r.Addr >= 0xD0 && r.Addr <= 0x10B || r.Addr >= 0x130
	})
}

// atmega1281Vectors are without those "only available in ATmega640/1280/2560" (Table 14-1, note): PCINT2, the captures of
// Timer/Counter4 and 5, and USART2 and USART3, which are the last.
func atmega1281Vectors() []string {
	list := slices.Clone(atmega2560Vectors[:52])
	list[12], list[42], list[47] = "", "", ""
	return list
}

// PCINT9 to PCINT23 are at the ports J and K.
var atmega1281PinChange = func() periph.PinChangeConfig {
	c := atmega2560PinChange
	c.Banks[1].Pins = [8]periph.Pin{periph.P('E', 0)}
	c.Banks[2] = periph.PinChangeBank{}
	return c
}()

// There are eight channels and no MUX5.
var atmega1281ADC = func() periph.ADCConfig {
	c := atmega2560ADC
	c.Mux, c.MUX5 = adcMux5Bit, periph.RegBit{}
	clear(c.Channels[8:])
	return c
}()

// Sections and sizes are from "ATmega1281 Boot Loader Parameters".
var atmega1281SelfProg = func() periph.SelfProgConfig {
	c := atmega2560SelfProg
	c.FlashSize, c.NRWWStart, c.Signature = 0x20000, 0x1E000, [3]uint8{0x1E, 0x97, 0x04}
	return c
}()

// There is no OC2B, and there are no pads for Timer/Counter4 and 5, which count all the same.
var atmega1281Timers = []periph.TimerConfig{
	atmega2560Timers[0],
	atmega2560Timer1(),
	timer2(14, periph.P('B', 4), periph.NoPin),
	atmega2560Timer3(),
	timerWithoutCapture(atmega2560Timer4()),
	timerWithoutCapture(atmega2560Timer5()),
}

// timerWithoutCapture has no capture interrupt.
func timerWithoutCapture(t periph.TimerConfig) periph.TimerConfig {
	t.Flags[periph.ICF].Vector = 0
	return t
}
