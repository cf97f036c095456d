// Package behavior shows how firmware really behaves (T-Morph): instances of event procedures as call trees, the models that instances
// of the same behaviour share, the job flows that models form, how flows are interleaved, and whether a later run still does what
// a person approved.
//
// Invariants: trees are interned in a Book, so that two instances that ran alike have the same *Node, and a run of any length needs
// memory only for its different behaviours; everything here is named by functions and lines, never by addresses, so that approved
// models survive a rebuild.
package behavior

// CallKind is how a function came to run.
type CallKind uint8

const (
	Root      CallKind = iota // layer 0: the instance itself
	Interrupt                 // layer 1: the handler's entry
	Task                      // layer 1: a task, run by the kernel
	Post                      // a post of a task, a leaf under its poster
	Call                      // a real call
	Tail                      // a jump to another function's entry, which returns to the caller's caller
	Inlined                   // an entry into an inlined subroutine
)

// Func is a function as the programmer wrote it. Two Funcs of one Book with the same Name and File are the same Func.
type Func struct {
	Name string // readable: "BlinkC.Timer0.fired", "relay_receive", "ADC" for a vector, a task's name
	File string // of its declaration, "" if unknown
	Line int
	ID   int // index in its Book
	// Library: it is a system's or library's, not the application's own.
	Library bool
}

// Node is one invocation with all that it called, in order of first entry. Nodes are interned and immutable.
type Node struct {
	Func  *Func
	Kind  CallKind
	Site  Site // where it was called; zero for layer 0 and 1
	Calls []*Node
	ID    int // index in its Book
}

// Site is a place in the source.
type Site struct {
	File string
	Line int
}

// Instance is one event-procedure instance: what its handler and its tasks called, without what interrupted them.
type Instance struct {
	Mote     int    // index in the world
	Vector   uint16 // the interrupt's number as in the datasheet
	Number   uint32 // which of the vector's instances, from 1
	Serial   uint64 // which instance of any vector, from 0, in order of start
	Start    uint64 // cycle
	End      uint64 // cycle
	Complete bool
	Tree     *Node    // Kind Root
	Within   []uint64 // serials of the instances that executed between Start and End while this one was open, ascending
}
