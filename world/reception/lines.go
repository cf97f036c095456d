package reception

import (
	"motehound/mote/cell"
	"motehound/mote/digest"
	"motehound/mote/periph"
	"motehound/world/medium"
)

// Char is a character on its way to a mote's USART. Plain data.
type Char struct {
	At    uint64 // when the receiver is told
	Start uint64 // when its start bit reaches the receiver
	bit   uint64
	Data  cell.Cell
	Wire  uint16
	USART uint8
	flags uint8 // 1 ninth bit, 2 break
	form  periph.SerialFormat
	again uint8 // 1 for one of a frame that comes later, or that has waited: its fate is decided
	Pad   [4]uint8
}

// NewChar is a character that a mote puts on a wire to one of its ends, with its beginning and the moment at which that is known.
func NewChar(c periph.SerialChar, wire int, to medium.End, start, known uint64) Char {
	x := Char{Start: start, bit: c.BitTime, Data: c.Data, Wire: uint16(wire), USART: to.USART, form: c.Format}
	if c.Ninth {
		x.flags |= 1
	}
	if c.Break {
		x.flags |= 2
	}
	x.At = max(x.told(), known+WireLatency)
	return x
}

// told is when a receiver is told of a character if nothing takes longer: before its last bits it can know nothing of it.
func (x *Char) told() uint64 { return x.Start + 8*x.bit }

// span is how long a character takes.
func (x *Char) span() uint64 { return x.bit * uint64(x.form.Bits()) }

// Serial is the character as a USART receives it, by the clock of a mote that was switched on at a moment.
func (x *Char) Serial(boot uint64) periph.SerialChar {
	return periph.SerialChar{Start: x.Start - boot, BitTime: x.bit, Data: x.Data, Ninth: x.flags&1 != 0, Break: x.flags&2 != 0, Format: x.form}
}

// Line is a wire's direction towards a mote: the frame that is under way on it.
type Line struct {
	free    uint64 // when the line is free for the next character
	bytes   uint32
	detail  uint32 // of Corrupted: the wrong bit; of Delayed: by how many microseconds
	Wire    uint16
	InFrame bool
	Fate    Fate
	Pad     [4]uint8
}

// Begins reports whether the next character is the first one of a frame, given whether it is a delimiter.
func (l *Line) Begins(delimits bool) bool { return !l.InFrame && !delimits }

// Begin begins a frame.
func (l *Line) Begin(d Decision) {
	l.InFrame, l.bytes, l.Fate = true, 0, d.Fate
	if d.Fate == Corrupted || d.Fate == Delayed {
		l.detail = d.detail(0)
	}
}

// Next takes the next character of the frame, as it comes. It reports whether the frame ends with it.
func (l *Line) Next(c cell.Cell, f medium.Framing, delimits bool, by func(c cell.Cell, wrong, i uint32) cell.Cell) (_ cell.Cell, ends bool) {
	if l.Fate == Corrupted && !delimits {
		c = flip(by, c, l.detail, l.bytes, 0)
	}
	l.bytes++
	ends = delimits || f == medium.NoFraming
	l.InFrame = !ends
	return c, ends
}

// Lines is what is on its way to a mote over wires, and what has come of it.
type Lines struct {
	Inbox []Char // sorted by (At, Wire)
	taped []Char
	each  []Line
	now   Char // the one that is being taken; no state
}

// Port is a mote's USARTs as characters reach them over wires, and whoever decides what becomes of frames there.
type Port interface {
	Powered() bool
	Now() uint64 // picoseconds since the start
	Framing(wire uint16) medium.Framing
	// Delimits reports whether a character is the one that ends frames.
	Delimits(c cell.Cell, end uint8) bool
	// FrameFate decides what becomes of a frame that begins with a character.
	FrameFate(x *Char) Decision
	// EditChar may change a character of a frame, before anything befalls it, or drop it.
	EditChar(x *Char) (gone bool)
	// Flip is byte number i of those of a corrupted frame that can be wrong, as Decision.Wrong wants it.
	Flip(c cell.Cell, wrong, i uint32) cell.Cell
	// Receive has the USART receive a character.
	Receive(x *Char)
	// FrameEnds is notified when a frame on a wire has ended: a moment at which power may fail.
	FrameEnds(wire uint16, at uint64)
}

// CopyFrom makes it the same as another one.
func (l *Lines) CopyFrom(from *Lines) {
	l.Inbox = append(l.Inbox[:0], from.Inbox...)
	l.taped = append(l.taped[:0], from.taped...)
	l.each = append(l.each[:0], from.each...)
}

// Append feeds all of it to a digest.
func (l *Lines) Append(d *digest.Digest) {
	for _, list := range [][]Char{l.Inbox, l.taped} {
		d.Word(uint64(len(list)))
		for i := range list {
			digest.Struct(d, &list[i])
		}
	}
	for i := range l.each {
		digest.Struct(d, &l.each[i])
	}
}

// Insert puts a character into its place.
func (l *Lines) Insert(x Char) {
	i := len(l.Inbox)
	for i > 0 && (l.Inbox[i-1].At > x.At || l.Inbox[i-1].At == x.At && l.Inbox[i-1].Wire > x.Wire) {
		i--
	}
	l.Inbox = append(l.Inbox, Char{})
	copy(l.Inbox[i+1:], l.Inbox[i:])
	l.Inbox[i] = x
}

// line is the direction of a wire towards the mote.
func (l *Lines) line(wire uint16) *Line {
	for i := range l.each {
		if l.each[i].Wire == wire {
			return &l.each[i]
		}
	}
	l.each = append(l.each, Line{Wire: wire})
	return &l.each[len(l.each)-1]
}

// Asks reports whether a fate is to be decided before a character is taken.
func (l *Lines) Asks(x *Char, p Port) bool {
	s := l.line(x.Wire)
	return x.again == 0 && !s.InFrame && p.Powered() && s.Begins(delimits(x, p))
}

func delimits(x *Char, p Port) bool {
	f := p.Framing(x.Wire)
	end, _ := f.Escapes()
	return f != medium.NoFraming && p.Delimits(x.Data, end)
}

// Take takes the first character out and passes it on, as the fate of its frame wants it.
func (l *Lines) Take(p Port) {
	x := &l.now
	*x = l.Inbox[0]
	l.Inbox = append(l.Inbox[:0], l.Inbox[1:]...)
	s := l.line(x.Wire)
	delimiter := x.again == 0 && delimits(x, p)
	if x.again == 1 || delimiter && !s.InFrame { // between frames
		l.give(s, x, p)
		return
	}
	if !s.InFrame {
		var d Decision
		if p.Powered() {
			d = p.FrameFate(x)
		}
		s.Begin(d)
	}
	if !delimiter && s.Fate != Lost && p.Powered() && p.EditChar(x) {
		return
	}
	if s.Fate.Returns() {
		l.taped = append(l.taped, *x)
	}
	var ends bool
	x.Data, ends = s.Next(x.Data, p.Framing(x.Wire), delimiter, p.Flip)
	start, at := x.Start, x.At
	if s.Fate.comes() {
		l.give(s, x, p)
	}
	if ends {
		l.end(s, start)
		p.FrameEnds(x.Wire, at)
	}
}

// end has frames come later that were kept for the end of another one, whose last character began at a moment.
func (l *Lines) end(s *Line, start uint64) {
	switch {
	case s.Fate == Delayed:
		l.giveAgain(s, max(s.free, start)+uint64(s.detail)*microsecond)
	case s.Fate == Duplicated || s.Fate != Reordered && len(l.taped) > 0:
		l.giveAgain(s, s.free)
	}
}

// give puts a character on the receiver's line, or has it wait while the line is busy with another frame.
func (l *Lines) give(s *Line, x *Char, p Port) {
	if x.again == 0 {
		x.Start, x.again = max(x.Start, s.free), 1
		s.free = x.Start + x.span()
		if x.Start > p.Now() {
			x.At = x.told()
			l.Insert(*x)
			return
		}
	}
	if p.Powered() {
		p.Receive(x)
	}
}

// giveAgain sends taped frames once more, from a moment on.
func (l *Lines) giveAgain(s *Line, at uint64) {
	kept := l.taped[:0]
	for _, x := range l.taped {
		if x.Wire != s.Wire {
			kept = append(kept, x)
			continue
		}
		x.Start, x.again = at, 1
		x.At = x.told()
		at += x.span()
		l.Insert(x)
	}
	l.taped, s.free = kept, at
}
