package cfg

import (
	"slices"

	"motehound/isa/avr"
	"motehound/isa/avr/lift"
)

// GCC dispatches a switch statement in this way, whatever its version and the chip: it compares the index with the number of cases,
// branches to the default, works out where in the table the case's entry is, and jumps there. The table holds words, which are read by
// LPM or ELPM, often in libgcc's __tablejump2__, or jumps, into which Z leads. The jump is an IJMP, or a RET behind
// pushes. So the instructions from the comparison to the jump are executed once for each index that passes the comparison, and
// show where control goes.
const (
	maxBefore  = 24   // instructions before the comparison that are executed for the constants they load
	maxCompare = 8    // instructions of a comparison
	maxAfter   = 40   // instructions behind the branch, up to the jump
	maxCases   = 2048 // of one switch statement
	minBudget  = 1 << 16
)

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
	before := f.execute(run[:first])
	index := f.index(&before, run[first:len(run)-1])
	inside := false // whether an index of 0 takes the branch
	var cases []leap
	most := uint64(maxCases)
	if len(index) == 1 {
		most = 1 << 8
	}
	for i := range most {
		m := before
		m.assume(index, i)
		var to lift.Flow[value]
		for _, pc := range run[first:] {
			to = f.step(&m, pc)
		}
		taken := to.Kind == lift.Fork && to.Cond.V != 0
		if i == 0 {
			inside = taken
		}
		if to.Kind != lift.Fork || taken != inside {
			break
		}
		next := to.Else
		if taken {
			next = to.To
		}
		x, ok := f.leap(&m, branch, next)
		if !ok {
			break
		}
		cases = append(cases, x)
	}
	if slices.ContainsFunc(cases, func(x leap) bool { return !x.to.guess || x.to.V != cases[0].to.V }) { // the index decides
		for _, x := range cases {
			f.land(x, branch)
		}
	}
}

// compare finds the comparison that a branch by the carry flag rests on: the index in run of its first instruction, or -1. It may be a
// subtraction, from a copy of the index.
func (f *finder) compare(run []uint32) int {
	if op := f.code.At(run[len(run)-1]).Op; op != avr.OpBrcs && op != avr.OpBrcc {
		return -1
	}
	for i := len(run) - 2; i >= max(0, len(run)-1-maxCompare); i-- {
		switch f.code.At(run[i]).Op {
		case avr.OpCpi, avr.OpCp, avr.OpSubi, avr.OpSub, avr.OpSbiw:
			return i
		case avr.OpCpc, avr.OpSbci, avr.OpSbc, avr.OpLdi, avr.OpMov, avr.OpMovw:
		default:
			return -1
		}
	}
	return -1
}

// index is the registers that a comparison compares with something known, low byte first.
func (f *finder) index(m *machine, comparison []uint32) []uint8 {
	at := *m
	var index []uint8
	for _, pc := range comparison {
		switch in := f.code.At(pc); in.Op {
		case avr.OpCpi, avr.OpSubi, avr.OpSbci:
			index = append(index, in.D)
		case avr.OpSbiw:
			index = append(index, in.D, in.D+1)
		case avr.OpCp, avr.OpCpc, avr.OpSub, avr.OpSbc:
			if at.regs[in.D].guess || !at.regs[in.R].guess {
				index = append(index, in.D)
			} else {
				index = append(index, in.R)
			}
		}
		f.step(&at, pc)
	}
	return index
}

// jumpsByZ reports whether straight code leads from a place to a jump whose target is worked out.
func (f *finder) jumpsByZ(pc uint32) bool {
	pushed := false
	for range maxAfter {
		in := f.code.At(pc)
		switch flow, target := in.Flow(); flow {
		case avr.Next:
			pc += in.Length()
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

// constant follows a jump or a call by Z at the end of a run, or behind the jump at its end, if the run says where it leads. GCC
// enters and leaves __prologue_saves__ so.
func (f *finder) constant(run []uint32) {
	last := run[len(run)-1]
	m := f.execute(run[:len(run)-1])
	if x, ok := f.leap(&m, last, last); ok && !x.to.guess {
		f.land(x, last)
	}
}

// leap is a jump or call whose target is worked out.
type leap struct {
	to   value
	from uint32 // where the instruction is
	left uint32 // where the function is left before, by a jump; the end of the image if it is not
}

// leap executes instructions from pc on up to a jump or call whose target is worked out. Where is in the function that jumps.
func (f *finder) leap(m *machine, where, pc uint32) (x leap, ok bool) {
	x.left = f.end
	for range maxAfter {
		switch flow, target := f.code.At(pc).Flow(); flow {
		case avr.Jump:
			if x.left == f.end && f.leadsOut(where, target) {
				x.left = pc
			}
			pc = target
		case avr.Next:
			pc = f.step(m, pc).Else
		case avr.IndirectJump, avr.IndirectCall, avr.Return:
			to := f.step(m, pc)
			x.to, x.from = to.Target, pc
			return x, to.Kind == lift.Indirect
		default:
			return x, false
		}
	}
	return x, false
}

// execute executes the last instructions of a run.
func (f *finder) execute(run []uint32) machine {
	m := newMachine(f.im)
	for _, pc := range run[max(0, len(run)-maxBefore):] {
		f.step(&m, pc)
	}
	return m
}

// step executes one instruction.
func (f *finder) step(m *machine, pc uint32) lift.Flow[value] {
	if f.budget == 0 {
		return lift.Flow[value]{Kind: lift.Halt, Else: f.chip.Words}
	}
	f.budget--
	return lift.Lift(m, f.chip, f.code.At(pc), pc, 1)
}

// land leads to where a jump leads that was found in the function around where, unless no code can be there. A jump outside of the
// function is an entry of a table.
func (f *finder) land(x leap, where uint32) {
	to := uint32(x.to.V)
	if to >= f.end {
		return
	}
	flow, target := f.code.At(to).Flow()
	if flow == avr.Halts {
		return
	}
	f.lead(to)
	if flow == avr.Jump && target < f.end && f.leadsOut(where, to) {
		to = target
	}
	if flow, _ := f.code.At(x.from).Flow(); flow == avr.IndirectCall {
		return
	}
	f.jumps[x.from] = append(f.jumps[x.from], to)
	if x.left != f.end {
		f.jumps[x.left] = append(f.jumps[x.left], to)
	}
}
