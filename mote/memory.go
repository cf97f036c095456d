package mote

import "motehound/firmware/image"

// Memory is the mote's memories as variables live in them. It looks at the data space without side effects.
func (m *Mote) Memory() image.Spaces { return memory{m} }

type memory struct{ m *Mote }

// LoadByte implements image.Memory.
func (s memory) LoadByte(addr uint32) uint8 { return s.m.Peek(uint16(addr)) }

// StoreByte implements image.Memory.
func (s memory) StoreByte(addr uint32, v uint8) { s.m.Core().Store(uint16(addr), v) }

// In implements image.Spaces.
func (s memory) In(space image.Space) image.Memory {
	switch space {
	case image.Data:
		return s
	case image.Flash:
		return constants(s)
	}
	return nil
}

// constants is the program memory, for variables that are kept there. They cannot be written.
type constants struct{ m *Mote }

// LoadByte implements image.Memory.
func (c constants) LoadByte(addr uint32) uint8 { return uint8(c.m.ProgWord(addr/2) >> (addr % 2 * 8)) }

// StoreByte implements image.Memory.
func (c constants) StoreByte(uint32, uint8) {}
