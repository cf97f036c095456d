package chip

import "motehound/mote/periph"

// Ports, external interrupts and memories of the ATmega328P, from datasheet 8271: registers from "Register Summary",
// vectors from "Interrupt Vectors in ATmega328 and ATmega328P", pads from "Alternate Port Functions". PC6 is RESET, as
// long as the fuse RSTDISBL is unprogrammed.

var atmega328pPorts = []periph.PortConfig{
	{
		Name: 'B', PORT: 0x25, DDR: 0x24, PIN: 0x23, Mask: 0xFF, Pads: 0xFF,
		PINToggles: true,
		PUD:        periph.RegBit{Reg: 0x55, Bit: 4},
	},
	{
		Name: 'C', PORT: 0x28, DDR: 0x27, PIN: 0x26, Mask: 0x7F, Pads: 0x3F,
		PINToggles: true,
		PUD:        periph.RegBit{Reg: 0x55, Bit: 4},
		DIDR:       [2]periph.DIDRConfig{{Register: 0x7E, Bits: [8]uint8{1, 2, 3, 4, 5, 6}}},
	},
	{
		Name: 'D', PORT: 0x2B, DDR: 0x2A, PIN: 0x29, Mask: 0xFF, Pads: 0xFF,
		PINToggles: true,
		PUD:        periph.RegBit{Reg: 0x55, Bit: 4},
		DIDR:       [2]periph.DIDRConfig{{Register: 0x7F, Bits: [8]uint8{7, 8}}},
	},
}

// "Recognition of falling or rising edge interrupts on INT0 or INT1 requires the presence of an I/O clock" (section 13.1).
var atmega328pExtInt = periph.ExtIntConfig{
	EICRA: 0x69, EIMSK: 0x3D, EIFR: 0x3C,
	Lines: [8]periph.ExtIntLine{
		{Pin: periph.P('D', 2), Vector: 2},
		{Pin: periph.P('D', 3), Vector: 3},
	},
}

var atmega328pPinChange = periph.PinChangeConfig{
	PCICR: 0x68, PCIFR: 0x3B,
	Banks: [3]periph.PinChangeBank{
		{PCMSK: 0x6B, Vector: 4, Pins: [8]periph.Pin{
			periph.P('B', 0), periph.P('B', 1), periph.P('B', 2), periph.P('B', 3),
			periph.P('B', 4), periph.P('B', 5), periph.P('B', 6), periph.P('B', 7),
		}},
		{PCMSK: 0x6C, Vector: 5, Pins: [8]periph.Pin{
			periph.P('C', 0), periph.P('C', 1), periph.P('C', 2), periph.P('C', 3),
			periph.P('C', 4), periph.P('C', 5), periph.P('C', 6),
		}},
		{PCMSK: 0x6D, Vector: 6, Pins: [8]periph.Pin{
			periph.P('D', 0), periph.P('D', 1), periph.P('D', 2), periph.P('D', 3),
			periph.P('D', 4), periph.P('D', 5), periph.P('D', 6), periph.P('D', 7),
		}},
	},
}

// Programming times are those of "EEPROM Mode Bits" (Table 8-1).
var atmega328pEEPROM = periph.EEPROMConfig{
	EEARL: 0x41, EEARH: 0x42, EEDR: 0x40, EECR: 0x3F,
	Size: 1024, Vector: 23,
	EEPM:     true,
	BothTime: 3_400_000_000, SingleTime: 1_800_000_000, // picoseconds
}

// Sections and sizes are from "ATmega328 and ATmega328P Boot Loader Parameters"; the time is the longest of "SPM
// Programming Time" (3.7 ms to 4.5 ms).
var atmega328pSelfProg = periph.SelfProgConfig{
	SPMCSR: 0x57, Vector: 26,
	SIGRD:    true,
	PageSize: 128, FlashSize: 0x8000, NRWWStart: 0x7000,
	BootSizes: [4]uint32{4096, 2048, 1024, 512},
	LockMask:  0x3F,
	Signature: [3]uint8{0x1E, 0x95, 0x0F},
	Time:      4_500_000_000, // picoseconds
}
