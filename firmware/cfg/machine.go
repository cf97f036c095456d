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
}

// values is the algebra of values: that of numbers, in which a result is known if all of its operands are.
type values struct{ n lift.Numbers }

func steps(s lift.Step[value]) lift.Step[lift.Bits] {
	return lift.Step[lift.Bits]{A: s.A.Bits, B: s.B.Bits, In: s.In.Bits, Chained: s.Chained, Subtract: s.Subtract}
}

func guessed(s lift.Step[value]) bool { return s.A.guess || s.B.guess || s.Chained && s.In.guess }

// Const implements lift.Algebra, as do the methods that follow.
func (a values) Const(width int, v uint64) value { return value{a.n.Const(width, v), false} }

func (a values) Not(x value) value    { return value{a.n.Not(x.Bits), x.guess} }
func (a values) And(x, y value) value { return value{a.n.And(x.Bits, y.Bits), x.guess || y.guess} }
func (a values) Or(x, y value) value  { return value{a.n.Or(x.Bits, y.Bits), x.guess || y.guess} }
func (a values) Mul(x, y value) value { return value{a.n.Mul(x.Bits, y.Bits), x.guess || y.guess} }
func (a values) Eq(x, y value) value  { return value{a.n.Eq(x.Bits, y.Bits), x.guess || y.guess} }
func (a values) Concat(x, y value) value {
	return value{a.n.Concat(x.Bits, y.Bits), x.guess || y.guess}
}

func (a values) Xor(x, y value) value { return value{a.n.Xor(x.Bits, y.Bits), x.guess || y.guess} }

func (a values) Extract(x value, high, low int) value {
	return value{a.n.Extract(x.Bits, high, low), x.guess}
}
func (a values) SExt(x value, width int) value { return value{a.n.SExt(x.Bits, width), x.guess} }

func (a values) Value(s lift.Step[value]) value    { return value{a.n.Value(steps(s)), guessed(s)} }
func (a values) Carry(s lift.Step[value]) value    { return value{a.n.Carry(steps(s)), guessed(s)} }
func (a values) Overflow(s lift.Step[value]) value { return value{a.n.Overflow(steps(s)), guessed(s)} }
func (a values) Sign(s lift.Step[value]) value     { return value{a.n.Sign(steps(s)), guessed(s)} }
func (a values) Half(s lift.Step[value]) value     { return value{a.n.Half(steps(s)), guessed(s)} }

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
	flags [lift.NumFlags]lift.Lazy[value]
	sp    value
	stack [stackKept]value // stack[i] is at stackTop-i
	rampz value
	eind  value
}

const regZero = 1 // GCC keeps 0 here

func newMachine(im *image.Image) machine {
	m := machine{im: im}
	unknown := value{m.n.Const(8, 0), true}
	for r := range m.regs {
		m.regs[r] = unknown
	}
	m.regs[regZero] = m.Const(8, 0)
	for f := range m.flags {
		m.flags[f] = lift.Bit(value{m.n.Const(1, 0), true})
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
func (m *machine) SetReg(r uint8, v value)                 { m.regs[r] = v }
func (m *machine) Flag(f lift.Flag) lift.Lazy[value]       { return m.flags[f] }
func (m *machine) SetFlag(f lift.Flag, v lift.Lazy[value]) { m.flags[f] = v }
func (m *machine) SP() value                               { return m.sp }
func (m *machine) SetSP(v value)                           { m.sp = v }
func (m *machine) RAMPZ() value                            { return m.rampz }
func (m *machine) SetRAMPZ(v value)                        { m.rampz = v }
func (m *machine) EIND() value                             { return m.eind }
func (m *machine) SetBit(addr uint16, mask uint8, on bool) {}
func (m *machine) Act(op avr.Op)                           {}
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
	return value{m.n.Const(8, 0), true}
}

// Data addresses of the registers that extend Z.
const (
	addrRAMPZ = 0x5B
	addrEIND  = 0x5C
)

func (m *machine) Store(addr, v value) {
	switch s := m.slot(addr); {
	case s != nil:
		*s = v
	case addr.guess:
	case addr.V == addrRAMPZ:
		m.rampz = v
	case addr.V == addrEIND:
		m.eind = v
	}
}

func (m *machine) ProgByte(addr value) value {
	if addr.V >= uint64(len(m.im.Flash)) {
		return value{m.n.Const(8, 0xFF), true}
	}
	return value{m.n.Const(8, uint64(m.im.Flash[addr.V])), addr.guess}
}
