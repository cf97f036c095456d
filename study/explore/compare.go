package explore

import (
	"motehound/isa/avr"
	"motehound/mote"
	"motehound/mote/mcu"
	"motehound/study/check"
	"motehound/study/guide/input"
)

var _ check.Comparer = (*System)(nil)

// compares is the values that a mote compares, each pair once, in the order in which they come first.
type compares struct {
	list []input.Pair
	seen map[input.Pair]bool
	open input.Pair // what the next CPC belongs to
}

// mostCompared bounds the list.
const mostCompared = 4096

// Compare implements check.Comparer.
func (s *System) Compare(on bool) {
	b, err := s.wake()
	if err != nil {
		panic("BUG: a body that was made before cannot be made again: " + err.Error())
	}
	b.compares = nil
	if on {
		b.compares = &compares{seen: make(map[input.Pair]bool)}
	}
}

// Compared implements check.Comparer.
func (s *System) Compared(dst []input.Pair) []input.Pair {
	if s.body == nil || s.body.compares == nil {
		return dst
	}
	dst = append(dst, s.body.compares.list...)
	s.body.compares.list = nil
	return dst
}

// run is RunTo, instruction by instruction. Each is called behind every one.
func (x *compares) run(m *mote.Mote, until uint64, each func(*mote.Mote)) {
	c := m.Core()
	for m.Cycles() < until && m.Stopped() == mcu.Running {
		if _, asleep := m.Asleep(); !asleep {
			x.look(c)
		}
		paused := m.StepOn(until)
		each(m)
		if paused {
			return
		}
	}
}

// look notes what the next instruction compares. Values of several bytes are compared from the lowest one up.
func (x *compares) look(c *avr.Core) {
	in := c.Coming()
	a := uint32(c.R[in.D&31])
	switch in.Op {
	case avr.OpCpi, avr.OpSubi:
		x.open = input.Pair{A: a, B: in.K & 0xFF, Bytes: 1}
	case avr.OpCp, avr.OpCpse, avr.OpSub, avr.OpEor:
		x.open = input.Pair{A: a, B: uint32(c.R[in.R&31]), Bytes: 1}
	case avr.OpCpc, avr.OpSbc:
		x.more(a, uint32(c.R[in.R&31]))
	case avr.OpSbci:
		x.more(a, in.K&0xFF)
	default:
		return
	}
	if p := x.open; p.A != p.B && p.Bytes > 0 && !x.seen[p] && len(x.list) < mostCompared {
		x.seen[p] = true
		x.list = append(x.list, p)
	}
}

// more adds a byte to a comparison.
func (x *compares) more(a, b uint32) {
	if n := x.open.Bytes; n == 0 || n == 4 {
		x.open = input.Pair{}
		return
	}
	x.open.A |= a << (8 * x.open.Bytes)
	x.open.B |= b << (8 * x.open.Bytes)
	x.open.Bytes++
}
