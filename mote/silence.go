package mote

import "motehound/mote/radio"

// Silence is what a mote hears while nobody sends: zeros from its radio, one byte after the other (radio.Silence).
type Silence struct {
	At    uint64 // when the next byte has come in, in picoseconds
	Span  uint64 // from one byte to the next
	Until uint64 // the first cycle in which something else happens; Never if nothing is planned
}

// Silence tells of the bytes that the mote hears next, if its CPU rests and these are zeros.
func (m *Mote) Silence() (s Silence, ok bool) {
	if m.cc1000.S == nil || !m.Resting() {
		return s, false
	}
	if s.At, s.Span, ok = m.cc1000.Silent(); ok {
		s.Until = m.UpcomingBut(kindRadio + radio.CC1000Clock)
	}
	return s, ok
}

// PassSilence has so many bytes go by without their interrupts. It is for bytes whose handlers would have changed nothing but the time;
// the instructions that they would have executed are not counted.
func (m *Mote) PassSilence(bytes uint64) { m.cc1000.PassSilence(radioHost{m}, bytes) }

// Variables is the mote's RAM without what is dead: what counts for AppendRelative. It must not be changed.
func (m *Mote) Variables() (low, high []uint8) { return m.LiveRAM(m.Kind.beyond) }
