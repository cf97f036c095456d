// Package memory finds wrong uses of memory in unmodified firmware while it runs: accesses outside the object that a
// pointer was made from, uses through null, a stack that meets the variables, return addresses that are overwritten,
// jumps outside code, writes to reserved I/O and, when asked, reads of SRAM that nothing wrote.
//
// Beside each register and each byte of SRAM it keeps a tag: which constant of the code (or which place in a stack
// frame) the byte is part of a pointer from. The tags go where the bytes go, through copies, sums, the stack and memory;
// an access through a pointer is judged by its tag. What each instruction does to tags is worked out once per firmware, and
// several instructions are followed in one step.
//
// The compiler folds offsets into address constants: a[i-1] is made from an address before a, which is some other
// object's. Without relocations nothing in a constant tells. So a constant belongs to the object that the code first used it
// for; one that was used for two objects has a bug, since a constant is made from one symbol. Only where a constant points
// into an array, and its first use leads to no object at all or to a single byte, is that use judged by itself. A relocation
// that names its symbol leaves nothing open. In a stack frame the compiler knows what is where, and may reach any local from
// any other: there a function's own accesses are judged only where they leave all of its locals, or have no other meaning.
// What cannot be decided is not reported: a false alarm is a defect.
//
// What it does not see: accesses inside the object but outside its member, blocks of the heap, locals whose function has returned,
// accesses with an index that was loaded as a number of 16 bits which is a variable's address as well (without relocations), and
// whatever the compiler has made of code whose behaviour C does not define.
//
// One false alarm is known: a pointer whose bytes went through bit operations (p^k^k) has no tag any more, and counts as a number. If
// it is subtracted from another pointer, and the distance is an index of another array, then the distance is taken for a pointer.
//
// Invariants: watching changes nothing in the mote; what is found depends on the run alone; a tracker's state is plain data, so
// it is copied along with its world's; the tables of a firmware are shared and never change.
package memory

import (
	"motehound/mote"
	"motehound/study/property/builtin"
	"motehound/world"
)

// What is wrong.
const (
	Bounds    builtin.Kind = "memory: bounds"    // an access outside the object that its pointer was made from
	Null      builtin.Kind = "memory: null"      // an access through a pointer that is null, or near it
	badReturn builtin.Kind = "memory: return"    // a return address on the stack was overwritten
	stack     builtin.Kind = "memory: stack"     // the stack grew into variables or the heap
	jump      builtin.Kind = "memory: jump"      // a jump, call or return to where there is no code
	unwritten builtin.Kind = "memory: unwritten" // a read of SRAM that nothing wrote
	reserved  builtin.Kind = "memory: reserved"  // a write to an I/O address without a register
)

// Check implements builtin.Check.
type Check struct{}

// Name implements builtin.Check.
func (Check) Name() string { return "memory" }

// Kinds implements builtin.Check.
func (Check) Kinds() []builtin.Kind {
	return []builtin.Kind{Bounds, Null, badReturn, stack, jump, unwritten, reserved}
}

// Marks implements builtin.Check: a mote is lost, or not.
func (Check) Marks() int { return 1 }

// Prepare implements builtin.Check.
func (Check) Prepare(kinds []*mote.Kind, opt *builtin.Options) (builtin.Prepared, error) {
	tables, err := builtin.ByMote(kinds, newTable)
	return &prepared{tables: tables, opt: opt}, err
}

// prepared is the check of a Config's motes.
type prepared struct {
	tables  []*table // by mote
	opt     *builtin.Options
	lessons []*lesson
}

// Begin implements builtin.Prepared.
func (p *prepared) Begin(w *world.World) []builtin.Tracker {
	var list []builtin.Tracker
	for i, m := range w.Motes() {
		t := &tracker{Base: builtin.NewBase(w, i, p.opt), state: newState(p.tables[i], p.lessons), t: p.tables[i], asked: p.opt.Unwritten}
		m.SetShadow(t)
		list = append(list, t)
	}
	return list
}

// End ends the checks of all motes of a world. What they have found stays.
func End(w *world.World) {
	for _, m := range w.Motes() {
		m.SetShadow(nil)
	}
}

// LeftOut implements builtin.Prepared.
func (*prepared) LeftOut() []string { return nil }
