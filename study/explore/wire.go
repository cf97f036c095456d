package explore

import (
	"slices"

	"motehound/mote/cell"
	"motehound/mote/digest"
	"motehound/study/check"
	"motehound/world"
	"motehound/world/medium"
	"motehound/world/reception"
)

// wired is where a wire to a mote is in the frame that comes over it. What becomes of a frame is decided with its first character.
type wired struct {
	inside bool         // a frame
	gone   bool         // the rest of it is lost
	taped  []world.Char // what has come of it, if it is to come twice; never changed in place
	again  bool         // it is to come twice
}

func (w *wired) appendTo(d *digest.Digest) {
	flags := uint64(len(w.taped)) << 8
	for n, on := range [...]bool{w.inside, w.gone, w.again} {
		if on {
			flags |= 1 << n
		}
	}
	d.Word(flags)
	for _, c := range w.taped {
		d.Word(uint64(c.Data))
	}
}

// ends tells whether a character ends a frame.
func (s *System) ends(c world.Char) bool {
	switch s.sh.cfg.Net.Wires[c.Wire].Framing {
	case medium.SLIP:
		return c.Data.V() == 0xC0
	case medium.HDLC:
		return c.Data.V() == 0x7E
	}
	return true
}

// starts tells whether a character would be the first of a frame: its fate is open.
func (s *System) starts(w *wired, c world.Char) bool {
	return !w.inside && (s.sh.cfg.Net.Wires[c.Wire].Framing == medium.NoFraming || !s.ends(c))
}

// overWires appends the characters that can reach a mote.
func (s *System) overWires(i int, o *outlook, dst []check.Event) []check.Event {
	x, info := &s.seats[i], &s.sh.motes[i]
	for n, line := range x.lines {
		if len(line) == 0 {
			continue
		}
		c := line[0]
		if !o.fits(o.chars[c.USART&3]) || s.unread(i, c.USART, o) {
			continue
		}
		e := check.Event{Mote: int16(i), Class: check.Frame, Source: wireSource + uint16(info.wires[n])}
		fates := world.Fates{Allowed: 1 << reception.Delivered}
		if s.starts(&x.wires[n], c) {
			fates = s.fates(s.onWire(c, o.now))
		}
		for fate := range reception.NumFates {
			if fates.Allows(fate) {
				e.Option = uint8(fate)
				dst = append(dst, e)
			}
		}
	}
	return dst
}

// onWire asks what becomes of the frame that begins with a character.
func (s *System) onWire(c world.Char, now uint64) reception.Question {
	return reception.Question{From: c.From, To: c.To, Wire: c.Wire, At: now, Loss: s.sh.cfg.Net.Wires[c.Wire].Loss}
}

// character has a character reach a mote over a wire, or the frame that begins with it meet its fate.
func (s *System) character(i int, x *seat, o *outlook, e check.Event) bool {
	n := slices.Index(s.sh.motes[i].wires, int(e.Source-wireSource))
	w := &x.wires[n]
	c := x.lines[n][0]
	if s.starts(w, c) {
		w.inside = true
		fates := s.fates(s.onWire(c, o.now))
		s.charge(fates.Fault(reception.Fate(e.Option)))
		switch reception.Fate(e.Option) {
		case reception.Lost:
			s.lose(x, n)
			return true
		case reception.Corrupted:
			c.Data = cell.Of(c.Data.V() ^ 1<<corruptBit)
		case reception.Duplicated:
			w.again = true
		}
	}
	x.lines[n] = x.lines[n][1:]
	if w.again {
		w.taped = append(slices.Clip(w.taped), c)
	}
	if w.inside && s.ends(c) {
		x.lines[n] = append(slices.Clip(w.taped), x.lines[n]...)
		*w = wired{}
	}
	return s.feed(i, x, c.USART, func() uint64 { return s.body.w.Feed(i, c.USART, c.Data) })
}

// lose forgets what has come of a frame, up to its end, and has the rest forgotten when it comes.
func (s *System) lose(x *seat, n int) {
	w := &x.wires[n]
	for at, c := range x.lines[n] {
		if s.ends(c) {
			x.lines[n] = x.lines[n][at+1:]
			*w = wired{}
			return
		}
	}
	x.lines[n] = nil
	w.gone = true
}

// queue puts a character that was sent on its way, if it is not of a frame that was lost.
func (s *System) queue(x *seat, n int, c world.Char) {
	w := &x.wires[n]
	if !w.gone {
		x.lines[n] = append(slices.Clip(x.lines[n]), c)
	} else if s.ends(c) {
		*w = wired{}
	}
}

// charge books a fault that has happened; -1 for one that costs nothing.
func (s *System) charge(fault int) {
	if fault < 0 {
		return
	}
	s.used[fault]++
	if t := s.body.track; t != nil {
		t.foot.Write(budgetResource(fault), budgetResource(fault)+1)
	}
}
