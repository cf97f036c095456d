package cfg

import (
	"motehound/firmware/image"
	"motehound/isa/avr"
	"motehound/isa/avr/lift"
)

// value is a number, which may rest on something that is not known: then it is the number for the case that all such bytes are 0.
type value struct {
	lift.Bits
	guess bool
	id    uint16 // of a byte in a register that is not known: copies have the same
}

// values is the algebra of values: that of numbers, in which a result is known if all of its operands are.
type values struct{ n lift.Numbers }

func steps(s lift.Step[value]) lift.Step[lift.Bits] {
	return lift.Step[lift.Bits]{A: s.A.Bits, B: s.B.Bits, In: s.In.Bits, Chained: s.Chained, Subtract: s.Subtract}
}

func unsure(b lift.Bits, guess bool) value { return value{Bits: b, guess: guess} }

func guessed(s lift.Step[value]) bool { return s.A.guess || s.B.guess || s.Chained && s.In.guess }

// Const implements lift.Algebra, as do the methods that follow.
func (a values) Const(width int, v uint64) value { return value{Bits: a.n.Const(width, v)} }

func (a values) Not(x value) value    { return unsure(a.n.Not(x.Bits), x.guess) }
func (a values) And(x, y value) value { return unsure(a.n.And(x.Bits, y.Bits), x.guess || y.guess) }
func (a values) Or(x, y value) value  { return unsure(a.n.Or(x.Bits, y.Bits), x.guess || y.guess) }
func (a values) Mul(x, y value) value { return unsure(a.n.Mul(x.Bits, y.Bits), x.guess || y.guess) }
func (a values) Eq(x, y value) value  { return unsure(a.n.Eq(x.Bits, y.Bits), x.guess || y.guess) }
func (a values) Concat(x, y value) value {
	return unsure(a.n.Concat(x.Bits, y.Bits), x.guess || y.guess)
}

func (a values) Xor(x, y value) value { return unsure(a.n.Xor(x.Bits, y.Bits), x.guess || y.guess) }

func (a values) Extract(x value, high, low int) value {
	return unsure(a.n.Extract(x.Bits, high, low), x.guess)
}
func (a values) SExt(x value, width int) value { return unsure(a.n.SExt(x.Bits, width), x.guess) }

func (a values) Value(s lift.Step[value]) value    { return unsure(a.n.Value(steps(s)), guessed(s)) }
func (a values) Carry(s lift.Step[value]) value    { return unsure(a.n.Carry(steps(s)), guessed(s)) }
func (a values) Overflow(s lift.Step[value]) value { return unsure(a.n.Overflow(steps(s)), guessed(s)) }
func (a values) Sign(s lift.Step[value]) value     { return unsure(a.n.Sign(steps(s)), guessed(s)) }
func (a values) Half(s lift.Step[value]) value     { return unsure(a.n.Half(steps(s)), guessed(s)) }

// What the machine keeps of the stack: as much as is pushed to jump by RET.
const (
	stackTop  = 0x8000 // any address will do
	stackKept = 8
)

// machine executes a few instructions without knowing what came before. It is plain data, so a copy is a snapshot.
type machine struct {
	values
	im    *image.Image
	regs  [32]value
	flags [avr.NumFlags]lift.Lazy[value]
	sp    value
	stack [stackKept]value // stack[i] is at stackTop-i
	rampz value
	eind  value
	ids   uint16 // given to bytes
}

const regZero = 1 // GCC keeps 0 here

func newMachine(im *image.Image) machine {
	m := machine{im: im}
	unknown := unsure(m.n.Const(8, 0), true)
	for r := range m.regs {
		m.SetReg(uint8(r), unknown)
	}
	m.regs[regZero] = m.Const(8, 0)
	for f := range m.flags {
		m.flags[f] = lift.Bit(unsure(m.n.Const(1, 0), true))
	}
	m.sp = m.Const(16, stackTop)
	for i := range m.stack {
		m.stack[i] = unknown
	}
	m.rampz, m.eind = m.Const(8, 0), m.Const(8, 0)
	return m
}

// Reg implements lift.Machine, as do the methods that follow.
func (m *machine) Reg(r uint8) value                       { return m.regs[r] }
func (m *machine) Flag(f avr.Flag) lift.Lazy[value]        { return m.flags[f] }
func (m *machine) SetFlag(f avr.Flag, v lift.Lazy[value])  { m.flags[f] = v }
func (m *machine) SP() value                               { return m.sp }
func (m *machine) SetSP(v value)                           { m.sp = v }
func (m *machine) RAMPZ() value                            { return m.rampz }
func (m *machine) SetRAMPZ(v value)                        { m.rampz = v }
func (m *machine) EIND() value                             { return m.eind }
func (m *machine) SetBit(addr uint16, mask uint8, on bool) {}
func (m *machine) Act(op avr.Op)                           {}

func (m *machine) SetReg(r uint8, v value) {
	if v.guess && v.id == 0 {
		m.ids++
		v.id = m.ids
	}
	m.regs[r] = v
}

// slot is where a byte of the stack is kept, nil for other addresses.
func (m *machine) slot(addr value) *value {
	if i := stackTop - addr.V; !addr.guess && i < stackKept {
		return &m.stack[i]
	}
	return nil
}

func (m *machine) Load(addr value) value {
	if s := m.slot(addr); s != nil {
		return *s
	}
	return unsure(m.n.Const(8, 0), true)
}

func (m *machine) Store(addr, v value) {
	switch s := m.slot(addr); {
	case s != nil:
		*s = v
	case addr.guess:
	case addr.V == avr.AddrRAMPZ:
		m.rampz = v
	case addr.V == avr.AddrEIND:
		m.eind = v
	}
}

// assume gives registers that are not known, and all their copies, the bytes of a number, low byte first.
func (m *machine) assume(regs []uint8, v uint64) {
	for n, r := range regs {
		b, id := m.Const(8, v>>(8*n)), m.regs[r].id
		for i := range m.regs {
			if id != 0 && m.regs[i].id == id {
				m.regs[i] = b
			}
		}
		m.regs[r] = b
	}
}

func (m *machine) ProgByte(addr value) value {
	if addr.V >= uint64(len(m.im.Flash)) {
		return unsure(m.n.Const(8, 0xFF), true)
	}
	return unsure(m.n.Const(8, uint64(m.im.Flash[addr.V])), addr.guess)
}
