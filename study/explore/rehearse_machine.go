package explore

import (
	"slices"

	"motehound/isa/avr"
	"motehound/isa/avr/lift"
)

// Reg implements lift.Machine, as do the methods below.
func (r *rehearsal) Reg(n uint8) guess                { return r.now.reg[n] }
func (r *rehearsal) SetReg(n uint8, v guess)          { r.now.reg[n] = v }
func (r *rehearsal) Flag(f avr.Flag) lift.Lazy[guess] { return r.now.flag[f] }
func (r *rehearsal) SP() guess                        { return r.Const(16, uint64(r.now.sp)) }
func (r *rehearsal) RAMPZ() guess                     { return r.Const(8, uint64(r.now.rampz)) }
func (r *rehearsal) EIND() guess                      { r.broken = true; return r.Const(8, 0) }

func (r *rehearsal) SetFlag(f avr.Flag, v lift.Lazy[guess]) {
	r.now.flag[f] = v
	r.now.fresh &^= 1 << f
	if f == avr.FlagI {
		on := v.Build(r)
		r.broken = r.broken || !r.use(on)
		r.now.i = on.V != 0
	}
}

func (r *rehearsal) SetSP(v guess) {
	r.broken = r.broken || !r.use(v) || uint16(v.V) > r.habit.sp
	r.now.sp = uint16(v.V)
}

func (r *rehearsal) SetRAMPZ(v guess) {
	r.broken = r.broken || !r.use(v)
	r.now.rampz = uint8(v.V)
}

// Act is SLEEP, which ends a path, or what is no habit.
func (r *rehearsal) Act(op avr.Op) { r.broken = r.broken || op != avr.OpSleep || !r.habit.asleep }

func (r *rehearsal) ProgByte(addr guess) guess {
	if !r.use(addr) {
		r.broken = true
		return unsure(8)
	}
	return r.Const(8, uint64(r.m.ProgWord(uint32(addr.V/2))>>(addr.V%2*8)&0xFF))
}

func (r *rehearsal) SetBit(uint16, uint8, bool) { r.broken = true }

// Load reads a byte of the data space.
func (r *rehearsal) Load(addr guess) guess {
	if !r.use(addr) {
		r.broken = true
		return unsure(8)
	}
	a, p := uint16(addr.V), r.now
	if i := slices.IndexFunc(p.bytes, func(w written) bool { return w.addr == a }); i >= 0 {
		return p.bytes[i].v
	}
	chip := r.m.Chip()
	switch {
	case a == avr.AddrSREG && p.fresh == 0x7F: // as it was, but that a handler runs with interrupts off
		return guess{Bits: lift.Bits{V: uint64(r.habit.sreg&0x7F | r.interrupts()<<7), Width: 8}, from: fromSREG}
	case a == avr.AddrSREG:
		return lift.PackSREG[guess](r)
	case a == avr.AddrSPL:
		return r.Const(8, uint64(uint8(p.sp)))
	case a == avr.AddrSPH:
		return r.Const(8, uint64(p.sp>>8))
	case a == avr.AddrRAMPZ:
		return r.RAMPZ()
	case a == chip.SPI.SPDR:
		r.broken = r.broken || p.cycles >= r.by
		return r.Const(8, uint64(r.habit.data))
	case r.m.Holds(a) || a >= chip.RAMBase && (a <= p.sp || a > r.habit.sp):
		return r.Const(8, uint64(r.cell(a)))
	}
	r.broken = r.broken || !r.m.Shows(a)
	return unsure(8)
}

func (r *rehearsal) interrupts() uint8 {
	if r.now.i {
		return 1
	}
	return 0
}

// Store writes a byte of the data space.
func (r *rehearsal) Store(addr, v guess) {
	if !r.use(addr) {
		r.broken = true
		return
	}
	a, p, chip := uint16(addr.V), r.now, r.m.Chip()
	switch {
	case a == avr.AddrSREG:
		r.setSREG(v)
	case a == avr.AddrSPL:
		r.SetSP(r.Const(16, uint64(p.sp)&0xFF00|r.number(v)))
	case a == avr.AddrSPH:
		r.SetSP(r.Const(16, uint64(p.sp)&0xFF|r.number(v)<<8))
	case a == avr.AddrRAMPZ:
		r.SetRAMPZ(v)
	case a == chip.SPI.SPDR:
		r.broken = r.broken || p.cycles >= r.by || !r.use(v) || r.habit.sends && uint8(v.V) != r.habit.data
	case a >= chip.RAMBase, a == chip.Control.SMCR:
		stack := a >= p.sp && a <= r.habit.sp
		if !stack {
			r.cell(a)
		}
		p.bytes = slices.DeleteFunc(p.bytes, func(w written) bool { return w.addr == a })
		p.bytes = append(p.bytes, written{a, stack, v})
	default:
		r.broken = true
	}
}

// number is a value that has to be known.
func (r *rehearsal) number(v guess) uint64 {
	r.broken = r.broken || !r.use(v)
	return v.V
}

func (r *rehearsal) setSREG(v guess) {
	p := r.now
	if v.from == fromSREG {
		p.fresh = 0x7F
		for f := avr.FlagC; f < avr.FlagI; f++ {
			p.flag[f] = lift.Bit(r.flagWas(f))
		}
	} else {
		lift.UnpackSREG[guess](r, v)
	}
	// A copy of SREG has I as it was when that was made.
	r.SetFlag(avr.FlagI, lift.Bit(r.Const(1, v.V>>7&1)))
	r.broken = r.broken || v.unknown
}

// cell is what was at an address when the rehearsal began, which matters.
func (r *rehearsal) cell(addr uint16) uint8 {
	for _, x := range r.habit.cells {
		if x.addr == addr {
			return x.value
		}
	}
	v := r.m.Peek(addr)
	r.habit.cells = append(r.habit.cells, cellValue{addr, v})
	return v
}
