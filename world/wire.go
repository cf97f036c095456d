package world

import (
	"motehound/mote"
	"motehound/mote/cell"
	"motehound/mote/digest"
	"motehound/mote/periph"
	"motehound/world/medium"
	"motehound/world/reception"
)

// lineItem is a character on its way to a mote's USART. Plain data.
type lineItem struct {
	at    uint64 // when the receiver is told
	start uint64 // when its start bit reaches the receiver
	bit   uint64
	data  cell.Cell
	wire  uint16
	usart uint8
	flags uint8 // 1 ninth bit, 2 break
	form  periph.SerialFormat
	told  uint8 // 1 for a character of a duplicated frame: its fate is decided
	Pad   [4]uint8
}

// lineState is a wire's direction towards a mote: the frame that is under way on it.
type lineState struct {
	free    uint64 // when the line is free for the next character
	bytes   uint32
	corrupt uint32
	wire    uint16
	inFrame bool
	fate    reception.Fate
	Pad     [4]uint8
}

// lines is what a world keeps of the wires that lead to a mote.
type lines struct {
	inbox []lineItem // sorted by (at, wire)
	taped []lineItem
	each  []lineState
}

func (l *lines) copyFrom(from *lines) {
	l.inbox = append(l.inbox[:0], from.inbox...)
	l.taped = append(l.taped[:0], from.taped...)
	l.each = append(l.each[:0], from.each...)
}

func (l *lines) appendState(d *digest.Digest) {
	for _, list := range [][]lineItem{l.inbox, l.taped} {
		d.Word(uint64(len(list)))
		for i := range list {
			digest.Struct(d, &list[i])
		}
	}
	for i := range l.each {
		digest.Struct(d, &l.each[i])
	}
}

func (l *lines) insert(x lineItem) {
	i := len(l.inbox)
	for i > 0 && (l.inbox[i-1].at > x.at || l.inbox[i-1].at == x.at && l.inbox[i-1].wire > x.wire) {
		i--
	}
	l.inbox = append(l.inbox, lineItem{})
	copy(l.inbox[i+1:], l.inbox[i:])
	l.inbox[i] = x
}

func (l *lines) pop() lineItem {
	x := l.inbox[0]
	l.inbox = append(l.inbox[:0], l.inbox[1:]...)
	return x
}

// wirePromise is the earliest moment at which others can notice what a mote sends on its wires from next on.
func (w *World) wirePromise(i int, next uint64) uint64 {
	for _, x := range w.cfg.Net.Wires {
		if x.A.Mote == i || x.B.Mote == i {
			return next + reception.WireLatency
		}
	}
	return medium.Never
}

// Starting implements mote.Env: a mote's USART begins to send a character.
func (e env) Starting(m *mote.Mote, usart uint8, c periph.SerialChar) {
	w := e.w
	if w.cfg.Net == nil {
		return
	}
	boot := w.per[e.i].boot
	for n, x := range w.cfg.Net.Wires {
		to := x.B
		if x.A != (medium.End{Mote: e.i, USART: usart}) {
			if x.B != (medium.End{Mote: e.i, USART: usart}) {
				continue
			}
			to = x.A
		}
		item := lineItem{start: boot + c.Start, bit: c.BitTime, data: c.Data, wire: uint16(n), usart: to.USART, form: c.Format}
		if w.guided {
			w.chars = append(w.chars, Char{From: e.i, To: to.Mote, USART: to.USART, Wire: n, Data: c.Data, Format: c.Format, BitTime: c.BitTime})
			continue
		}
		if c.Ninth {
			item.flags |= 1
		}
		if c.Break {
			item.flags |= 2
		}
		item.at = max(item.start+8*c.BitTime, boot+m.Time()+reception.WireLatency)
		if item.at >= w.per[to.Mote].boot {
			w.per[to.Mote].lines.insert(item)
			w.planLines(to.Mote)
		}
	}
}

func (w *World) planLines(i int) {
	at := uint64(medium.Never)
	if in := w.per[i].lines.inbox; len(in) > 0 {
		at = max(in[0].at, w.per[i].boot) - w.per[i].boot
	}
	w.motes[i].PlanLines(at)
	w.stale(i)
}

// Lines implements mote.Env: a character reaches one of a mote's USARTs over a wire.
func (e env) Lines(m *mote.Mote) {
	w, l := e.w, &e.w.per[e.i].lines
	now := w.per[e.i].boot + m.Time()
	for len(l.inbox) > 0 && l.inbox[0].at <= now {
		if w.turns.mustWait(e.i, l.inbox[0].at) {
			m.Pause()
			break
		}
		w.lineChar(e.i, m, l.pop())
	}
	w.planLines(e.i)
}

// lineChar passes a character on, as the fate of its frame wants it.
func (w *World) lineChar(i int, m *mote.Mote, x lineItem) {
	l := &w.per[i].lines
	s := l.state(x.wire)
	wire := &w.cfg.Net.Wires[x.wire]
	if x.told == 1 {
		w.give(i, m, s, x)
		return
	}
	delimiter := wire.Framing == medium.SLIP && x.data.V() == 0xC0 || wire.Framing == medium.HDLC && x.data.V() == 0x7E
	if !s.inFrame {
		if delimiter {
			w.give(i, m, s, x) // between frames
			return
		}
		w.beginFrame(i, s, x, wire)
	}
	if len(w.cfg.Edits) > 0 && !delimiter && s.fate != reception.Lost && !w.per[i].off {
		var gone bool
		if x.data, gone = w.editLine(i, x, wire.Framing); gone {
			return
		}
	}
	if s.fate >= reception.Duplicated {
		l.taped = append(l.taped, x)
	}
	if s.fate == reception.Corrupted && s.bytes == s.corrupt/8 && !delimiter {
		x.data = cell.Of(x.data.V() ^ 1<<(s.corrupt%8))
	}
	s.bytes++
	if s.fate != reception.Lost && s.fate < reception.Delayed {
		w.give(i, m, s, x)
	}
	if delimiter || wire.Framing == medium.NoFraming {
		s.inFrame = false
		w.per[i].edits.end(x.wire, true)
		switch {
		case s.fate == reception.Delayed:
			w.giveAgain(i, s, x.wire, max(s.free, x.start)+uint64(s.corrupt)*Microsecond)
		case s.fate == reception.Duplicated || s.fate != reception.Reordered && len(l.taped) > 0:
			w.giveAgain(i, s, x.wire, s.free)
		}
		w.decide(i, m, x.at)
	}
}

func (l *lines) state(wire uint16) *lineState {
	for i := range l.each {
		if l.each[i].wire == wire {
			return &l.each[i]
		}
	}
	l.each = append(l.each, lineState{wire: wire})
	return &l.each[len(l.each)-1]
}

// beginFrame decides a frame's fate.
func (w *World) beginFrame(i int, s *lineState, x lineItem, wire *medium.Wire) {
	s.inFrame, s.bytes, s.fate = true, 0, reception.Delivered
	if w.per[i].off {
		return
	}
	from := wire.A
	if from == (medium.End{Mote: i, USART: x.usart}) {
		from = wire.B
	}
	s.fate = w.fate(ChoiceWire, reception.Question{From: from.Mote, To: i, Wire: int(x.wire), At: x.at, Loss: wire.Loss})
	switch s.fate {
	case reception.Corrupted:
		s.corrupt = w.ask(i, ChoiceCorruption, reception.CorruptBits)
	case reception.Delayed:
		s.corrupt = uint32(w.span / Microsecond)
	}
}

// give puts a character on the receiver's line, or has it wait while the line is busy with a duplicate.
func (w *World) give(i int, m *mote.Mote, s *lineState, x lineItem) {
	boot := w.per[i].boot
	if x.told == 0 {
		x.start, x.told = max(x.start, s.free), 1
		s.free = x.start + x.bit*uint64(x.form.Bits())
		if x.start > boot+m.Time() {
			x.at = x.start + 8*x.bit
			w.per[i].lines.insert(x)
			return
		}
	}
	if w.per[i].off {
		return
	}
	m.Receive(x.usart, periph.SerialChar{Start: x.start - boot, BitTime: x.bit, Data: x.data,
		Ninth: x.flags&1 != 0, Break: x.flags&2 != 0, Format: x.form})
}

// giveAgain sends taped frames once more, from a moment on.
func (w *World) giveAgain(i int, s *lineState, wire uint16, at uint64) {
	l := &w.per[i].lines
	kept := l.taped[:0]
	for _, x := range l.taped {
		if x.wire != wire {
			kept = append(kept, x)
			continue
		}
		x.start, x.at, x.told = at, at+8*x.bit, 1
		at += x.bit * uint64(x.form.Bits())
		l.insert(x)
	}
	l.taped = kept
	s.free = at
}
