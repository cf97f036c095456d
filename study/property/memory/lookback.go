package memory

import "motehound/isa/avr"

// before visits the instructions of a run of code in front of one, backwards, until it is told to stop. It tells whether it
// was.
func (c *code) before(pc uint32, stop func(pc uint32, in avr.Inst) bool) bool {
	for !c.leader[pc] && pc > 0 {
		pc--
		if c.begins[pc] && stop(pc, c.program.At(pc)) {
			return true
		}
	}
	return false
}

// writes tells whether a register has an instruction's result.
func writes(in avr.Inst, reg uint8) bool { return in.Results()&avr.RegSet(reg) != 0 }

// loaded is the constant that a register holds in front of an instruction, if the run of code that it is in has loaded it.
func (b *compiler) loaded(pc uint32, reg uint8) (v uint16, ok bool) {
	b.code.before(pc, func(_ uint32, in avr.Inst) bool {
		v, ok = uint16(in.K), in.Op == avr.OpLdi
		return writes(in, reg)
	})
	return v, ok
}

// made tells (1) that Z is made from constants in front of an indirect jump: then whoever wrote it means it, 0 too.
func (b *compiler) made(pc uint32) uint16 {
	constant := func(reg uint8) (ok bool) {
		found := b.code.before(pc, func(_ uint32, in avr.Inst) bool {
			ok = in.Op == avr.OpLdi || in.Op == avr.OpEor && in.D == in.R
			return writes(in, reg)
		})
		return found && ok
	}
	if constant(30) && constant(31) {
		return 1
	}
	return 0
}

// notNull says that a pair is not a pointer with an offset, but for instance a register's address with an index.
const notNull = 0xFFFF

// nullBase is what a pair holds in front of an instruction if it is a pointer that was null, plus the offset of a member. A
// pair that was computed, or whose upper half is a constant, is an index: I/O registers are reached by adding their
// addresses to one.
func (b *compiler) nullBase(pc uint32, pair uint8) uint16 {
	var sum, half uint16
	result := uint16(notNull)
	found := b.code.before(pc, func(_ uint32, in avr.Inst) bool {
		lo, hi := writes(in, pair), writes(in, pair+1)
		switch {
		case in.Op == avr.OpAdiw && in.D == pair:
			sum += uint16(in.K)
		case in.Op == avr.OpSbiw && in.D == pair:
			sum -= uint16(in.K)
		case in.Op == avr.OpSbci && in.D == pair+1:
			half = uint16(in.K) << 8
		case in.Op == avr.OpSubi && in.D == pair:
			sum -= half | uint16(in.K)
			half = 0
		case in.Op == avr.OpMovw && lo:
			pair = in.R
		case lo && hi:
			return true
		case hi && isLoad(in), hi && in.Op == avr.OpMov && in.R != zeroReg:
			result = sum
			return true
		case hi:
			return true
		case lo && !isLoad(in) && in.Op != avr.OpMov:
			return true
		}
		return false
	})
	if !found {
		return sum
	}
	return result
}

// isLoad tells instructions that fetch a byte from memory.
func isLoad(in avr.Inst) bool {
	a := in.Access()
	return a.Reads && (a.Space == avr.DataMemory || a.Space == avr.StackMemory)
}
