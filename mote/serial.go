package mote

import (
	"cmp"
	"slices"

	"motehound/mote/cell"
	"motehound/mote/periph"
)

// Input is bytes that arrive on a serial line from outside, one after the other, from a moment on or when the bytes before them are
// through.
type Input struct {
	At      uint64 // picoseconds since the mote's power-on
	BitTime uint64 // the sender's, in picoseconds; 0 for the mote's own
	Bytes   []cell.Cell
}

// feed is how far a USART's input has got: the inputs themselves are the world's and never change.
type feed struct {
	free   uint64 `time:"ps,ahead,orzero"` // when the last bit of the bytes so far has passed
	input  uint32 `time:"number,hand"`     // index of the input under way
	offset uint32 // bytes of it that were sent
}

// SerialIn adds input to a USART's line. Inputs must come in the order of their times.
func (m *Mote) SerialIn(usart uint8, in Input) {
	waiting := m.feedDone(usart)
	if !m.owns { // those of which this one is a copy, or which are copies of it, may add others
		for u := range m.input {
			m.input[u] = slices.Clip(m.input[u])
		}
		m.owns = true
	}
	m.input[usart] = append(m.input[usart], in)
	if waiting {
		m.Plan(kindSerial+usart, max(in.At, m.Time(), m.st.feed[usart].free))
	}
}

// feedDone reports whether everything given to a USART has been sent.
func (m *Mote) feedDone(usart uint8) bool { return int(m.st.feed[usart].input) == len(m.input[usart]) }

// SerialIdle reports whether all input to a USART has arrived.
func (m *Mote) SerialIdle(usart uint8) bool { return m.feedDone(usart) }

// missInput drops what came in before a moment: nobody was there.
func (m *Mote) missInput(now uint64) {
	for usart := range uint8(m.USARTs()) {
		f, in := &m.st.feed[usart], m.input[usart]
		for int(f.input) < len(in) && in[f.input].At < now {
			f.input, f.offset = f.input+1, 0
		}
		next := uint64(periph.Never)
		if int(f.input) < len(in) {
			next = in[f.input].At
		}
		m.Plan(kindSerial+usart, next)
	}
}

// feedNext puts the next byte on a USART's line, and plans the one after it.
func (m *Mote) feedNext(usart uint8) {
	if m.feedDone(usart) {
		return
	}
	f := &m.st.feed[usart]
	in := &m.input[usart][f.input]
	now := m.Time()
	next := now
	if int(f.offset) < len(in.Bytes) {
		bit, format := m.SerialRate(usart)
		bit = cmp.Or(in.BitTime, bit)
		m.Receive(usart, periph.SerialChar{Start: now, BitTime: bit, Format: format, Data: in.Bytes[f.offset]})
		next = now + bit*uint64(format.Bits())
		f.free = next
		f.offset++
	}
	if int(f.offset) >= len(in.Bytes) {
		f.input, f.offset = f.input+1, 0
		if m.feedDone(usart) {
			return
		}
		next = max(next, m.input[usart][f.input].At)
	}
	m.Plan(kindSerial+usart, next)
}
