package radio

import "motehound/mote/cell"

// run shifts what DCLK's edges up to now have shifted.
func (r *cc1000) run(h Host, now uint64) {
	s := r.S
	for s.Edge <= now {
		out, gone := r.Modem.Shown()
		if gone == 0 {
			r.tell(h, out)
			if now-s.Edge >= 7*s.Period {
				if s.Mode == cc1000Receive {
					out = r.takeByte(h)
				}
				r.Modem.ShiftByte(out)
				s.Edge += 8 * s.Period
				s.Told = 0
				continue
			}
		}
		// A transmitting microcontroller hears itself: DIO is one line.
		in := out.V()<<gone&0x80 != 0
		if s.Mode == cc1000Receive {
			in = r.takeBit(h)
		}
		r.Modem.ShiftBit(in)
		s.Edge += s.Period
		if gone == 7 {
			s.Told = 0
		}
	}
}

// tell puts the byte on the air whose first bit the next edge of DCLK takes. It goes out as it is even if the microcontroller resets
// its SPI before the last bit; the byte that it starts then is lost.
func (r *cc1000) tell(h Host, out cell.Cell) {
	s := r.S
	if s.Mode != cc1000Transmit || s.Told != 0 {
		return
	}
	s.Told = 1
	if s.OnAir != 0 {
		h.Emit(s.Edge+cc1000AirDelay, s.Period, out)
	}
}

// clockEvent is the first or last bit of a byte.
func (r *cc1000) clockEvent(h Host) {
	now := h.Time()
	if r.receiveByte(h, now) {
		return
	}
	if r.S.Edge <= now && r.S.Edge+7*r.S.Period > now {
		if out, gone := r.Modem.Shown(); gone == 0 {
			// The slave sees nothing of the first bit that it could not see later.
			r.tell(h, out)
			r.plan(h)
			return
		}
	}
	r.run(h, now)
	r.plan(h)
}

// receiveByte is what nearly every event is: a receiver has clocked a whole byte out, and nothing else.
func (r *cc1000) receiveByte(h Host, now uint64) bool {
	s := r.S
	if s.Mode != cc1000Receive || now < s.Edge+7*s.Period || now >= s.Edge+8*s.Period {
		return false
	}
	if _, gone := r.Modem.Shown(); gone != 0 {
		return false
	}
	r.Modem.ShiftByte(r.takeByte(h))
	s.Edge += 8 * s.Period
	s.Told = 0
	s.Planned = s.Edge + 7*s.Period
	h.Plan(cc1000Clock, s.Planned)
	return true
}

// plan asks for the event at which the slave's byte is complete or, when transmitting, begins.
func (r *cc1000) plan(h Host) {
	s := r.S
	at := uint64(Never)
	if s.Edge != Never {
		at = s.Edge
		if _, gone := r.Modem.Shown(); s.Mode != cc1000Transmit || gone != 0 || s.Told != 0 {
			at += uint64(7-gone) * s.Period
		}
	}
	if at != s.Planned {
		s.Planned = at
		h.Plan(cc1000Clock, at)
	}
}
