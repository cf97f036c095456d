package cfg

import (
	"motehound/firmware/image"
	"motehound/isa/avr"
)

// function is a function that a symbol names, and its labels whose addresses are taken, in its own code or in data. They are where a
// jump of unknown target in it may lead: a computed goto, or a switch statement that was not understood.
type function struct {
	jumps  []uint32
	labels []uint32
	led    int // to so many of the labels
}

// load notes the constant that two LDIs load into a pair of registers, of which the first is at pc.
func (f *finder) load(pc uint32, in avr.Inst) {
	to, ok := f.pair(pc, in)
	if !ok {
		return
	}
	if !f.named {
		f.want(to, true)
	} else if s, ok := f.im.FuncAt(2 * pc); ok && inside(s, to) {
		f.label(s, to)
	}
}

// pair is the constant. GCC lets several first LDIs share a second one, so a jump may be between the two. It loads registers that LDI
// does not reach by way of another one.
func (f *finder) pair(pc uint32, in avr.Inst) (constant uint32, ok bool) {
	if in.Op != avr.OpLdi {
		return 0, false
	}
	register, second, wants := in.D, f.code.At(pc+1), in.D^1
	switch flow, target := second.Flow(); {
	case flow == avr.Jump:
		second = f.code.At(target)
	case second.Op == avr.OpMov && second.R == in.D:
		last := f.code.At(pc + 3)
		if last.Op != avr.OpMov || last.R != in.D || last.D^1 != second.D {
			return 0, false
		}
		register, second, wants = second.D, f.code.At(pc+2), in.D
	}
	switch {
	case second.Op != avr.OpLdi || second.D != wants:
		return 0, false
	case register&1 != 0:
		return second.K | in.K<<8, true
	}
	return in.K | second.K<<8, true
}

// function is what is known of the function that a symbol names.
func (f *finder) function(s image.Symbol) *function {
	x := f.functions[s.Addr]
	if x == nil {
		x = &function{}
		f.functions[s.Addr] = x
	}
	return x
}

// label notes a label of a function.
func (f *finder) label(s image.Symbol, to uint32) {
	x := f.function(s)
	x.labels = append(x.labels, to)
}

// leaves follows a jump that ends a run, if it leads to one whose target is worked out.
func (f *finder) leaves(pc, target uint32) {
	if !f.jumpsByZ(target) {
		return
	}
	f.constant(f.run)
	if f.leadsOut(pc, target) {
		f.sites = append(f.sites, pc)
	}
}

// leadsOut reports whether a jump leads to another function than the one around a place.
func (f *finder) leadsOut(pc, target uint32) bool {
	s, ok := f.im.FuncAt(2 * pc)
	return ok && !inside(s, target)
}

// computes follows a jump that ends a run, if its target is worked out.
func (f *finder) computes(pc uint32, flow avr.Flow) {
	n := len(f.run)
	if flow == avr.IndirectJump || flow == avr.Return && n > 1 && f.code.At(f.run[n-2]).Op == avr.OpPush {
		f.constant(f.run)
		f.sites = append(f.sites, pc)
	}
}

func inside(s image.Symbol, pc uint32) bool { return s.Addr <= 2*pc && 2*pc < s.Addr+s.Size }

// trampolines leads to the linker's jumps for pointers to functions that 16 bits do not reach. They have no symbols.
func (f *finder) trampolines() {
	from, ok1 := f.im.Symbol("__trampolines_start")
	to, ok2 := f.im.Symbol("__trampolines_end")
	if !ok1 || !ok2 {
		return
	}
	for pc := from.Addr / 2; pc+1 < min(to.Addr/2, f.end) && f.code.At(pc).Op == avr.OpJmp; pc += 2 {
		f.lead(pc)
	}
}

// point looks at constants that may be code addresses, in the code and in what is not code. It is called when all else has been
// followed. Where symbols name the functions, there remain the labels in functions that have a jump of unknown target. Without
// symbols, a function begins behind the end of another one.
func (f *finder) point() {
	if !f.pointed {
		f.data()
		f.pointed = true
	}
	for ; f.looked < len(f.sites); f.looked++ {
		at := f.sites[f.looked]
		if s, ok := f.im.FuncAt(2 * at); ok && f.jumps[at] == nil {
			x := f.function(s)
			x.jumps = append(x.jumps, at)
			if len(x.jumps) == 1 {
				f.open = append(f.open, x)
			}
		}
	}
	for _, x := range f.open {
		for ; x.led < len(x.labels); x.led++ {
			if to := x.labels[x.led]; to < f.end && f.seen[to]&second == 0 {
				f.lead(to)
			}
		}
	}
}

// data looks at the words that are no code, also those at odd addresses: variables are not aligned. A table of labels has several.
func (f *finder) data() {
	last := [2]uint32{f.end, f.end} // the words before, at even and odd addresses
	for at := range max(0, len(f.im.Flash)-1) {
		if pc := uint32(at / 2); pc >= f.end || f.seen[pc]&(visited|second) != 0 {
			continue
		}
		to := uint32(f.im.Flash[at]) | uint32(f.im.Flash[at+1])<<8
		if !f.named {
			f.want(to, false)
		} else if s, ok := f.im.FuncAt(2 * to); ok && inside(s, last[at&1]) {
			f.label(s, last[at&1])
			f.label(s, to)
		}
		last[at&1] = to
	}
}

// want leads to where a function may begin: behind the end of another one, unless there is no code. Behind the vectors are tables.
// Loaded reports whether code loads the address: that is seldom by chance.
func (f *finder) want(pc uint32, loaded bool) {
	if pc <= f.vectors || pc >= f.end || f.seen[pc]&(visited|second|wanted|refused) != 0 {
		return
	}
	if !f.plausible(pc) {
		f.seen[pc] |= refused
		return
	}
	f.seen[pc] |= wanted
	if f.endsBefore(pc, loaded) {
		f.lead(pc)
	}
}

// endsBefore reports whether the instruction before a place does not go on there. If nothing has led to it, it must be one that
// data is seldom taken for, as one in 16 words is for RJMP.
func (f *finder) endsBefore(pc uint32, loaded bool) bool {
	last := pc - 1
	if f.seen[last]&second != 0 && last > 0 {
		last--
	}
	if f.seen[last]&visited != 0 {
		return f.seen[last]&ends != 0
	}
	switch f.code.At(pc - 1).Op {
	case avr.OpRet, avr.OpReti, avr.OpIjmp, avr.OpEijmp:
		return true
	case avr.OpRjmp:
		return loaded
	}
	return pc > 1 && f.code.At(pc-2).Op == avr.OpJmp
}

// stop notes an instruction that does not go on to the next one.
func (f *finder) stop(pc, next uint32) {
	f.seen[pc] |= ends
	if next < f.end && f.seen[next]&wanted != 0 {
		f.lead(next)
	}
}

// plausible reports whether straight code from a place on leads to an end without anything in it that is no instruction.
func (f *finder) plausible(pc uint32) bool {
	const enough = 64
	for range enough {
		if pc >= f.end {
			return false
		}
		in := f.code.At(pc)
		switch flow, target := in.Flow(); flow {
		case avr.Halts:
			return false
		case avr.Jump:
			return target < f.end
		case avr.Return, avr.IndirectJump:
			return true
		case avr.Branch, avr.Call:
			if target >= f.end {
				return false
			}
		}
		pc += in.Length()
	}
	return true
}
