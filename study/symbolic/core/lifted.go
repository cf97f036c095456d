package core

import (
	"motehound/isa/avr"
	"motehound/isa/avr/lift"
	"motehound/study/symbolic/expr"
)

// lifted is the shadow as lift sees it: what is plain there is a constant. The core is before the instruction, and what is
// plain afterwards is the core's to work out: constants that are written here only say that nothing depends on inputs.
type lifted struct {
	algebra
	r *rig
	c *avr.Core
}

func (l lifted) file() *file { return &l.r.cur.sh.file }

// Reg implements lift.Machine, as do the other methods.
func (l lifted) Reg(i uint8) expr.ID {
	if f := l.file(); f.live&avr.RegSet(i) != 0 {
		return f.reg[i]
	}
	return l.Const(8, uint64(l.c.R[i]))
}

func (l lifted) SetReg(i uint8, v expr.ID) {
	f := l.file()
	if _, known := l.Pool.Value(v); known {
		f.live &^= avr.RegSet(i)
		return
	}
	f.reg[i] = v
	f.live |= avr.RegSet(i)
}

func (l lifted) Flag(i avr.Flag) lift.Lazy[expr.ID] {
	if f := l.file(); f.live&avr.FlagSet(i) != 0 {
		return f.flag[i]
	}
	return lift.Bit(l.Const(1, uint64(l.c.SREG()>>i)))
}

func (l lifted) SetFlag(i avr.Flag, v lift.Lazy[expr.ID]) {
	f := l.file()
	known := v.All(func(x expr.ID) bool {
		_, ok := l.Pool.Value(x)
		return ok
	})
	if known || i == avr.FlagI {
		f.live &^= avr.FlagSet(i)
		return
	}
	f.flag[i] = v
	f.live |= avr.FlagSet(i)
}

func (l lifted) SP() expr.ID        { return l.Const(16, uint64(l.c.SP)) }
func (l lifted) SetSP(expr.ID)      {}
func (l lifted) RAMPZ() expr.ID     { return l.Const(8, uint64(l.c.RAMPZ)) }
func (l lifted) EIND() expr.ID      { return l.Const(8, uint64(l.c.EIND)) }
func (l lifted) Act(avr.Op)         { l.settleWord() }
func (l lifted) SetRAMPZ(v expr.ID) { l.r.pin(l.c, v, "RAMPZ") }

func (l lifted) SetBit(uint16, uint8, bool) {}

// settleWord is for SPM: what is programmed is taken at its value.
func (l lifted) settleWord() {
	for _, i := range []uint8{0, 1, 30, 31} {
		l.r.pin(l.c, l.Reg(i), "SPM")
	}
}

// Load reads the data space.
func (l lifted) Load(addr expr.ID) expr.ID {
	a, known := l.Pool.Value(addr)
	if !known {
		return l.r.loadAnywhere(l, addr)
	}
	return l.load(uint16(a))
}

// load reads an address. What a device answers comes later, by the bus.
func (l lifted) load(a uint16) expr.ID {
	if i := uint(a) - uint(l.c.RAMBase); i < uint(len(l.c.RAM)) {
		if x := l.r.cur.sh.at(a); x != 0 {
			return x
		}
		return l.Const(8, uint64(l.c.RAM[i]))
	}
	switch {
	case a < 32:
		return l.Reg(uint8(a))
	case a == avr.AddrSREG:
		return lift.PackSREG[expr.ID](l)
	}
	return l.Const(8, 0)
}

// Store writes the data space.
func (l lifted) Store(addr, v expr.ID) {
	a, known := l.Pool.Value(addr)
	if !known {
		l.r.storeAnywhere(l, addr, v)
		return
	}
	l.store(uint16(a), v)
}

func (l lifted) store(a uint16, v expr.ID) {
	_, plain := l.Pool.Value(v)
	if i := uint(a) - uint(l.c.RAMBase); i < uint(len(l.c.RAM)) {
		if plain {
			v = 0
		}
		l.r.cur.sh.put(a, v)
		return
	}
	switch {
	case a < 32:
		l.SetReg(uint8(a), v)
	case a == avr.AddrSREG:
		l.r.pin(l.c, l.Extract(v, 7, 7), "the interrupt flag")
		lift.UnpackSREG[expr.ID](l, v)
	case plain:
	case l.r.m.KeepsCell(a):
		l.r.storing = v
	default:
		l.r.pin(l.c, v, l.r.table.kind.Board.Chip.RegisterName(a))
	}
}

// ProgByte reads program memory.
func (l lifted) ProgByte(addr expr.ID) expr.ID {
	if _, known := l.Pool.Value(addr); known {
		return l.Const(8, 0)
	}
	return l.r.loadConstant(l, addr)
}
