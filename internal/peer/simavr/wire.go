package simavr

import "encoding/binary"

var le = binary.LittleEndian

// decoder takes an answer apart. The harness is our own, so an answer that is
// too short is a bug and panics.
type decoder struct{ b []byte }

func (d *decoder) take(n int) []byte {
	if len(d.b) < n {
		panic("BUG: simavr harness: short answer")
	}
	b := d.b[:n]
	d.b = d.b[n:]
	return b
}

func (d *decoder) u8() uint8   { return d.take(1)[0] }
func (d *decoder) u16() uint16 { return le.Uint16(d.take(2)) }
func (d *decoder) u32() uint32 { return le.Uint32(d.take(4)) }
func (d *decoder) u64() uint64 { return le.Uint64(d.take(8)) }

func appendString(b []byte, s string) []byte {
	b = le.AppendUint16(b, uint16(len(s)))
	return append(b, s...)
}

// Info is what simavr's table says of a chip.
type Info struct {
	IOEnd, RAMEnd uint16 // last data addresses of I/O and of internal SRAM
	FlashEnd      uint32 // last byte address of flash
	RAMPZ, EIND   uint16 // data addresses; 0 when the chip has none
	PCBytes       uint8  // bytes a call pushes: 2, or 3 on a 22-bit PC
	VectorBytes   uint8  // size of an interrupt vector
	Frequency     uint32
}

func (d *decoder) info() Info {
	return Info{
		IOEnd: d.u16(), RAMEnd: d.u16(), FlashEnd: d.u32(),
		RAMPZ: d.u16(), EIND: d.u16(), PCBytes: d.u8(), VectorBytes: d.u8(),
		Frequency: d.u32(),
	}
}

// CPUState is simavr's avr_t.state.
type CPUState uint8

// The states a harness answer can show.
const (
	Running  CPUState = 2
	Sleeping CPUState = 3
	Done     CPUState = 6 // asleep with interrupts off
	Crashed  CPUState = 7 // bad data address, or PC beyond the flash
)

func (s CPUState) String() string {
	switch s {
	case Running:
		return "running"
	case Sleeping:
		return "sleeping"
	case Done:
		return "done"
	case Crashed:
		return "crashed"
	}
	return "stopped"
}
