package memory

import "motehound/isa/avr"

// verb is what a step does to tags.
type verb uint8

const (
	doEnd     verb = iota // nothing more in this step
	doSet                 // register d gets tag id
	doMov                 // d gets r's
	doMovw                // the same for pairs
	doAdd                 // d gets the sum's: that of the one that has one; k is the register with the upper half of what is added
	doSub                 // likewise, but a difference of pointers is none
	doAddK                // d gets id if it has none; k is the register with its upper half
	doSubK                // an address, k, is subtracted from d
	doNeg                 // d is complemented, or negated
	doLocal               // pair d, if it points into the frame, points to the local of frame site id from now on
	doShift               // k is added to pair d: if it points to a local of frame id, it may be for another one now
	doPush                // the byte at SP+k gets d's
	doPop                 // d gets that of the byte at SP+k
	doLds                 // d gets that of SRAM byte k
	doSts                 // SRAM byte k gets d's
	doLoad                // d gets that of the byte at pair r, plus k
	doStore               // that byte gets d's
	doCopy                // likewise, in the loop that initialises variables
	doCall                // return address at SP
	doReserve             // the same, but the code only wants room on the stack
	doRet                 // return address behind SP+k
	doEnter               // an interrupt's return address is behind SP
	doBoot                // reset
	doJump                // to where Z says
	doSPH                 // SP's halves are written from d
	doSPL
	doIO // a write to a reserved I/O address, k
)

// op is one thing that happens to tags.
type op struct {
	verb verb
	d, r uint8
	k    uint16
	id   uint16
	null uint16 // of loads and stores: what the pair holds if it was made from null; notNull if it is no pointer
}

// compiler turns code into steps. A step belongs to an instruction; it does what the instructions since the step before did
// to the tags of registers, which may come late, and what this one does to memory, which may not:
//
//   - an interrupt between them saves and restores registers with the tags that they have;
//   - what is pushed is tagged with the last of several PUSHes, as the bytes above SP stay, and what is popped with the first POP,
//     as those below SP do not.
type compiler struct {
	t       *table
	code    *code
	k       *constants
	frames  map[uint32]int // by the function's entry
	io      []bool         // reserved I/O addresses
	ops     []op
	pending []op
	last    uint32 // the instruction of the last pending op
}

func (b *compiler) compile() {
	b.ops = []op{{}}
	for pc := uint32(0); pc < b.code.end; {
		if !b.code.begins[pc] {
			pc++
			continue
		}
		next := b.instruction(pc)
		// Control leaves or comes in: what is pending belongs to the instructions so far.
		if _, alone := b.code.next(next.last); !alone {
			b.flush()
		}
		pc = next.pc
	}
	b.flush()
	b.t.ops = b.ops
}

// done says how far a step has got: the last instruction it covers, and the one behind.
type done struct{ last, pc uint32 }

func (b *compiler) instruction(pc uint32) done {
	in := b.code.program.At(pc)
	after := done{pc, pc + in.Length()}
	if pc < b.code.vectors && pc%2 == 0 {
		b.vector(pc)
		return after
	}
	switch in.Op {
	case avr.OpPush:
		return b.pushes(pc)
	case avr.OpPop:
		return b.pops(pc)
	}
	if !b.memory(pc, in) && !b.control(pc, in) {
		b.register(pc, in)
	}
	return after
}

// vector is an entry of the vector table: the interrupt has pushed its return address.
func (b *compiler) vector(pc uint32) {
	if pc == 0 {
		b.step(pc, op{verb: doBoot})
	} else {
		b.step(pc, op{verb: doEnter})
	}
}

// later notes what an instruction does to registers.
func (b *compiler) later(pc uint32, ops ...op) { b.pending, b.last = append(b.pending, ops...), pc }

// step makes a step at an instruction: what is pending, and these.
func (b *compiler) step(pc uint32, ops ...op) {
	b.t.start[pc] = uint32(len(b.ops))
	b.t.at = append(b.t.at, pc)
	b.ops = append(append(append(b.ops, b.pending...), ops...), op{})
	b.pending = b.pending[:0]
}

func (b *compiler) flush() {
	if len(b.pending) > 0 {
		b.step(b.last)
	}
}

// run is the instructions of one kind from pc on.
func (b *compiler) run(pc uint32, kind avr.Op) (regs []uint8, last uint32) {
	for ok := true; ok && b.code.program.At(pc).Op == kind; {
		regs = append(regs, b.code.program.At(pc).D)
		last = pc
		pc, ok = b.code.next(pc)
	}
	return regs, last
}

func (b *compiler) pushes(pc uint32) done {
	regs, last := b.run(pc, avr.OpPush)
	var ops []op
	for i, r := range regs {
		ops = append(ops, op{verb: doPush, d: r, k: uint16(len(regs) - 1 - i)})
	}
	b.step(last, ops...)
	return done{last, last + 1}
}

func (b *compiler) pops(pc uint32) done {
	regs, last := b.run(pc, avr.OpPop)
	var ops []op
	for i, r := range regs {
		ops = append(ops, op{verb: doPop, d: r, k: uint16(i + 1)})
	}
	if next, ok := b.code.next(last); ok {
		if flow, _ := b.code.program.At(next).Flow(); flow == avr.Return {
			ops, last = append(ops, op{verb: doRet, k: uint16(len(regs))}), next
		}
	}
	b.step(pc, ops...)
	return done{last, last + 1}
}

// memory is loads and stores.
func (b *compiler) memory(pc uint32, in avr.Inst) bool {
	a := in.Access()
	switch {
	case in.Op == avr.OpIn:
		b.later(pc, op{verb: doSet, d: in.D, id: b.ioTag(in.K)})
		return true
	case a.Space == avr.IORegister && a.Writes:
		b.out(pc, in)
		return true
	case a.Space != avr.DataMemory:
		return false
	case a.Base == 0:
		b.direct(pc, in)
		return true
	}
	o := op{verb: doLoad, d: in.D, r: a.Base, k: a.Offset, null: b.nullBase(pc, a.Base)}
	if a.Writes {
		o.verb = doStore
		if b.code.startup[pc] {
			o.verb = doCopy
		}
	}
	if o.r != 28 && o.k < 64 {
		o.id = b.localArray(pc, o.k)
	}
	b.step(pc, o)
	return true
}

// direct is LDS and STS.
func (b *compiler) direct(pc uint32, in avr.Inst) {
	addr := uint16(in.K)
	i := int(addr) - int(b.t.ramBase)
	switch {
	case in.Op == avr.OpLds && i >= 0 && i < b.t.ramSize:
		b.step(pc, op{verb: doLds, d: in.D, k: uint16(i), id: b.astray(pc, addr)})
	case in.Op == avr.OpLds:
		b.later(pc, op{verb: doSet, d: in.D, id: b.ioTag(in.K)})
	case i >= 0 && i < b.t.ramSize:
		b.step(pc, op{verb: doSts, d: in.D, k: uint16(i), id: b.astray(pc, addr)})
	default:
		b.out(pc, in)
	}
}

// astray is the number, plus one, of a constant that a direct access is made from and that is not where its object is: only
// relocations tell.
func (b *compiler) astray(pc uint32, addr uint16) uint16 {
	r, ok := b.k.relocs[pc+1]
	if !ok || r.Type != relAbs16 || r.Value < dataSpace {
		return 0
	}
	o := b.k.owner(r)
	if o == nil || addr >= o.lo && addr < o.hi || len(b.k.list) >= maxConstants {
		return 0
	}
	b.k.list = append(b.k.list, constant{v: o.lo, owner: o})
	return uint16(len(b.k.list))
}

func (b *compiler) ioTag(addr uint32) uint16 {
	if addr == avr.AddrSPL || addr == avr.AddrSPH {
		return tagSP
	}
	return tagNone
}

// out is a write to an I/O address.
func (b *compiler) out(pc uint32, in avr.Inst) {
	switch {
	case in.K == avr.AddrSPH:
		b.step(pc, op{verb: doSPH, d: in.D})
	case in.K == avr.AddrSPL:
		b.step(pc, op{verb: doSPL, d: in.D})
	case in.K < uint32(len(b.io)) && b.io[in.K]:
		b.step(pc, op{verb: doIO, k: uint16(in.K)})
	}
}

// control is what moves the program counter by the stack or by Z.
func (b *compiler) control(pc uint32, in avr.Inst) bool {
	switch flow, target := in.Flow(); flow {
	case avr.Call:
		if target == pc+1 { // RCALL .+0 makes room for two bytes
			b.step(pc, op{verb: doReserve})
		} else {
			b.step(pc, op{verb: doCall})
		}
	case avr.IndirectCall:
		b.step(pc, op{verb: doJump, k: b.made(pc)}, op{verb: doCall})
	case avr.IndirectJump:
		b.step(pc, op{verb: doJump, k: b.made(pc)})
	case avr.Return:
		b.step(pc, op{verb: doRet})
	default:
		return false
	}
	return true
}

// register is what only concerns registers.
func (b *compiler) register(pc uint32, in avr.Inst) {
	switch in.Op {
	case avr.OpLdi:
		b.later(pc, op{verb: doSet, d: in.D, id: b.half(pc)})
	case avr.OpMov:
		b.later(pc, op{verb: doMov, d: in.D, r: in.R})
	case avr.OpMovw:
		b.later(pc, op{verb: doMovw, d: in.D, r: in.R})
	case avr.OpAdd, avr.OpAdc:
		if in.D == in.R {
			b.later(pc, op{verb: doSet, d: in.D})
		} else if in.R != zeroReg {
			b.later(pc, op{verb: doAdd, d: in.D, r: in.R, k: b.upper(pc, in, avr.OpAdc)})
			b.plusY(pc, in)
		}
	case avr.OpSub, avr.OpSbc:
		if in.D == in.R {
			b.later(pc, op{verb: doSet, d: in.D})
		} else if in.R != zeroReg {
			b.later(pc, op{verb: doSub, d: in.D, r: in.R, k: b.upper(pc, in, avr.OpSbc)})
		} else if lo, ok := b.lowHalf(pc, in); ok && in.Op == avr.OpSbc { // less than 256
			b.shift(pc, lo.D, -uint16(lo.K))
		}
	case avr.OpSubi:
		b.low(pc, in)
	case avr.OpSbci:
		b.high(pc, in)
	case avr.OpAdiw:
		b.shift(pc, in.D, uint16(in.K))
		if id := b.local(pc, uint16(in.K)); id != 0 && in.D != 28 {
			b.point(pc, op{verb: doLocal, d: in.D, id: id})
		}
	case avr.OpCom, avr.OpNeg:
		b.later(pc, op{verb: doNeg, d: in.D})
	case avr.OpSbiw:
		b.shift(pc, in.D, -uint16(in.K))
	case avr.OpInc, avr.OpDec:
	default:
		for r := range in.Results().Registers {
			b.later(pc, op{verb: doSet, d: r})
		}
	}
}

// zeroReg is r1, which holds 0 by avr-gcc's convention.
const zeroReg = 1

// low is SUBI, the first half of a sum with a constant, or of a difference.
func (b *compiler) low(pc uint32, in avr.Inst) {
	if id := b.half(pc); id != tagNone {
		b.later(pc, op{verb: doAddK, d: in.D, id: id, k: uint16(in.D) + 1})
	} else if hi, ok := b.code.behind(pc); ok && b.difference(in, b.code.program.At(hi)) {
		b.later(pc, op{verb: doSubK, d: in.D, k: uint16(in.K | b.code.program.At(hi).K<<8)})
	}
}

// difference tells whether SUBI and SBCI subtract an address: what is left of a pointer is an index.
func (b *compiler) difference(lo, hi avr.Inst) bool {
	v := uint16(lo.K | hi.K<<8)
	return lo.Op == avr.OpSubi && hi.Op == avr.OpSbci && hi.D == lo.D+1 && v >= b.k.lo && v <= b.k.hi
}

// high is SBCI, the second half of a sum with a constant: an address, or the distance of a local from Y.
func (b *compiler) high(pc uint32, in avr.Inst) {
	if id := b.half(pc); id != tagNone {
		b.later(pc, op{verb: doAddK, d: in.D, id: id, k: noPair})
	}
	lo, ok := b.lowHalf(pc, in)
	if !ok {
		return
	}
	if b.difference(lo, in) {
		b.later(pc, op{verb: doSubK, d: in.D, k: uint16(lo.K | in.K<<8)})
	}
	if in.D != 29 {
		b.shift(pc, lo.D, -uint16(lo.K|in.K<<8))
		if id := b.local(pc, -uint16(lo.K|in.K<<8)); id != 0 {
			b.point(pc, op{verb: doLocal, d: lo.D, id: id})
		}
	}
}

// lowHalf is the SUBI just before an instruction that goes on with it in the register above.
func (b *compiler) lowHalf(pc uint32, in avr.Inst) (lo avr.Inst, ok bool) {
	if pc == 0 || !b.code.begins[pc-1] {
		return lo, false
	}
	lo = b.code.program.At(pc - 1)
	return lo, lo.Op == avr.OpSubi && lo.D+1 == in.D
}

// point makes a pointer to a local, at once: code that reaches far into its frame moves Y for a moment.
func (b *compiler) point(pc uint32, o op) {
	b.later(pc, o)
	b.flush()
}

// plusY is the end of Y plus a constant in a pair: a local's address.
func (b *compiler) plusY(pc uint32, in avr.Inst) {
	if in.Op != avr.OpAdc || in.R != 29 || pc == 0 {
		return
	}
	if lo := b.code.program.At(pc - 1); lo.Op != avr.OpAdd || lo.R != 28 || lo.D+1 != in.D {
		return
	}
	lo, ok1 := b.loaded(pc-1, in.D-1)
	hi, ok2 := b.loaded(pc-1, in.D)
	if !ok1 || !ok2 {
		return
	}
	if id := b.local(pc, lo|hi<<8); id != 0 {
		b.point(pc, op{verb: doLocal, d: in.D - 1, id: id})
	}
}

// shift is a constant added to a pair.
func (b *compiler) shift(pc uint32, d uint8, k uint16) {
	if n := b.frame(pc); n >= 0 && d != 28 {
		b.later(pc, op{verb: doShift, d: d, k: k, id: uint16(n)})
	}
}

// half is the tag of the constant that an instruction is half of.
func (b *compiler) half(pc uint32) uint16 {
	if n := b.k.half[pc]; n != 0 {
		return tagFirst + n - 1
	}
	return tagNone
}
