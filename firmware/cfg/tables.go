package cfg

import (
	"motehound/isa/avr"
	"motehound/isa/avr/lift"
)

// GCC dispatches a switch statement in this way, whatever its version and the chip: it compares the index with the number of cases,
// branches to the default, works out where in the table the case's entry is, and jumps by Z. The table holds words, which are
// read by LPM or ELPM, often in libgcc's __tablejump2__, or jumps, into which Z leads. So the instructions from the
// comparison to the jump are executed once for each index that passes the comparison, and show where control goes.
const (
	maxBefore = 24   // instructions before the comparison that are executed for the constants they load
	maxAfter  = 32   // ... and behind it, up to the jump
	maxCases  = 2048 // of one switch statement
	minBudget = 1 << 16
)

// compare finds the comparison that a branch by the carry flag rests on: the index in run of its first instruction, or -1.
func (f *finder) compare(run []uint32) int {
	if op := f.code.At(run[len(run)-1]).Op; op != avr.OpBrcs && op != avr.OpBrcc {
		return -1
	}
	for i := len(run) - 2; i >= 0 && i >= len(run)-10; i-- {
		switch f.code.At(run[i]).Op {
		case avr.OpCpi, avr.OpCp:
			return i
		case avr.OpCpc, avr.OpLdi, avr.OpMov, avr.OpMovw:
		default:
			return -1
		}
	}
	return -1
}

// dispatch follows the switch statement, if there is one, whose index is compared before the branch that ends a run of
// instructions.
func (f *finder) dispatch(run []uint32) {
	first := f.compare(run)
	if first < 0 {
		return
	}
	branch := run[len(run)-1]
	_, target := f.code.At(branch).Flow()
	if !f.jumpsByZ(branch+1) && !f.jumpsByZ(target) {
		return
	}
	before := newMachine(f.im)
	for _, pc := range run[max(0, first-maxBefore):first] {
		f.step(&before, pc)
	}
	index := f.index(&before, run[first:len(run)-1])
	inside := false // whether an index of 0 takes the branch
	for i := range uint64(maxCases) {
		m := before
		for n, r := range index {
			m.regs[r] = m.Const(8, i>>(8*n))
		}
		to, taken := f.toJump(&m, run[first:])
		if i == 0 {
			inside = taken
		}
		if taken != inside || i>>(8*len(index)) != 0 || to.Kind != lift.Indirect {
			return
		}
		f.land(to.Target)
	}
}

// index is the registers that a comparison compares with something known, low byte first.
func (f *finder) index(m *machine, comparison []uint32) []uint8 {
	at := *m
	var index []uint8
	for _, pc := range comparison {
		switch in := f.code.At(pc); in.Op {
		case avr.OpCpi:
			index = append(index, in.D)
		case avr.OpCp, avr.OpCpc:
			if r := in.D; at.regs[r].guess || !at.regs[in.R].guess {
				index = append(index, r)
			} else {
				index = append(index, in.R)
			}
		}
		f.step(&at, pc)
	}
	return index
}

// jumpsByZ tells whether straight code leads from a place to a jump whose target is worked out.
func (f *finder) jumpsByZ(pc uint32) bool {
	pushed := false
	for range maxAfter {
		in := f.code.At(pc)
		switch flow, target := in.Flow(); flow {
		case avr.Next:
			pc += uint32(max(in.N, 1))
		case avr.Jump:
			pc = target
		case avr.IndirectJump:
			return true
		default:
			return flow == avr.Return && pushed
		}
		pushed = in.Op == avr.OpPush
	}
	return false
}

// toJump executes a comparison, its branch and what follows, up to a jump whose target is worked out. It returns where that leads,
// or something of another kind if there is none, and whether the branch was taken.
func (f *finder) toJump(m *machine, comparison []uint32) (to lift.Flow[value], taken bool) {
	for _, pc := range comparison {
		to = f.step(m, pc)
	}
	if to.Kind != lift.Fork {
		return to, false
	}
	pc := to.Else
	if taken = to.Cond.V != 0; taken {
		pc = to.To
	}
	for range maxAfter {
		switch flow, _ := f.code.At(pc).Flow(); flow {
		case avr.Next, avr.Jump:
			to = f.step(m, pc)
			pc = to.Else
		case avr.IndirectJump, avr.Return:
			return f.step(m, pc), taken
		default:
			return lift.Flow[value]{Kind: lift.Halt}, taken
		}
	}
	return lift.Flow[value]{Kind: lift.Halt}, taken
}

// step executes one instruction.
func (f *finder) step(m *machine, pc uint32) lift.Flow[value] {
	if f.budget == 0 {
		return lift.Flow[value]{Kind: lift.Halt}
	}
	f.budget--
	return lift.Lift(m, f.chip, f.code.At(pc), pc, 1)
}

// land notes where a jump leads, if code can be there.
func (f *finder) land(target value) {
	pc := uint32(target.V)
	if pc >= uint32(len(f.im.Flash)/2) {
		return
	}
	if flow, _ := f.code.At(pc).Flow(); flow == avr.Halts {
		return
	}
	f.lead(pc)
}
