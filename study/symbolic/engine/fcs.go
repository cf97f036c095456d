package engine

import (
	"slices"

	"motehound/mote/cell"
	"motehound/mote/radio"
	"motehound/study/symbolic/core"
)

// A radio that makes a frame's check sequence works it out of the values of the bytes that it sends. A receiver whose inputs are others has other
// values of the symbolic bytes, and would find the sequence wrong. What holds for all inputs is that it is right if the sender made it
// right; so it is made right for the receiver's values too. And states whose frames differ in nothing but that send the same.

// fcs is how far a frame has come. Bytes is empty before its length.
type fcs struct {
	found bool // the delimiter
	bytes []byteOf
}

// byteOf is a byte as it was sent, and as it is here.
type byteOf struct {
	sent uint8
	here cell.Cell
}

// next takes the next byte. It tells whether it is part of a check sequence that is right, of a frame in which something is symbolic.
func (f *fcs) next(look *radio.Frames, sent uint8, c cell.Cell) (right bool) {
	if !f.found {
		f.found = look.Check != nil && c == cell.Of(look.Delimiter)
		return false
	}
	f.bytes = append(slices.Clip(f.bytes), byteOf{sent, c})
	body, part := f.body(look)
	if body == nil || c.Expr() != 0 {
		return false
	}
	sum, symbolic := uint16(0), false
	for _, b := range body {
		symbolic = symbolic || b.here.Expr() != 0
		sum = look.Check(sum, b.sent)
	}
	return symbolic && sent == uint8(sum>>part)
}

// body is what the check sequence is about, if the last byte is one of it, and which of its bits are in that.
func (f *fcs) body(look *radio.Frames) (body []byteOf, part int) {
	length := int(f.bytes[0].sent & look.LengthBits)
	at := len(f.bytes) - 1 // 0 is the length
	if length < 2 || at < length-1 || at > length {
		return nil, 0
	}
	return f.bytes[1 : length-1], 8 * (at - (length - 1))
}

// here is the last byte, part of a check sequence, as it is right for a node's values.
func (f *fcs) here(n *node) cell.Cell {
	look := n.Look()
	body, part := f.body(look)
	sum := uint16(0)
	for _, b := range body {
		sum = look.Check(sum, n.s.Revalued(b.here).V())
	}
	return cell.Of(uint8(sum >> part))
}

// follows takes what a node sends, with the value that its radio sent, and reports whether it is part of a check sequence that is right whatever
// the inputs are.
func (n *node) follows(o *core.Output, sent uint8) bool {
	switch o.Kind {
	case core.CarrierOn:
		n.airing = fcs{}
	case core.AirByte:
		return n.airing.next(n.Look(), sent, o.Data)
	}
	return false
}
