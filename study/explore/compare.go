package explore

import (
	"motehound/isa/avr"
	"motehound/mote"
	"motehound/mote/mcu"
	"motehound/study/check"
	"motehound/study/guide/input"
)

var _ check.Comparer = (*System)(nil)

// compares is the values that a mote compares, each pair once at each place, in the order in which they come first. What counts is what a branch
// depends on.
type compares struct {
	list  []input.Pair
	seen  map[input.Pair]bool
	often map[uint32]int // by place: how many pairs were noted
	open  input.Pair     // what the next CPC belongs to, or the next branch; without bytes if it is none
	from  descents
	sides [2]descent // of the lowest bytes of A and B; without steps if they are as they were loaded, or nobody knows
}

// Bounds of the list: of loops a few rounds will do.
const (
	mostCompared   = 4096
	mostAtOnePlace = 12
)

// Compare implements check.Comparer.
func (s *System) Compare(on bool) {
	b, err := s.wake()
	if err != nil {
		panic("BUG: a body that was made before cannot be made again: " + err.Error())
	}
	b.compares = nil
	if on {
		b.compares = &compares{seen: make(map[input.Pair]bool), often: make(map[uint32]int)}
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

// theFlags are those that comparisons set.
const theFlags = 1<<(32+avr.FlagC) | 1<<(32+avr.FlagZ)

// What an operation does that comparisons depend on.
const (
	branches    = 1 << iota // by what a comparison has set
	setsFlags               // that comparisons set
	setsWorking             // working registers
)

var effects = func() (t [256]uint8) {
	for op := range t {
		in := avr.Inst{Op: avr.Op(op)}
		if flow, _ := in.Flow(); flow == avr.Branch && in.Reads()&theFlags != 0 {
			t[op] |= branches
		}
		if in.Writes()&theFlags != 0 {
			t[op] |= setsFlags
		}
		if uint32(in.Writes()) != 0 {
			t[op] |= setsWorking
		}
	}
	return t
}()

// look notes what the next instruction compares.
func (x *compares) look(c *avr.Core) {
	in := c.Coming()
	if x.from.fresh != 0 {
		x.from.load(c)
	}
	x.compare(c, in)
	if effects[in.Op]&setsWorking != 0 {
		x.from.follow(c, in)
	}
}

// compare notes what an instruction compares. Values of several bytes are compared from the lowest one up. A sum that is tested for zero compares one part
// with the other's negative.
func (x *compares) compare(c *avr.Core, in avr.Inst) {
	a, at := uint32(c.R[in.D&31]), c.PC
	switch in.Op {
	case avr.OpCpi, avr.OpSubi:
		x.begin(c, in.D, in.D, input.Pair{At: at, A: a, B: in.K & 0xFF, Bytes: 1})
		x.sides[1].n = 0
	case avr.OpCp, avr.OpSub, avr.OpEor:
		x.begin(c, in.D, in.R, input.Pair{At: at, A: a, B: uint32(c.R[in.R&31]), Bytes: 1})
	case avr.OpCpse:
		x.begin(c, in.D, in.R, input.Pair{At: at, A: a, B: uint32(c.R[in.R&31]), Bytes: 1})
		x.decide()
	case avr.OpAdd:
		x.open = input.Pair{At: at, A: a, B: uint32(-c.R[in.R&31]), Bytes: 1, Sum: true}
	case avr.OpAnd:
		x.open = input.Pair{}
		if in.D == in.R {
			x.begin(c, in.D, in.D, input.Pair{At: at, A: a, Bytes: 1})
		}
	case avr.OpAndi:
		x.bits(at, in.D, uint8(a), uint8(in.K))
	case avr.OpSbrc, avr.OpSbrs:
		was, sides := x.open, x.sides
		x.bits(at, in.D, uint8(a), in.R)
		x.decide()
		x.open, x.sides = was, sides
	case avr.OpSbiw:
		x.begin(c, in.D, in.D, input.Pair{At: at, A: a | uint32(c.R[(in.D+1)&31])<<8, B: in.K & 0xFF, Bytes: 2})
		x.sides[1].n = 0
	case avr.OpCpc, avr.OpSbc:
		x.more(a, uint32(c.R[in.R&31]))
	case avr.OpSbci:
		x.more(a, in.K&0xFF)
	default:
		if e := effects[in.Op]; e&branches != 0 {
			x.decide()
		} else if e&setsFlags != 0 {
			x.open = input.Pair{}
		}
	}
}

// begin begins a comparison of registers.
func (x *compares) begin(c *avr.Core, a, b uint8, p input.Pair) {
	x.open = p
	x.from.derived(c, a, &x.sides[0])
	x.from.derived(c, b, &x.sides[1])
}

// bits begins a test of some bits of a register: the other outcome is wanted.
func (x *compares) bits(at uint32, reg, value, mask uint8) {
	x.open = input.Pair{}
	if o := x.from.regs[reg&31]; x.from.known>>(reg&31)&1 != 0 && o.of(o.loaded) == value && o.then(avr.OpAnd, mask) {
		p := input.Pair{At: at, A: uint32(value & mask), Bytes: 1, Bits: true}
		if p.A == 0 {
			p.B = uint32(mask & -mask)
		}
		x.open, x.sides = p, [2]descent{o, {}}
	}
}

// solved finds what a byte that was loaded would have to be for the comparison to come out equal.
func (x *compares) solved(p input.Pair) input.Pair {
	if p.A>>8 != p.B>>8 || p.A == p.B || p.Sum {
		return p
	}
	for i, want := range [...]uint32{p.B, p.A} {
		if o := &x.sides[i]; o.n > 0 {
			if v, ok := o.solve(uint8(want)); ok {
				p.Loaded, p.Wanted, p.Solved = o.loaded, v, true
				return p
			}
		}
	}
	return p
}

// decide notes a comparison on which a branch depends.
func (x *compares) decide() {
	if p := x.open; p.Bytes > 0 && len(x.list) < mostCompared && x.often[p.At] < mostAtOnePlace && !x.seen[p] {
		x.seen[p] = true
		if p = x.solved(p); p.Bits && !p.Solved {
			return
		}
		x.often[p.At]++
		x.list = append(x.list, p)
	}
}

// more adds a byte to a comparison.
func (x *compares) more(a, b uint32) {
	if n := x.open.Bytes; n == 0 || n == 4 || x.open.Sum {
		x.open = input.Pair{}
		return
	}
	x.open.A |= a << (8 * x.open.Bytes)
	x.open.B |= b << (8 * x.open.Bytes)
	x.open.Bytes++
}
