package avr

// Held is the chip's registers that only hold a value, as far as there are such: the core reads and writes them by itself. Firmware
// looks at some of them whenever it goes to sleep. Another Bus than that of the chip is always asked: it may want to see everything.
type Held struct {
	Bus Bus // the chip
	// Shown is, by I/O address, where the value is that reading shows and has no other effect; nil if the Bus is to be asked.
	Shown [IORegisters]*uint8
	Data  Data
	Sleep SleepControl
}

// IORegisters is how many registers IN and OUT reach, and IOBase the address of the first in the data space.
const (
	IORegisters = 0x40
	IOBase      = 0x20
)

// Data is a register that shows the low byte of a Value. While its Guard is not 0 reading does more.
type Data struct {
	Addr  uint32 // in the data space; 0 if the Bus is to be asked
	Value *uint32
	Guard *uint8
}

// SleepControl is the register with the sleep bits. Writing it puts the bits of each Mask into that byte.
type SleepControl struct {
	Addr  uint32    // in the data space; 0 if the Bus is to be asked
	Bar   uint8     // a write that sets one of these is for the Bus
	Masks [2]uint8  //
	Bytes [2]*uint8 //
	Guard *uint64   // while this is not 0 every write is for the Bus
}

// nothing is held by a chip that does not say so.
var nothing Held
