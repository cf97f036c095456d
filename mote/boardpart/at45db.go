// Package boardpart models the parts beside the microcontroller on a board.
//
// A part knows wires and time, not chips: the board passes it pin levels, asks what it drives, and calls Event at the time that
// Next returned. Times are picoseconds. States are plain values without pointers or padding; bulk contents are in a store that
// the board owns.
package boardpart

import "motehound/mote/store"

// never is the time of an event that is not pending.
const never = ^uint64(0)

const microsecond = 1_000_000 // in picoseconds

// Geometry of the AT45DB041B.
const (
	at45dbPages    = 2048
	at45dbPageSize = 264
	AT45DBSize     = at45dbPages * at45dbPageSize
)

// AT45DBState is what changes in the flash beside its contents.
type AT45DBState struct {
	ReadyAt uint64 `time:"ps"` // when the operation under way ends
	Bits    uint32 // rising clock edges since the chip was selected
	Page    uint16
	Offset  uint16 // byte in the page or buffer
	Opcode  uint8
	Shift   uint8 // bits that come in
	Out     uint8 // the byte going out
	OutBit  uint8 // its bit at SO: 7 first
	// Selected is 1 while CS is low, Clock is the level of SCK, Late is 1 if the clock was low when CS fell.
	Selected, Clock, Late uint8
	Busy, Differs         uint8 // status: not RDY, COMP
	Driving               uint8 // 1 while SO is not in high impedance
	Pad                   [6]uint8
	Buffers               [2][at45dbPageSize]uint8
}

// AT45DB is an AT45DB041B serial flash, after its datasheet 3443: 2048 pages of 264 bytes, two buffers. It is driven by its
// wires, as mica boards do it from port pins.
//
// Operations change the contents when CS rises; the status says busy until their time is over. WP and RESET are high.
type AT45DB struct {
	S        *AT45DBState
	Contents *store.Store // of AT45DBSize bytes
}

// at45Kind is what a command does with its address and data.
type at45Kind uint8

const (
	at45Unknown at45Kind = iota
	at45Status
	at45ReadPage   // stays in the page
	at45ReadArray  // runs on through all pages
	at45ReadBuffer //
	at45WriteBuffer
	at45WriteThrough // into a buffer, then, when CS rises, the page
	at45Transfer
	at45Compare
	at45Program // the page was erased before
	at45EraseProgram
	at45Rewrite
	at45ErasePage
	at45EraseBlock
)

// at45Command is one row of the datasheet's Tables 5-1 to 5-4.
type at45Command struct {
	kind   at45Kind
	buffer uint8
	header uint32 // bits of opcode, address and don't-care before data
	// polarity: the opcode is of the "inactive clock polarity" category: with SCK low at rest its data comes one clock
	// later than in SPI mode 0.
	polarity bool
}

// at45Commands is indexed by opcode.
var at45Commands = [256]at45Command{
	0xD7: {kind: at45Status, header: 8},
	0x57: {kind: at45Status, header: 8, polarity: true},
	0xD2: {kind: at45ReadPage, header: 64},
	0x52: {kind: at45ReadPage, header: 64, polarity: true},
	0xE8: {kind: at45ReadArray, header: 64},
	0x68: {kind: at45ReadArray, header: 64, polarity: true},
	0xD4: {kind: at45ReadBuffer, buffer: 0, header: 40},
	0xD6: {kind: at45ReadBuffer, buffer: 1, header: 40},
	0x54: {kind: at45ReadBuffer, buffer: 0, header: 40, polarity: true},
	0x56: {kind: at45ReadBuffer, buffer: 1, header: 40, polarity: true},
	0x84: {kind: at45WriteBuffer, buffer: 0, header: 32},
	0x87: {kind: at45WriteBuffer, buffer: 1, header: 32},
	0x82: {kind: at45WriteThrough, buffer: 0, header: 32},
	0x85: {kind: at45WriteThrough, buffer: 1, header: 32},
	0x53: {kind: at45Transfer, buffer: 0, header: 32},
	0x55: {kind: at45Transfer, buffer: 1, header: 32},
	0x60: {kind: at45Compare, buffer: 0, header: 32},
	0x61: {kind: at45Compare, buffer: 1, header: 32},
	0x83: {kind: at45EraseProgram, buffer: 0, header: 32},
	0x86: {kind: at45EraseProgram, buffer: 1, header: 32},
	0x88: {kind: at45Program, buffer: 0, header: 32},
	0x89: {kind: at45Program, buffer: 1, header: 32},
	0x58: {kind: at45Rewrite, buffer: 0, header: 32},
	0x59: {kind: at45Rewrite, buffer: 1, header: 32},
	0x81: {kind: at45ErasePage, header: 32},
	0x50: {kind: at45EraseBlock, header: 32},
}

// Maximum times of the datasheet's AC characteristics: tXFR, tEP, tP, tPE, tBE.
const (
	at45TransferTime     = 250 * microsecond
	at45EraseProgramTime = 20_000 * microsecond
	at45ProgramTime      = 14_000 * microsecond
	at45ErasePageTime    = 8_000 * microsecond
	at45EraseBlockTime   = 12_000 * microsecond
)

const at45Density = 0x1C // bits 5:2 are 0111

const at45BlockPages = 8

// SO is the level of the output and whether the chip drives it (else it is in high impedance).
func (f *AT45DB) SO() (level, driven bool) {
	s := f.S
	if s.Driving == 0 {
		return false, false
	}
	// "The status of bit 7 will continue to be output": with SCK at rest, SO follows RDY.
	if s.OutBit == 7 && at45Commands[s.Opcode].kind == at45Status {
		return s.Busy == 0, true
	}
	return s.Out>>s.OutBit&1 != 0, true
}

// Next is when Event wants to be called.
func (f *AT45DB) Next() uint64 {
	if f.S.Busy == 0 {
		return never
	}
	return f.S.ReadyAt
}

// Event ends the operation under way; SO may have changed.
func (f *AT45DB) Event(uint64) { f.S.Busy = 0 }

// Select takes the level of CS. Rising, it starts the operation whose command was complete.
func (f *AT45DB) Select(low bool, nowPs uint64) {
	s := f.S
	if low == (s.Selected != 0) {
		return
	}
	if !low {
		s.Selected, s.Driving = 0, 0
		if c := at45Commands[s.Opcode]; s.Bits >= 32 {
			f.execute(c, nowPs)
		}
		return
	}
	s.Selected, s.Late = 1, 1-s.Clock
	s.Bits, s.Opcode, s.OutBit = 0, 0, 7
}

// Clock tells of an edge of SCK, with the level of SI, and returns the level of SO. Data comes in with rising edges
// and goes out with falling ones.
func (f *AT45DB) Clock(rising, si bool, _ uint64) (so bool) {
	s := f.S
	s.Clock = 0
	if rising {
		s.Clock = 1
	}
	if s.Selected != 0 {
		if rising {
			f.in(si)
		} else {
			f.out()
		}
	}
	so, _ = f.SO()
	return so
}

// in takes one bit from SI.
func (f *AT45DB) in(si bool) {
	s := f.S
	s.Bits++
	s.Shift <<= 1
	if si {
		s.Shift |= 1
	}
	if s.Bits%8 != 0 {
		return
	}
	c := at45Commands[s.Opcode]
	switch s.Bits {
	case 8:
		s.Opcode = f.accept(s.Shift)
	// Four reserved bits, PA10..PA0, BA8..BA0.
	case 16:
		s.Page = uint16(s.Shift&0x0F) << 7
	case 24:
		s.Page |= uint16(s.Shift >> 1)
		s.Offset = uint16(s.Shift&1) << 8
	case 32:
		s.Offset = (s.Offset | uint16(s.Shift)) % at45dbPageSize
	default:
		if c.kind == at45WriteBuffer || c.kind == at45WriteThrough {
			s.Buffers[c.buffer][s.Offset] = s.Shift
			s.Offset = (s.Offset + 1) % at45dbPageSize
		}
	}
}

// accept is the opcode, or 0 if the chip ignores it: while it is busy only the status and the buffers are at hand.
func (f *AT45DB) accept(opcode uint8) uint8 {
	switch at45Commands[opcode].kind {
	case at45Unknown:
		return 0
	case at45Status, at45ReadBuffer, at45WriteBuffer:
		return opcode
	}
	if f.S.Busy != 0 {
		return 0
	}
	return opcode
}

// out moves SO to the next bit once the header is over.
func (f *AT45DB) out() {
	s := f.S
	c := at45Commands[s.Opcode]
	header := c.header
	if c.polarity {
		header += uint32(s.Late)
	}
	if c.header == 0 || s.Bits < header {
		return
	}
	if s.Driving == 0 || s.OutBit == 0 {
		b, ok := f.next(c)
		if !ok {
			return
		}
		s.Driving, s.Out, s.OutBit = 1, b, 7
		return
	}
	s.OutBit--
}

// next is the next byte to go out, for the commands that read.
func (f *AT45DB) next(c at45Command) (b uint8, ok bool) {
	s := f.S
	switch c.kind {
	case at45Status:
		return f.status(), true
	case at45ReadPage, at45ReadArray:
		b = f.Contents.Read(uint32(s.Page)*at45dbPageSize + uint32(s.Offset))
	case at45ReadBuffer:
		b = s.Buffers[c.buffer][s.Offset]
	default:
		return 0, false
	}
	s.Offset++
	if s.Offset == at45dbPageSize {
		s.Offset = 0
		if c.kind == at45ReadArray {
			s.Page = (s.Page + 1) % at45dbPages
		}
	}
	return b, true
}

func (f *AT45DB) status() uint8 { return (1-f.S.Busy)<<7 | f.S.Differs<<6 | at45Density }

// execute does what a complete command does when CS rises.
func (f *AT45DB) execute(c at45Command, now uint64) {
	s := f.S
	page, buffer := uint32(s.Page), &s.Buffers[c.buffer]
	switch c.kind {
	case at45Transfer:
		f.load(page, buffer)
		f.busy(now, at45TransferTime)
	case at45Compare:
		s.Differs = 0
		for i, b := range buffer {
			if f.Contents.Read(page*at45dbPageSize+uint32(i)) != b {
				s.Differs = 1
			}
		}
		f.busy(now, at45TransferTime)
	case at45Rewrite:
		f.load(page, buffer)
		f.busy(now, at45EraseProgramTime)
	case at45EraseProgram, at45WriteThrough:
		f.erase(page, 1)
		f.program(page, buffer)
		f.busy(now, at45EraseProgramTime)
	case at45Program:
		f.program(page, buffer)
		f.busy(now, at45ProgramTime)
	case at45ErasePage:
		f.erase(page, 1)
		f.busy(now, at45ErasePageTime)
	case at45EraseBlock:
		f.erase(page&^(at45BlockPages-1), at45BlockPages)
		f.busy(now, at45EraseBlockTime)
	}
}

func (f *AT45DB) busy(now, t uint64) { f.S.Busy, f.S.ReadyAt = 1, now+t }

func (f *AT45DB) load(page uint32, buffer *[at45dbPageSize]uint8) {
	for i := range buffer {
		buffer[i] = f.Contents.Read(page*at45dbPageSize + uint32(i))
	}
}

func (f *AT45DB) erase(page, pages uint32) {
	for a := page * at45dbPageSize; a < (page+pages)*at45dbPageSize; a++ {
		f.Contents.Write(a, 0xFF)
	}
}

// program clears bits only.
func (f *AT45DB) program(page uint32, buffer *[at45dbPageSize]uint8) {
	for i, b := range buffer {
		a := page*at45dbPageSize + uint32(i)
		f.Contents.Write(a, f.Contents.Read(a)&b)
	}
}
