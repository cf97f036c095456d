package chip

import "motehound/mote/periph"

// Ports, external interrupts and memories of the ATmega128, from datasheet 2467: registers from "Register Summary",
// vectors from "Reset and Interrupt Vectors", pads from "Alternate Port Functions".

var atmega128Ports = []periph.PortConfig{
	{Name: 'A', PORT: 0x3B, DDR: 0x3A, PIN: 0x39, Mask: 0xFF, Pads: 0xFF, PUD: atmega128PUD},
	{Name: 'B', PORT: 0x38, DDR: 0x37, PIN: 0x36, Mask: 0xFF, Pads: 0xFF, PUD: atmega128PUD, Modulator: periph.P('B', 7)},
	{Name: 'C', PORT: 0x35, DDR: 0x34, PIN: 0x33, Mask: 0xFF, Pads: 0xFF, PUD: atmega128PUD},
	{Name: 'D', PORT: 0x32, DDR: 0x31, PIN: 0x30, Mask: 0xFF, Pads: 0xFF, PUD: atmega128PUD},
	{Name: 'E', PORT: 0x23, DDR: 0x22, PIN: 0x21, Mask: 0xFF, Pads: 0xFF, PUD: atmega128PUD},
	{Name: 'F', PORT: 0x62, DDR: 0x61, PIN: 0x20, Mask: 0xFF, Pads: 0xFF, PUD: atmega128PUD},
	{Name: 'G', PORT: 0x65, DDR: 0x64, PIN: 0x63, Mask: 0x1F, Pads: 0x1F, PUD: atmega128PUD},
}

// atmega128PUD is in SFIOR.
var atmega128PUD = periph.RegBit{Reg: 0x40, Bit: 2}

// INT3:0 find edges without a clock, INT7:4 need clkI/O (Tables 48 and 50).
var atmega128ExtInt = periph.ExtIntConfig{
	EICRA: 0x6A, EICRB: 0x5A, EIMSK: 0x59, EIFR: 0x58,
	Lines: [8]periph.ExtIntLine{
		{Pin: periph.P('D', 0), Vector: 2, Async: true, NoAnyEdge: true},
		{Pin: periph.P('D', 1), Vector: 3, Async: true, NoAnyEdge: true},
		{Pin: periph.P('D', 2), Vector: 4, Async: true, NoAnyEdge: true},
		{Pin: periph.P('D', 3), Vector: 5, Async: true, NoAnyEdge: true},
		{Pin: periph.P('E', 4), Vector: 6},
		{Pin: periph.P('E', 5), Vector: 7},
		{Pin: periph.P('E', 6), Vector: 8},
		{Pin: periph.P('E', 7), Vector: 9},
	},
}

// The write time is "EEPROM Programming Time" (Table 2): 8448 cycles of the calibrated oscillator, typically 8.5 ms.
var atmega128EEPROM = periph.EEPROMConfig{
	EEARL: 0x3E, EEARH: 0x3F, EEDR: 0x3D, EECR: 0x3C,
	Size: 4096, Vector: 23,
	BothTime: 8_500_000_000, // picoseconds
}

// Sections and sizes are from "ATmega128 Boot Loader Parameters" (Tables 112 to 114); the time is the longest of "SPM
// Programming Time" (3.7 ms to 4.5 ms).
var atmega128SelfProg = periph.SelfProgConfig{
	SPMCSR: 0x68, Vector: 35,
	PageSize: 256, FlashSize: 0x20000, NRWWStart: 0x1E000,
	BootSizes: [4]uint32{8192, 4096, 2048, 1024},
	LockMask:  0x3C,
	Signature: [3]uint8{0x1E, 0x97, 0x02},
	Time:      4_500_000_000, // picoseconds
}
