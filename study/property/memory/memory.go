// Package memory finds wrong uses of memory in unmodified firmware while it runs: accesses outside the object that a
// pointer was made from, uses through null, a stack that meets the variables, return addresses that are overwritten,
// jumps outside code, writes to reserved I/O and, when asked, reads of SRAM that nothing wrote.
//
// Beside each register and each byte of SRAM it keeps a tag: which constant of the code (or which place in a stack
// frame) the byte is part of a pointer from. The tags go where the bytes go, through copies, sums, the stack and memory;
// an access through a pointer is judged by its tag. What each instruction does to tags is worked out once per firmware, and
// several instructions are followed in one step.
//
// The compiler folds offsets into address constants: a[i-1] is made from an address in front of a, which is some other
// object's. Without relocations nothing in a constant tells. So a constant belongs to the object that the code first used it
// for; one that was used for two objects has a bug, since a constant is made from one symbol. Only where a constant points
// into an array, and its first use leads to no object at all or to a single byte, is that use judged by itself. A relocation
// that names its symbol leaves nothing open. In a stack frame the compiler knows what is where, and may reach any local from
// any other: there a function's own accesses are judged only where they leave all of its locals, or have no other meaning.
// What cannot be decided is counted, not reported: a false alarm is a defect.
//
// What it does not see: accesses inside the object but outside its member, blocks of the heap, locals whose function has returned,
// accesses with an index that was loaded as a number of 16 bits which is a variable's address as well (without relocations), and
// whatever the compiler has made of code whose behaviour C does not define.
//
// One false alarm is known: a pointer whose bytes went through bit operations (p^k^k) has no tag any more, and counts as a number. If
// it is subtracted from another pointer, and the distance is an index of another array, then the distance is taken for a pointer.
//
// Invariants: watching changes nothing in the mote; what is found depends on the run alone; a Watch's state is plain data, so
// it is copied along with its world's; the tables of a firmware are shared and never change.
package memory

import (
	"fmt"

	"motehound/study/property/builtin"
)

// Kind is what is wrong.
type Kind uint8

const (
	Bounds    Kind = iota + 1 // an access outside the object that its pointer was made from
	Null                      // an access through a pointer that is null, or near it
	Return                    // a return address on the stack was overwritten
	Stack                     // the stack reaches into variables or the heap
	Jump                      // a jump, call or return to where there is no code
	Unwritten                 // a read of SRAM that nothing wrote
	Reserved                  // a write to an I/O address without a register
	numKinds
)

var kindNames = [numKinds]string{"", "bounds", "null", "return", "stack", "jump", "unwritten", "reserved"}

func (k Kind) String() string { return kindNames[k] }

// Check is the name of the check that finds it: "memory: bounds".
func (k Kind) Check() string { return "memory: " + kindNames[k] }

// Checks are the names of all checks.
func Checks() []string {
	var list []string
	for k := Bounds; k < numKinds; k++ {
		list = append(list, k.Check())
	}
	return list
}

// Finding is one cause: a kind of wrong access of one object at one place in the source.
type Finding struct {
	Kind  Kind
	Mote  int    // index in the world: where it was first seen
	Cycle uint64 // and when, in the mote's cycles
	At    uint64 // and in picoseconds since the start
	PC    uint32 // flash byte address of the instruction
	builtin.Place
	Message  string          // as "buf[8] writes other"
	Object   string          // that the pointer was made from; "" when unknown
	Write    bool            // it changed, or may have, what it must not
	Accessed string          // what it reached
	Chain    []builtin.Place // the calls that led there, the innermost first, functions that were inlined among them
	Count    int             // how often it was seen

	cause
	caller uint32 // the innermost return address
	silent bool   // the user has accepted it
}

func (f Finding) String() string {
	return fmt.Sprintf("%s: %s, in %v", f.Kind, f.Message, f.Place)
}

// Options choose what is looked for.
type Options struct {
	Unwritten bool // also reads of SRAM that nothing wrote
	Lessons   []*Lesson
	Silence   []builtin.Silence
}
