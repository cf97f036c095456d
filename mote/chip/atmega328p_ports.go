package chip

import "motehound/mote/periph"

// Ports, external interrupts and memories of the ATmega328P, from datasheet 8271: registers from "Register Summary",
// vectors from "Interrupt Vectors in ATmega328 and ATmega328P", pads from "Alternate Port Functions". PC6 is RESET, as
// long as the fuse RSTDISBL is unprogrammed.

var atmega328pPorts = []periph.PortConfig{
	port('B', 0x23, 0xFF),
	{
		Name: 'C', PIN: 0x26, DDR: 0x27, PORT: 0x28, Mask: 0x7F, Pads: 0x3F,
		PINToggles: true,
		PUD:        periph.RegBit{Reg: 0x55, Bit: 4},
		DIDR:       [2]periph.DIDRConfig{{Register: 0x7E, Bits: [8]uint8{1, 2, 3, 4, 5, 6}}},
	},
	port('D', 0x29, 0xFF, periph.DIDRConfig{Register: 0x7F, Bits: [8]uint8{7, 8}}),
}

// "Recognition of falling or rising edge interrupts on INT0 or INT1 requires the presence of an I/O clock" (section 13.1).
var atmega328pExtInt = periph.ExtIntConfig{
	EICRA: 0x69, EIMSK: 0x3D, EIFR: 0x3C,
	Lines: [8]periph.ExtIntLine{
		{Pin: periph.P('D', 2), Vector: 2},
		{Pin: periph.P('D', 3), Vector: 3},
	},
}

var atmega328pPinChange = pinChange(4, "B01234567", "C0123456", "D01234567")

var atmega328pEEPROM = eepromModes(1024, 23)

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
