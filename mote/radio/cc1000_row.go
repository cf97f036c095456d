package radio

import "motehound/mote/cell"

// Silence, as an answer to Host.Choose, has a receiver hear zeros where it would make random bits of noise. All bytes between two
// frames are then the same, so that whoever explores what motes do can pass over those that change nothing.
const Silence = ^uint32(0)

// Row is a row of bytes that are all the same, one behind the other: those of a receiver in silence, or of a transmitter whose
// microcontroller has it send the same byte again and again.
type Row struct {
	At    uint64 // when the last bit of the next one is clocked, in picoseconds
	Span  uint64 // from one to the next
	Sends bool
	Data  uint8 // that the microcontroller finds in its SPI
	Kind  uint8 // of the events that clock it
}

// Repeated is what a row of bytes puts on the air: Count of them, the first at a moment, one each Span.
type Repeated struct {
	At, Span, Bit uint64
	Data          cell.Cell
	Count         uint64
}

// Row is the row of equal bytes that is under way, if the slave stands between two bytes. It goes on while nothing else happens and
// the microcontroller does not write another byte.
func (r *cc1000) Row() (s Row, ok bool) {
	out, gone := r.Modem.Shown()
	if r.S.Edge == Never || gone != 0 {
		return s, false
	}
	end := r.S.Edge + 7*r.S.Period
	s = Row{At: end, Span: 8 * r.S.Period, Kind: cc1000Clock}
	if r.S.Mode == cc1000Receive {
		return s, r.silent() && r.S.Planned == end
	}
	s.Sends, s.Data = true, out.V()
	due := r.S.Told == 0 && r.S.Planned == r.S.Edge || r.S.Told != 0 && r.S.Planned == end
	return s, due && r.S.Mode == cc1000Transmit && out == cell.Of(s.Data)
}

// silent reports whether a receiver hears zeros from now on: no carrier reaches it and nothing of a frame waits.
func (r *cc1000) silent() bool {
	s := r.S
	if s.Noise != 0 || s.Locking != 0 || s.Fill > 1 || s.Fill == 1 && (s.Hiss == 0 || s.Fifo[0] != 0) {
		return false
	}
	for i := range s.Signals {
		if s.Signals[i].On != 0 {
			return false
		}
	}
	return true
}

// PassRow skips so many bytes of the Row: the microcontroller does not see them. It returns what is sent meanwhile.
func (r *cc1000) PassRow(h Host, bytes uint64) (sent Repeated) {
	s := r.S
	if s.Mode == cc1000Transmit && s.OnAir != 0 {
		out, _ := r.Modem.Shown()
		sent = Repeated{At: s.Edge + cc1000AirDelay, Span: 8 * s.Period, Bit: s.Period, Data: out, Count: bytes}
		if s.Told != 0 {
			sent.At += sent.Span
		}
	}
	s.Edge += bytes * 8 * s.Period
	s.Planned += bytes * 8 * s.Period
	h.Plan(cc1000Clock, s.Planned)
	return sent
}
