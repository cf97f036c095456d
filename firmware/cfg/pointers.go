package cfg

import (
	"motehound/firmware/image"
	"motehound/isa/avr"
)

// pointer is a constant that the code loads into a pair of registers.
type pointer struct {
	at uint32 // the second of the two instructions
	to uint32
}

// open is a function with a jump that may lead to any label in it whose address is taken: a computed goto, or a switch statement that
// was not understood.
type open struct {
	symbol image.Symbol
	jumps  []uint32
	labels []uint32
}

// load notes the constant that a pair of LDIs loads. The last instruction of the run is in.
func (f *finder) load(in avr.Inst) {
	n := len(f.run)
	if in.Op != avr.OpLdi || n < 2 {
		return
	}
	other := f.code.At(f.run[n-2])
	if other.Op != avr.OpLdi || other.D^1 != in.D {
		return
	}
	low, high := other, in
	if in.D&1 == 0 {
		low, high = in, other
	}
	to := low.K | high.K<<8
	if f.named {
		f.pairs = append(f.pairs, pointer{f.run[n-1], to})
	} else {
		f.want(to)
	}
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

// leadsOut tells whether a jump leads to another function than the one around a place.
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
	if !f.named {
		f.data(func(_ int, to uint32) { f.want(to) })
		return
	}
	if f.openFunctions() {
		last := [2]uint32{f.end, f.end} // what the words before were, at even and odd addresses
		f.data(func(at int, to uint32) {
			if s, ok := f.im.FuncAt(2 * to); ok && inside(s, last[at&1]) { // a table has several
				f.label(last[at&1], last[at&1])
				f.label(to, to)
			}
			last[at&1] = to
		})
	}
	rest := f.pairs[:0]
	for _, p := range f.pairs {
		if !f.label(p.at, p.to) {
			rest = append(rest, p)
		}
	}
	f.pairs = rest
}

// data visits the words that are no code, also those at odd addresses: variables are not aligned.
func (f *finder) data(visit func(at int, word uint32)) {
	for at := range max(0, len(f.im.Flash)-1) {
		if pc := uint32(at / 2); pc < f.end && f.seen[pc]&(visited|second) == 0 {
			visit(at, uint32(f.im.Flash[at])|uint32(f.im.Flash[at+1])<<8)
		}
	}
}

// openFunctions finds the functions around jumps of which nothing is known, and tells whether there are more now.
func (f *finder) openFunctions() bool {
	more := false
	for _, at := range f.sites {
		s, ok := f.im.FuncAt(2 * at)
		if _, known := f.jumps[at]; known || !ok || s.Size == 0 {
			continue
		}
		o := f.open[s.Addr]
		if o == nil {
			o, more = &open{symbol: s}, true
			f.open[s.Addr] = o
		}
		o.jumps = append(o.jumps, at)
	}
	f.sites = f.sites[:0]
	return more
}

// label leads to a label whose address is taken at a place, if both are in a function that is open. It tells whether the place is.
func (f *finder) label(at, to uint32) bool {
	s, ok := f.im.FuncAt(2 * at)
	o := f.open[s.Addr]
	if !ok || o == nil {
		return false
	}
	if to < f.end && inside(s, to) && f.seen[to]&second == 0 {
		o.labels = append(o.labels, to)
		f.lead(to)
	}
	return true
}

// want leads to where a function may begin: behind the end of another one, unless there is no code. Behind the vectors are tables.
func (f *finder) want(pc uint32) {
	if pc <= f.vectors || pc >= f.end || f.seen[pc]&(visited|second|wanted) != 0 || !f.plausible(pc) {
		return
	}
	f.seen[pc] |= wanted
	if f.endsBefore(pc) {
		f.lead(pc)
	}
}

// endsBefore tells whether the instruction before a place does not go on there. If nothing has led to it, it must be one that
// data is seldom taken for.
func (f *finder) endsBefore(pc uint32) bool {
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

// plausible tells whether straight code from a place on leads to an end without anything in it that is no instruction.
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
		pc += uint32(max(in.N, 1))
	}
	return true
}
