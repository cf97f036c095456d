package spin

import "motehound/isa/avr"

// carry is how C came about: by adding or subtracting a and b, of which w bytes are done. Their sum or difference is r, whose lowest byte is in the
// register low, unless there is none.
type carry struct {
	ok, add bool
	signed  bool // S is of the same instruction
	w       uint8
	low     uint8
	a, b, r form
}

// none is no register.
const none = 0xFF

// zero is how Z came about: f is 0 modulo mod.
type zero struct {
	ok  bool
	f   form
	mod int64
}

// base is the number that a byte is the lowest byte of.
func (f *Finder) base(m mark, v uint8) (form, bool) {
	switch {
	case m.kind == same:
		return form{c: int64(v)}, true
	case m.kind == part && m.b == 0:
		return m.f, true
	case m.kind == part:
		f.stay(m.f, unit(m.b))
		return form{c: int64(v)}, true
	}
	return form{}, false
}

// extend is a number with another byte in front of it.
func (f *Finder) extend(x form, m mark, v uint8) (form, bool) {
	switch {
	case m.kind == part && m.b == 1 && m.f == x:
		return x, true
	case m.kind != same:
		return form{}, false
	}
	if !x.constant() {
		x.c -= f.stay(x, 1<<8)
	}
	x.c += int64(v) << 8
	return x, true
}

// computes is an instruction that writes registers and flags, and no memory.
func (f *Finder) computes(in avr.Inst) bool {
	reads := in.Reads()
	if !f.varied(reads) || in.D == in.R && (in.Op == avr.OpEor || in.Op == avr.OpSub) {
		return f.execute() && f.clean(in, uint8(in.Writes()>>32))
	}
	switch in.Op {
	case avr.OpMov:
		return f.execute() && f.set(in.D, f.regs[in.R])
	case avr.OpMovw:
		return f.execute() && f.set(in.D, f.regs[in.R]) && f.set(in.D+1, f.regs[in.R+1])
	}
	if uint8(reads>>32)&f.stale != 0 {
		return false
	}
	for r := range reads.Registers {
		if k := f.regs[r]; k.kind == stale || k.kind == saved {
			return false
		}
	}
	switch in.Op {
	case avr.OpAdd, avr.OpSub, avr.OpCp, avr.OpSubi, avr.OpCpi:
		return f.sum(in)
	case avr.OpAdc, avr.OpSbc, avr.OpCpc, avr.OpSbci:
		return f.sumCarry(in)
	case avr.OpAdiw, avr.OpSbiw:
		return f.word(in)
	case avr.OpInc, avr.OpDec:
		return f.counts1(in)
	case avr.OpAnd, avr.OpOr:
		return f.logic(in)
	}
	return f.unclear(in)
}

// clean gives everything that an instruction writes the mark of what is the same.
func (f *Finder) clean(in avr.Inst, written uint8) bool {
	for r := range in.Writes().Registers {
		f.regs[r] = mark{}
	}
	f.murky &^= written
	f.stale &^= written
	f.forget(written)
	return true
}

// forget says that flags have other origins now.
func (f *Finder) forget(written uint8) {
	if written&flagC != 0 {
		f.carry.ok = false
	}
	if written&flagS != 0 {
		f.carry.signed = false
	}
	if written&flagZ != 0 {
		f.zero.ok = false
	}
}

// unclear executes an instruction of whose results nothing is known.
func (f *Finder) unclear(in avr.Inst) bool {
	for r := range in.Results().Registers {
		f.regs[r] = mark{kind: murky}
		f.rough = f.rough || r >= pointers
	}
	f.smear(uint8(in.Writes() >> 32))
	return f.execute()
}

// smear says that flags are not the same in each iteration.
func (f *Finder) smear(written uint8) {
	f.murky |= written
	f.stale &^= written
	f.forget(written)
}

// operands are the operands of an addition or subtraction.
func (f *Finder) operands(in avr.Inst) (x, y mark, a, b uint8, add, store bool) {
	x, a = f.regs[in.D], f.ghost.R[in.D]
	y, b = f.regs[in.R], f.ghost.R[in.R]
	switch in.Op {
	case avr.OpSubi, avr.OpCpi, avr.OpSbci:
		y, b = mark{}, uint8(in.K)
	}
	return x, y, a, b, in.Op == avr.OpAdd || in.Op == avr.OpAdc, in.Op != avr.OpCp && in.Op != avr.OpCpc && in.Op != avr.OpCpi
}

func sign(add bool) int64 {
	if add {
		return 1
	}
	return -1
}

// sum is an addition or subtraction without carry.
func (f *Finder) sum(in avr.Inst) bool {
	x, y, va, vb, add, store := f.operands(in)
	a, ok1 := f.base(x, va)
	b, ok2 := f.base(y, vb)
	r, ok := a.plus(b, sign(add))
	if !ok1 || !ok2 || !ok {
		return f.unclear(in)
	}
	return f.lowest(in, carry{add: add, a: a, b: b, r: r}, store, true)
}

// lowest ends an addition or subtraction that begins a number.
func (f *Finder) lowest(in avr.Inst, c carry, store, whole bool) bool {
	written := uint8(in.Writes() >> 32)
	if c.a.constant() && c.b.constant() {
		return f.execute() && f.clean(in, written)
	}
	f.smear(written)
	c.ok, c.signed, c.w, c.low = true, true, 1, none
	if store {
		c.low = in.D
	}
	f.carry = c
	if whole {
		f.zero = zero{true, c.r, 1 << 8}
	}
	return f.execute() && (!store || f.set(in.D, mark{kind: part, f: c.r}))
}

// sumCarry is one with carry.
func (f *Finder) sumCarry(in avr.Inst) bool {
	x, y, va, vb, add, store := f.operands(in)
	c := f.carry
	if f.murky&flagC != 0 && c.ok && c.w == 1 && c.add == add {
		if a, ok := f.extend(c.a, x, va); ok {
			if b, ok := f.extend(c.b, y, vb); ok {
				if r, ok := a.plus(b, sign(add)); ok {
					return f.second(in, carry{ok: true, add: add, signed: true, w: 2, low: none, a: a, b: b, r: r}, store)
				}
			}
		}
	}
	if f.murky&flagC != 0 && !f.decideC() {
		return f.unclear(in)
	}
	in1 := int64(f.ghost.SREG() & flagC)
	a, ok1 := f.base(x, va)
	b, ok2 := f.base(y, vb)
	if !ok1 || !ok2 || !a.constant() && !b.constant() {
		return f.unclear(in)
	}
	if b.constant() {
		b.c += in1
	} else {
		a.c += sign(add) * in1
	}
	r, ok := a.plus(b, sign(add))
	switch {
	case !ok:
		return f.unclear(in)
	case r.constant():
		return f.upper(in, add, uint8(r.c) == 0)
	}
	old := f.murky&flagZ != 0
	known := !add && !old && f.ghost.SREG()&flagZ == 0 // Z stays clear
	if !f.lowest(in, carry{add: add, a: a, b: b, r: r}, store, !add && !old && !known) {
		return false
	}
	if known {
		f.murky &^= flagZ
	}
	return true
}

// second ends an addition or subtraction of a number's second byte.
func (f *Finder) second(in avr.Inst, c carry, store bool) bool {
	z := f.zero
	low := f.carry.low
	if was := (mark{kind: part, f: f.carry.r}); low != none && f.regs[low] == was {
		f.regs[low].f = c.r
	}
	together := !c.add && z.ok && z.mod == 1<<8 && z.f == f.carry.r
	f.smear(uint8(in.Writes() >> 32))
	f.carry = c
	if together {
		f.zero = zero{true, c.r, 1 << 16}
	}
	return f.execute() && (!store || f.set(in.D, mark{kind: part, b: 1, f: c.r}))
}

// upper is an addition or subtraction with carry whose operands are the same in each iteration. If it is a subtraction, Z need not be: it is
// what it was, or clear.
func (f *Finder) upper(in avr.Inst, add, null bool) bool {
	old, z := f.murky&flagZ, f.zero
	f.clean(in, uint8(in.Writes()>>32))
	if !add && old != 0 && null {
		f.murky |= flagZ
		f.zero = z
	}
	return f.execute()
}

// word is ADIW or SBIW.
func (f *Finder) word(in avr.Inst) bool {
	d := in.D
	add := in.Op == avr.OpAdiw
	lo, ok := f.base(f.regs[d], f.ghost.R[d])
	if !ok {
		return f.unclear(in)
	}
	a, ok := f.extend(lo, f.regs[d+1], f.ghost.R[d+1])
	b := form{c: int64(in.K)}
	r, fits := a.plus(b, sign(add))
	if !ok || !fits {
		return f.unclear(in)
	}
	f.smear(uint8(in.Writes() >> 32))
	f.carry = carry{ok: true, add: add, signed: !add, w: 2, low: none, a: a, b: b, r: r}
	f.zero = zero{true, r, 1 << 16}
	return f.execute() && f.set(d, mark{kind: part, f: r}) && f.set(d+1, mark{kind: part, b: 1, f: r})
}

// counts1 is INC or DEC.
func (f *Finder) counts1(in avr.Inst) bool {
	a, ok := f.base(f.regs[in.D], f.ghost.R[in.D])
	r, fits := a.plus(form{c: 1}, sign(in.Op == avr.OpInc))
	if !ok || !fits {
		return f.unclear(in)
	}
	if r.constant() {
		return f.execute() && f.clean(in, uint8(in.Writes()>>32))
	}
	f.smear(uint8(in.Writes() >> 32))
	f.zero = zero{true, r, 1 << 8}
	return f.execute() && f.set(in.D, mark{kind: part, f: r})
}

// logic is AND and OR, as far as they look for zero.
func (f *Finder) logic(in avr.Inst) bool {
	x, y := f.regs[in.D], f.regs[in.R]
	switch {
	case in.Op == avr.OpAnd && in.D == in.R && x.kind == part && x.b == 0:
		f.smear(uint8(in.Writes() >> 32))
		f.zero = zero{true, x.f, 1 << 8}
		return f.execute()
	case in.Op == avr.OpOr && x.kind == part && y.kind == part && x.f == y.f && x.b+y.b == 1:
		f.unclear(in)
		f.zero = zero{true, x.f, 1 << 16}
		return !f.failed
	}
	return f.unclear(in)
}

// decideC bounds what C depends on, so that it is the same in each iteration.
func (f *Finder) decideC() bool {
	c := f.carry
	if !c.ok || f.stale&flagC != 0 {
		return false
	}
	mod := unit(c.w)
	a, b := f.multiple(c.a, mod), f.multiple(c.b, mod)
	at := a - b // from here on there is no borrow
	if c.add {
		at = a + b + mod // ... there is a carry
	}
	carries := f.divide(c.r, at) != c.add
	f.murky &^= flagC
	return carries == (f.ghost.SREG()&flagC != 0)
}

// decideS is decideC for S after a subtraction: the operands are taken as signed.
func (f *Finder) decideS() bool {
	c := f.carry
	if !c.ok || c.add || !c.signed || f.stale&flagS != 0 {
		return false
	}
	mod := unit(c.w)
	signed := func(x form) int64 { // what is to be taken off
		at := f.stay(x, mod/2)
		if at&(mod/2) != 0 {
			at += mod / 2
		}
		return at
	}
	below := f.divide(c.r, signed(c.a)-signed(c.b))
	f.murky &^= flagS
	return below == (f.ghost.SREG()&flagS != 0)
}

// multiple is stay, but 0 for a constant: a carry may have been added to or taken from that.
func (f *Finder) multiple(x form, mod int64) int64 {
	if x.constant() {
		return 0
	}
	return f.stay(x, mod)
}

// divide bounds a form to its side of a value, and tells whether it is below.
func (f *Finder) divide(x form, at int64) bool {
	const far = 1 << 60
	if x.c < at {
		f.keep(x, -far, at-1)
		return true
	}
	f.keep(x, at, far)
	return false
}

// decideZ is decideC for Z.
func (f *Finder) decideZ() bool {
	if !f.zero.ok || f.stale&flagZ != 0 {
		return false
	}
	f.murky &^= flagZ
	return f.settleZero(f.zero) == (f.ghost.SREG()&flagZ != 0)
}

// settleZero bounds a form so that it stays zero, or stays something else, which it tells.
func (f *Finder) settleZero(z zero) bool {
	at := floor(z.f.c, z.mod)
	if at == z.f.c {
		f.keep(z.f, at, at)
		return true
	}
	f.keep(z.f, at+1, at+z.mod-1)
	return false
}
