package chip

import "motehound/mote/periph"

// Ports, external interrupts and memories of the ATmega1281, from datasheet 2549: registers from "Register Summary",
// vectors from "Reset and Interrupt Vectors", pads from "Alternate Port Functions".

var atmega1281Ports = []periph.PortConfig{
	{
		Name: 'A', PORT: 0x22, DDR: 0x21, PIN: 0x20, Mask: 0xFF, Pads: 0xFF,
		PINToggles: true,
		PUD:        periph.RegBit{Reg: 0x55, Bit: 4},
	},
	{
		Name: 'B', PORT: 0x25, DDR: 0x24, PIN: 0x23, Mask: 0xFF, Pads: 0xFF,
		PINToggles: true,
		PUD:        periph.RegBit{Reg: 0x55, Bit: 4},
		Modulator:  periph.P('B', 7),
	},
	{
		Name: 'C', PORT: 0x28, DDR: 0x27, PIN: 0x26, Mask: 0xFF, Pads: 0xFF,
		PINToggles: true,
		PUD:        periph.RegBit{Reg: 0x55, Bit: 4},
	},
	{
		Name: 'D', PORT: 0x2B, DDR: 0x2A, PIN: 0x29, Mask: 0xFF, Pads: 0xFF,
		PINToggles: true,
		PUD:        periph.RegBit{Reg: 0x55, Bit: 4},
	},
	{
		Name: 'E', PORT: 0x2E, DDR: 0x2D, PIN: 0x2C, Mask: 0xFF, Pads: 0xFF,
		PINToggles: true,
		PUD:        periph.RegBit{Reg: 0x55, Bit: 4},
		DIDR:       [2]periph.DIDRConfig{{Register: 0x7F, Bits: [8]uint8{3, 4}}},
	},
	{
		Name: 'F', PORT: 0x31, DDR: 0x30, PIN: 0x2F, Mask: 0xFF, Pads: 0xFF,
		PINToggles: true,
		PUD:        periph.RegBit{Reg: 0x55, Bit: 4},
		DIDR:       [2]periph.DIDRConfig{{Register: 0x7E, Bits: [8]uint8{1, 2, 3, 4, 5, 6, 7, 8}}},
	},
	{
		Name: 'G', PORT: 0x34, DDR: 0x33, PIN: 0x32, Mask: 0x3F, Pads: 0x3F,
		PINToggles: true,
		PUD:        periph.RegBit{Reg: 0x55, Bit: 4},
	},
}

// INT3:0 find edges without a clock, INT7:4 need clkI/O (Tables 15-1 and 15-3).
var atmega1281ExtInt = periph.ExtIntConfig{
	EICRA: 0x69, EICRB: 0x6A, EIMSK: 0x3D, EIFR: 0x3C,
	Lines: [8]periph.ExtIntLine{
		{Pin: periph.P('D', 0), Vector: 2, Async: true},
		{Pin: periph.P('D', 1), Vector: 3, Async: true},
		{Pin: periph.P('D', 2), Vector: 4, Async: true},
		{Pin: periph.P('D', 3), Vector: 5, Async: true},
		{Pin: periph.P('E', 4), Vector: 6},
		{Pin: periph.P('E', 5), Vector: 7},
		{Pin: periph.P('E', 6), Vector: 8},
		{Pin: periph.P('E', 7), Vector: 9},
	},
}

var atmega1281PinChange = periph.PinChangeConfig{
	PCICR: 0x68, PCIFR: 0x3B,
	Banks: [3]periph.PinChangeBank{
		{PCMSK: 0x6B, Vector: 10, Pins: [8]periph.Pin{
			periph.P('B', 0), periph.P('B', 1), periph.P('B', 2), periph.P('B', 3),
			periph.P('B', 4), periph.P('B', 5), periph.P('B', 6), periph.P('B', 7),
		}},
		{PCMSK: 0x6C, Vector: 11, Pins: [8]periph.Pin{
			periph.P('E', 0),
		}},
	},
}

// Programming times are those of "EEPROM Mode Bits" (Table 8-1).
var atmega1281EEPROM = periph.EEPROMConfig{
	EEARL: 0x41, EEARH: 0x42, EEDR: 0x40, EECR: 0x3F,
	Size: 4096, Vector: 31,
	EEPM:     true,
	BothTime: 3_400_000_000, SingleTime: 1_800_000_000, // picoseconds
}

// Sections and sizes are from "ATmega1281 Boot Loader Parameters"; the time is the longest of "SPM Programming Time" (3.7 ms
// to 4.5 ms).
var atmega1281SelfProg = periph.SelfProgConfig{
	SPMCSR: 0x57, Vector: 41,
	SIGRD:    true,
	PageSize: 256, FlashSize: 0x20000, NRWWStart: 0x1E000,
	BootSizes: [4]uint32{8192, 4096, 2048, 1024},
	LockMask:  0x3C,
	Signature: [3]uint8{0x1E, 0x97, 0x04},
	Time:      4_500_000_000, // picoseconds
}
