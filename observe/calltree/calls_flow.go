package calltree

import (
	"strings"

	"motehound/firmware/cfg"
	"motehound/isa/avr"
)

// What happens before an instruction.
const (
	atEntry  uint8 = 1 << iota // a function begins
	atStep                     // control may come from another body of the function
	atHeader                   // a loop begins again, or for the first time
	atTail                     // the instruction may jump to another function's entry
	atReturn                   // the instruction returns
	atZ                        // the instruction jumps to where Z says: to another function, or back, as longjmp does
)

// point is an instruction that is watched.
type point struct {
	what  uint8
	pc    uint32
	fn    int32   // the function around it, -1 if unknown
	body  int32   // the body that is shown there
	order int32   // grows along every path through the function that takes no loop's way back
	loop  []int32 // at a header: the bodies that the loop calls, sorted
	anew  []int32 // the bodies that begin here once more, if they are entered here: see flow.findCopies
	late  []int32 // the bodies around that cannot have been entered here: see flow.findLate
}

// mark makes an instruction a point.
func (l *layout) mark(pc uint32, what uint8) *point {
	if l.marks[pc] == 0 {
		p := point{pc: pc, fn: -1, body: -1}
		if b := l.at[pc]; b > 0 {
			p.body, p.fn = b-1, l.bodies[b-1].fn
		}
		l.points = append(l.points, p)
		l.marks[pc] = int32(len(l.points))
	}
	p := &l.points[l.marks[pc]-1]
	p.what |= what
	return p
}

// hooks are the word addresses of all points, in order.
func (l *layout) hooks() []uint32 {
	var at []uint32
	for pc, m := range l.marks {
		if m != 0 {
			at = append(at, uint32(pc))
		}
	}
	return at
}

func (l *layout) findPoints() {
	for i := range l.funcs {
		f := &l.funcs[i]
		if f.hooked = !l.quiet(f); f.hooked {
			l.mark(f.entry, atEntry)
		}
	}
	for pc := range l.program.Words() {
		if flow, _ := l.program.At(pc).Flow(); flow == avr.Return && l.at[pc] == 0 {
			l.mark(pc, atReturn) // of code that has no name
		}
	}
	jumps := l.tableJumps()
	for i := range l.funcs {
		f := &l.funcs[i]
		code := l.decode(int32(i))
		for _, x := range code {
			l.markLeaving(int32(i), x)
		}
		if l.hasInlines(int32(i)) {
			g := newFlow(l, f, code, jumps)
			g.mark()
			g.findLate()
		}
	}
}

// quiet tells of functions whose entries need not be watched: nothing of them is shown, and they call nothing.
func (l *layout) quiet(f *function) bool {
	src := &l.sources[l.bodies[f.body].source]
	if !src.hidden || src.kernel || l.hasInlines(l.bodies[f.body].fn) {
		return false
	}
	if isSplice(src.raw) {
		return true
	}
	for _, x := range l.decode(l.bodies[f.body].fn) {
		switch flow, target := x.in.Flow(); flow {
		case avr.Call, avr.IndirectCall, avr.IndirectJump:
			return false
		case avr.Jump, avr.Branch:
			if target < uint32(len(l.entry)) && l.entry[target] != 0 && l.entry[target] != l.entry[f.entry] {
				return false
			}
		}
	}
	return true
}

// isSplice tells of libgcc's pieces of functions: they are jumped to, and jump back.
func isSplice(raw string) bool {
	return strings.HasPrefix(raw, "__tablejump") || strings.HasPrefix(raw, "__prologue_saves__") || strings.HasPrefix(raw, "__epilogue_restores__")
}

// hasInlines reports whether a function has other bodies than its own.
func (l *layout) hasInlines(fn int32) bool {
	next := l.funcs[fn].body + 1
	return int(next) < len(l.bodies) && l.bodies[next].fn == fn
}

// markLeaving marks an instruction by which a function is left.
func (l *layout) markLeaving(fn int32, x instr) {
	switch flow, target := x.in.Flow(); flow {
	case avr.Return:
		l.mark(x.pc, atReturn)
	case avr.Jump, avr.Branch:
		if l.leadsOut(fn, target) && l.funcs[l.entry[target]-1].hooked {
			l.mark(x.pc, atTail)
		}
	case avr.IndirectJump:
		if !isSplice(l.sources[l.bodies[l.funcs[fn].body].source].raw) {
			l.mark(x.pc, atZ)
		}
	}
}

// leadsOut reports whether a jump's target is another function's entry.
func (l *layout) leadsOut(fn int32, target uint32) bool {
	return target < uint32(len(l.entry)) && l.entry[target] != 0 && l.entry[target]-1 != fn
}

type instr struct {
	pc uint32
	in avr.Inst
}

// decode lists a function's instructions. GCC keeps its tables outside of functions.
func (l *layout) decode(fn int32) []instr {
	var code []instr
	for _, r := range l.funcs[fn].ranges {
		for pc := r.Lo / 2; pc < r.Hi/2 && pc < l.program.Words(); {
			in := l.program.At(pc)
			code = append(code, instr{pc, in})
			pc += in.Length()
		}
	}
	return code
}

// tableJumps is where the jumps lead whose targets are worked out, by word address: those of switch statements, which their tables tell,
// and jumps into libgcc's pieces of functions, which jump back.
func (l *layout) tableJumps() map[uint32][]uint32 {
	jumps := map[uint32][]uint32{}
	for _, j := range cfg.Follow(l.program, l.im, 0).Jumps {
		jumps[j.At] = j.To
	}
	return jumps
}
