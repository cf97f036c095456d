package mote

import "motehound/mote/radio"

// Row is a row of bytes, all the same, that a mote's radio takes in or sends.
type Row struct {
	radio.Row
	Until uint64 // the first cycle in which something else happens; Never if nothing is planned
}

// Row tells of the bytes that come next, if the mote's CPU rests and they are all the same.
func (m *Mote) Row() (s Row, ok bool) {
	if m.stream == nil || !m.Resting() {
		return s, false
	}
	if s.Row, ok = m.stream.Row(); ok {
		s.Until = m.UpcomingBut(kindRadio + s.Kind)
	}
	return s, ok
}

// PassRow has so many of these bytes go by without their interrupts. It is for bytes whose handlers would have changed nothing but the
// time; the instructions that they would have executed are not counted. What goes on the air meanwhile is given back.
func (m *Mote) PassRow(bytes uint64) radio.Repeated { return m.stream.PassRow(radioHost{m}, bytes) }

// Variables is the mote's RAM without what is dead: what counts for AppendRelative. It must not be changed.
func (m *Mote) Variables() (low, high []uint8) { return m.LiveRAM(m.Kind.beyond) }
