package chip

import "motehound/mote/periph"

// Ports, external interrupts and memories of the ATmega2560, from datasheet 2549: registers from "Register Summary",
// vectors from "Reset and Interrupt Vectors", pads from "Alternate Port Functions".

var atmega2560Ports = []periph.PortConfig{
	port('A', 0x20, 0xFF),
	{
		Name: 'B', PIN: 0x23, DDR: 0x24, PORT: 0x25, Mask: 0xFF, Pads: 0xFF,
		PINToggles: true,
		PUD:        periph.RegBit{Reg: 0x55, Bit: 4},
		Modulator:  periph.P('B', 7),
	},
	port('C', 0x26, 0xFF),
	port('D', 0x29, 0xFF),
	port('E', 0x2C, 0xFF, periph.DIDRConfig{Register: 0x7F, Bits: [8]uint8{3, 4}}),
	port('F', 0x2F, 0xFF, periph.DIDRConfig{Register: 0x7E, Bits: [8]uint8{1, 2, 3, 4, 5, 6, 7, 8}}),
	port('G', 0x32, 0x3F),
	port('H', 0x100, 0xFF),
	port('J', 0x103, 0xFF),
	port('K', 0x106, 0xFF, periph.DIDRConfig{Register: 0x7D, Bits: [8]uint8{1, 2, 3, 4, 5, 6, 7, 8}}),
	port('L', 0x109, 0xFF),
}

// INT3:0 find edges without a clock, INT7:4 need clkI/O (Tables 15-1 and 15-3).
var atmega2560ExtInt = periph.ExtIntConfig{
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

var atmega2560PinChange = pinChange(10, "B01234567", "E0J0123456", "K01234567")

var atmega2560EEPROM = eepromModes(4096, 31)

// Sections and sizes are from "ATmega2560 Boot Loader Parameters"; the time is the longest of "SPM Programming Time" (3.7 ms
// to 4.5 ms).
var atmega2560SelfProg = periph.SelfProgConfig{
	SPMCSR: 0x57, Vector: 41,
	SIGRD:    true,
	PageSize: 256, FlashSize: 0x40000, NRWWStart: 0x3E000,
	BootSizes: [4]uint32{8192, 4096, 2048, 1024},
	LockMask:  0x3C,
	Signature: [3]uint8{0x1E, 0x98, 0x01},
	Time:      4_500_000_000, // picoseconds
}
