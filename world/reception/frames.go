package reception

import (
	"slices"

	"motehound/mote/digest"
	"motehound/mote/radio"
	"motehound/world/medium"
)

// Parser follows a frame as a mote receives it, and tells which byte of it is which. Plain data.
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

// air takes the next byte of a transmission. Offset is which byte of its frame it is, -1 for one before that, and for those of an
// acknowledgement. Look is what the frames look like; frames counts those of the mote.
func (p *Parser) air(v uint8, look *radio.Frames, frames *uint32) (offset int) {
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

// line takes the next character of a frame on a wire. Offset is which byte of the frame it is. Half tells that it is an escape: the
// next one is of the same offset.
func (p *Parser) line(v uint8, f medium.Framing, frames *uint32) (offset int, half bool) {
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

// Frames follows the frames that a mote receives, and those that it sends on the air: which one it is, and which byte of it. Acknowledgements do not
// count, nor does what the mote's radio did not listen to from its beginning.
type Frames struct {
	heard uint32
	lines []uint32 // by wire
	open  []openFrame

	sent    uint32
	sending Parser // the one under way
}

// openFrame is a frame under way: from a sender, or on a wire.
type openFrame struct {
	Parser
	from uint16
	line bool
	Pad  uint8
}

// CopyFrom makes it the same as another one.
func (f *Frames) CopyFrom(from *Frames) {
	f.heard, f.sent, f.sending = from.heard, from.sent, from.sending
	f.lines = append(f.lines[:0], from.lines...)
	f.open = append(f.open[:0], from.open...)
}

// Append feeds all of it to a digest, if there is something.
func (f *Frames) Append(d *digest.Digest) {
	if f.sent != 0 {
		d.Word(uint64(f.sent))
		digest.Struct(d, &f.sending)
	}
	if f.heard == 0 && len(f.lines) == 0 {
		return
	}
	d.Word(uint64(f.heard))
	for _, n := range f.lines {
		d.Word(uint64(n))
	}
	for i := range f.open {
		digest.Struct(d, &f.open[i])
	}
}

// Heard takes the next byte of a transmission that the mote hears; look is what frames look like. Offset is which byte of its frame it
// is; -1 for one before that, and for those of an acknowledgement.
func (f *Frames) Heard(x *Item, look *radio.Frames) (p *Parser, offset int) {
	p = f.frame(x.Sender, false)
	return p, p.air(x.Data.V(), look, &f.heard)
}

// Send begins a transmission of the mote itself.
func (f *Frames) Send() { f.sending = Parser{} }

// Sent is Heard for a byte that the mote sends.
func (f *Frames) Sent(v uint8, look *radio.Frames) (p *Parser, offset int) {
	return &f.sending, f.sending.air(v, look, &f.sent)
}

// Came takes the next character of a frame on a wire. Offset is which byte of the frame it is. Half tells that it is an escape: the next one is
// of the same offset.
func (f *Frames) Came(x *Char, framing medium.Framing) (p *Parser, offset int, half bool) {
	for len(f.lines) <= int(x.Wire) {
		f.lines = append(f.lines, 0)
	}
	p = f.frame(x.Wire, true)
	offset, half = p.line(x.Data.V(), framing, &f.lines[x.Wire])
	return p, offset, half
}

func (f *Frames) frame(from uint16, line bool) *Parser {
	for i := range f.open {
		if o := &f.open[i]; o.from == from && o.line == line {
			return &o.Parser
		}
	}
	f.open = append(f.open, openFrame{from: from, line: line})
	return &f.open[len(f.open)-1].Parser
}

// End ends a frame: from a sender, or on a wire.
func (f *Frames) End(from uint16, line bool) {
	f.open = slices.DeleteFunc(f.open, func(o openFrame) bool { return o.from == from && o.line == line })
}
