package world

import (
	"fmt"
	"slices"

	"motehound/mote"
	"motehound/mote/cell"
	"motehound/mote/digest"
	"motehound/mote/radio"
	"motehound/world/medium"
)

// Edit is a byte of a frame that reaches a mote with another value than it was sent with: how a run has inputs that the sender did not
// make. On the air it is byte Offset behind what the radio puts before a frame (radio.Frames: preamble, delimiter and length); a check
// sequence that the radio makes is made right again. On a wire with a framing, Offset counts bytes as they were before
// escapes were put in; Value must be one that needs none.
type Edit struct {
	Mote   int // that receives; or that sends, on the air, to all who hear it: then its own frames are counted
	Sent   bool
	Wire   int // an index into Net.Wires; None for the air
	Nth    int // of those that the mote's radio hears from their beginning, and that are no acknowledgements; or on the wire. Counted from 0
	Offset int
	Value  uint8
}

func (e *Edit) check(c *Config) error {
	if e.Mote < 0 || e.Mote >= len(c.Motes) {
		return fmt.Errorf("an edit is for mote %d, but there are %d", e.Mote, len(c.Motes))
	}
	if e.Wire == None {
		return nil
	}
	if e.Sent {
		return fmt.Errorf("an edit is for what mote %d sends on wire %d: say which mote receives it", c.Motes[e.Mote].ID, e.Wire)
	}
	if c.Net == nil || e.Wire < 0 || e.Wire >= len(c.Net.Wires) {
		return fmt.Errorf("an edit is for wire %d, which is not there", e.Wire)
	}
	w := c.Net.Wires[e.Wire]
	if w.A.Mote != e.Mote && w.B.Mote != e.Mote {
		return fmt.Errorf("an edit is for wire %d to mote %d, where that wire does not lead", e.Wire, c.Motes[e.Mote].ID)
	}
	if end, escape := w.Framing.Escapes(); w.Framing != medium.NoFraming && (e.Value == end || e.Value == escape) {
		return fmt.Errorf("an edit puts %#x on a wire, which a frame cannot have in it without an escape", e.Value)
	}
	return nil
}

// Parser follows a frame as a mote receives it, and tells which byte of it is which: it is where Edits count. Plain data.
type Parser struct {
	at      uint16 // bytes so far, from where offsets count
	length  uint8  // of the frame, if it says so
	stage   uint8
	nth     uint32
	sent    uint16 // the check sequence of what was sent
	here    uint16 // and of what is received
	escaped bool
	ack     bool
	counted bool
	changed bool
}

// Stages of a Parser.
const (
	preamble = iota
	lengthNext
	inside
)

// Air takes the next byte of a transmission. Offset is which byte of its frame it is, -1 for one before that, and for those of an
// acknowledgement. Look is what the frames look like; frames counts those of the mote.
func (p *Parser) Air(v uint8, look *radio.Frames, frames *uint32) (offset int) {
	switch {
	case p.stage == preamble && look.LengthBits != 0:
		if v == look.Delimiter {
			p.stage = lengthNext
		}
		return -1
	case p.stage == lengthNext:
		p.stage, p.length = inside, v&look.LengthBits
		return -1
	case p.stage == preamble:
		if look.InPreamble(v) {
			return -1
		}
		p.stage = inside
	}
	if !p.counted {
		p.counted = true
		if p.ack = look.IsAck(v); !p.ack {
			p.nth = *frames
			*frames++
		}
	}
	p.at++
	if p.ack {
		return -1
	}
	return int(p.at) - 1
}

// Line takes the next character of a frame on a wire. Offset is which byte of the frame it is. Half tells that it is an escape: the
// next one is of the same offset.
func (p *Parser) Line(v uint8, f medium.Framing, frames *uint32) (offset int, half bool) {
	if !p.counted {
		p.counted, p.nth = true, *frames
		*frames++
	}
	if _, escape := f.Escapes(); f != medium.NoFraming && v == escape && !p.escaped {
		p.escaped = true
		return int(p.at), true
	}
	p.escaped = false
	p.at++
	return int(p.at) - 1, false
}

// Nth is which frame it is.
func (p *Parser) Nth() int { return int(p.nth) }

// Sum takes byte Offset of a frame, as it was sent and as it is received, and gives it as it is to be received: a right check
// sequence stays right.
func (p *Parser) Sum(look *radio.Frames, offset int, sent, here uint8) uint8 {
	switch left := int(p.length) - offset; {
	case look.Check == nil:
	case left > 2:
		p.changed = p.changed || sent != here
		p.sent, p.here = look.Check(p.sent, sent), look.Check(p.here, here)
	case left > 0 && p.changed && sent == here:
		if part := 8 * (2 - left); sent == uint8(p.sent>>part) {
			return uint8(p.here >> part)
		}
	}
	return here
}

// editState is what of a mote Edits need, in a world that has some.
type editState struct {
	air   uint32
	lines []uint32 // by wire
	open  []openFrame

	sent    uint32 // frames, if Edits are about those
	sending Parser // the one under way
}

// openFrame is a frame under way: from a sender, or on a wire.
type openFrame struct {
	Parser
	from uint16
	line bool
	Pad  uint8
}

func (s *editState) copyFrom(from *editState) {
	s.air = from.air
	s.lines = append(s.lines[:0], from.lines...)
	s.open = append(s.open[:0], from.open...)
	s.sent, s.sending = from.sent, from.sending
}

func (s *editState) appendState(d *digest.Digest) {
	if s.sent != 0 {
		d.Word(uint64(s.sent))
		digest.Struct(d, &s.sending)
	}
	if s.air == 0 && len(s.lines) == 0 {
		return
	}
	d.Word(uint64(s.air))
	for _, n := range s.lines {
		d.Word(uint64(n))
	}
	for i := range s.open {
		digest.Struct(d, &s.open[i])
	}
}

func (s *editState) frame(from uint16, line bool) *Parser {
	for i := range s.open {
		if f := &s.open[i]; f.from == from && f.line == line {
			return &f.Parser
		}
	}
	s.open = append(s.open, openFrame{from: from, line: line})
	return &s.open[len(s.open)-1].Parser
}

func (s *editState) end(from uint16, line bool) {
	s.open = slices.DeleteFunc(s.open, func(f openFrame) bool { return f.from == from && f.line == line })
}

// edit is what an Edit makes of a byte that a mote receives, or sends.
func (w *World) edit(mote int, sent bool, wire, nth, offset int, c cell.Cell) (cell.Cell, bool) {
	for _, e := range w.cfg.Edits {
		if e.Mote == mote && e.Sent == sent && e.Wire == wire && e.Nth == nth && e.Offset == offset {
			return cell.Of(e.Value), true
		}
	}
	return c, false
}

// editAir is a byte of a transmission as a mote hears it.
func (w *World) editAir(i int, m *mote.Mote, x *airItem) cell.Cell {
	s := &w.per[i].edits
	return w.editByte(i, false, s.frame(x.sender, false), &s.air, m, x.data)
}

// editSent is a byte of a transmission as a mote sends it.
func (w *World) editSent(i int, m *mote.Mote, data cell.Cell) cell.Cell {
	s := &w.per[i].edits
	return w.editByte(i, true, &s.sending, &s.sent, m, data)
}

// editByte is the next byte of a frame, with a check sequence that is as right as it was.
func (w *World) editByte(i int, sent bool, p *Parser, frames *uint32, m *mote.Mote, data cell.Cell) cell.Cell {
	look := m.Kind.Board.Radio.Frames
	offset := p.Air(data.V(), look, frames)
	if offset < 0 {
		return data
	}
	c, _ := w.edit(i, sent, None, p.Nth(), offset, data)
	if v := p.Sum(look, offset, data.V(), c.V()); v != c.V() {
		return cell.Of(v)
	}
	return c
}

// editLine is a character of a frame on a wire as a mote gets it. An escape is gone if what it stands before needs none.
func (w *World) editLine(i int, x lineItem, f medium.Framing) (c cell.Cell, gone bool) {
	s := &w.per[i].edits
	for len(s.lines) <= int(x.wire) {
		s.lines = append(s.lines, 0)
	}
	p := s.frame(x.wire, true)
	offset, half := p.Line(x.data.V(), f, &s.lines[x.wire])
	c, edited := w.edit(i, false, int(x.wire), p.Nth(), offset, x.data)
	if half {
		return x.data, edited
	}
	return c, false
}
