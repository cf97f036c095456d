package memory

import "motehound/isa/avr"

// What arithmetic makes of tags. A pointer and a number make a pointer, two pointers into one object make a number: their
// distance. Some code (strlen) gets that by adding a complement.
//
// A constant may be a number that only looks like an address. Where two have a tag, the likelier pointer wins; a wrong guess is
// caught where it is used: see judge. It may also be two numbers of a byte each, in neighbouring registers. One of them that is
// widened to an index has no tag in its upper half: that tells it from a pointer.

// noPair says that an operation has no upper half: it is one itself, or of a single byte.
const noPair = 0

// upper is the register with the upper half of what an ADD adds or a SUB subtracts, if the operation goes on with an ADC or SBC.
// Those may go on as well, in longer numbers, but are upper halves themselves.
func (b *compiler) upper(pc uint32, in avr.Inst, with avr.Op) uint16 {
	if hi, ok := b.code.behind(pc); ok && in.Op != with {
		if h := b.code.program.At(hi); h.Op == with && h.D == in.D+1 && h.R != h.D {
			return uint16(h.R)
		}
	}
	return noPair
}

// sum is the tag of the sum of two that have one.
func (t *table) sum(a, b uint16) uint16 {
	if a&tagMinus != b&tagMinus {
		if t.together(a&^tagMinus, b&^tagMinus) {
			return tagNone
		}
		return tagMixed
	}
	ra, rb := t.rank(a), t.rank(b)
	switch {
	case ra > rb:
		return a
	case rb > ra:
		return b
	}
	return tagMixed
}

// alone tells that a byte's tag is no pointer's, since the byte above it, in register upper, has none. The stack pointer's is
// never in doubt.
func (m *tracker) alone(tag, upper uint16) bool { return m.reg[upper&31] == tagNone && tag != tagSP }

// sum is the tag of the sum of two bytes that have one.
func (m *tracker) sum(o *op, a, b uint16) uint16 {
	if o.k != noPair {
		switch indexA, indexB := m.alone(a, uint16(o.d)+1), m.alone(b, o.k); {
		case indexB && !indexA:
			return a
		case indexA && !indexB:
			return b
		}
	}
	return m.t.sum(a, b)
}

// difference is the tag of d less a byte that has one. A pointer less a byte that is widened with r1 stays what it is. With any
// other upper half the byte may be a pointer's whose upper half has lost its tag: then the rest is a distance.
func (m *tracker) difference(o *op, b uint16) uint16 {
	a := m.reg[o.d&31]
	if o.k == zeroReg && a != tagNone {
		return a
	}
	return m.t.difference(a, b)
}

// difference is the tag of one value, which may have none, less one that has one.
func (t *table) difference(a, b uint16) uint16 {
	switch {
	case a == tagNone:
		return negated(b)
	case t.together(a, b):
		return tagNone
	case t.rank(a) == sure && t.rank(b) < sure:
		return a
	}
	return tagMixed
}

// lessConstant is the tag of a value less a number that looks like an address.
func (t *table) lessConstant(a, v uint16) uint16 {
	if a < tagFirst || t.rank(a) == sure {
		return a
	}
	if o := t.object(a); o != nil && v >= o.lo && v <= o.hi {
		return tagNone
	}
	return tagMixed
}

// negated is the tag of a complement, or of what is subtracted from a number.
func negated(a uint16) uint16 {
	switch {
	case a == tagNone:
		return tagNone
	case a < tagFirst:
		return tagMixed
	}
	return a ^ tagMinus
}

// together tells that two pointers are into one object.
func (t *table) together(a, b uint16) bool {
	if a < tagFirst || b < tagFirst {
		return false
	}
	o := t.object(a)
	return a == b || o != nil && o == t.object(b)
}

// object is what a constant points into; nil if that is not known.
func (t *table) object(tag uint16) *object {
	if n := int(tag) - tagFirst; n >= 0 && n < len(t.constants) {
		return find(t.objects, t.constants[n].v)
	}
	return nil
}

const sure = 3 // rank of what is a pointer without doubt

// rank is how likely a tag is a pointer's.
func (t *table) rank(tag uint16) int {
	switch n := int(tag&^tagMinus) - tagFirst; {
	case tag == tagNone:
		return 0
	case tag == tagMixed:
		return sure + 1 // stays what it is
	case tag == tagSP || n >= len(t.constants) || t.constants[n].owner != nil:
		return sure
	case t.constants[n].start:
		return 2
	}
	return 1
}
