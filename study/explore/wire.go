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

// wired is a wire to a mote. What becomes of a frame is decided with its first character.
type wired struct {
	reception.Line
	taped []char // what has come of the frame, if it is to come twice; never changed in place
}

func (w *wired) appendTo(d *digest.Digest) {
	flags := uint64(len(w.taped)) << 8
	for n, on := range [...]bool{true, w.Fate == reception.Lost, w.Fate.Returns()} {
		if w.InFrame && on {
			flags |= 1 << n
		}
	}
	d.Word(flags)
	for _, c := range w.taped {
		d.Word(uint64(c.Data))
	}
}

// delimits tells whether a character is the one that ends frames.
func (s *System) delimits(c world.Char) bool {
	f := s.sh.cfg.Net.Wires[c.Wire].Framing
	end, _ := f.Escapes()
	return f != medium.NoFraming && c.Data.V() == end
}

// next takes the next character of the frame that is under way.
func (s *System) next(w *wired, c world.Char) (cell.Cell, bool) {
	return w.Next(c.Data, s.sh.cfg.Net.Wires[c.Wire].Framing, s.delimits(c), reception.Flip)
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
		if x.wires[n].Begins(s.delimits(c.Char)) {
			fates = s.fates(s.onWire(c.Char, o.now))
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
	return reception.OnWire(s.sh.cfg.Net, c.Wire, medium.End{Mote: c.To, USART: c.USART}, now)
}

// character has a character reach a mote over a wire, or the frame that begins with it meet its fate.
func (s *System) character(i int, x *seat, o *outlook, e check.Event) bool {
	n := slices.Index(s.sh.motes[i].wires, int(e.Source-wireSource))
	w := &x.wires[n]
	c := x.lines[n][0]
	if w.Begins(s.delimits(c.Char)) {
		fate, fates := reception.Fate(e.Option), s.fates(s.onWire(c.Char, o.now))
		s.charge(fates.Fault(fate))
		w.Begin(reception.Decision{Fate: fate, Wrong: corruptBit})
		if fate == reception.Lost {
			s.lose(x, n)
			return true
		}
	}
	x.lines[n] = x.lines[n][1:]
	if w.InFrame {
		if w.Fate.Returns() {
			w.taped = append(slices.Clip(w.taped), c)
		}
		var ends bool
		if c.Data, ends = s.next(w, c.Char); ends {
			x.lines[n] = append(freed(w.taped), x.lines[n]...)
			w.taped = nil
		}
	}
	return s.feed(i, x, o, c.USART, func() uint64 { return s.body.w.Feed(i, c.USART, c.Data, o.chars[c.USART&3]) })
}

// lose forgets what has come of a frame, up to its end. The rest is forgotten when it comes.
func (s *System) lose(x *seat, n int) {
	for at, c := range x.lines[n] {
		if _, ends := s.next(&x.wires[n], c.Char); ends {
			x.lines[n] = x.lines[n][at+1:]
			return
		}
	}
	x.lines[n] = nil
}

// queue puts a character that was sent on its way, if it is not of a frame that was lost.
func (s *System) queue(x *seat, n int, c char) {
	if w := &x.wires[n]; w.InFrame && w.Fate == reception.Lost {
		s.next(w, c.Char)
		return
	}
	x.lines[n] = append(slices.Clip(x.lines[n]), c)
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
