// Package kernel knows how kernels post and run work: it says where in a firmware to look, and turns what is seen there
// into lifecycle items, the same for every kernel. One file per kernel.
//
// It must work on optimised release binaries, in which most functions are inlined away: what survives are a few real
// functions and the kernel's own variables.
package kernel

// Kind is what happened in the life of an event.
type Kind uint8

const (
	Int   Kind = iota // an interrupt handler begins; Arg is its vector, numbered as in the datasheet (reset is 1)
	Reti              // the innermost handler ends
	Post              // a task was put into the queue; Arg is the task
	Run               // a task is taken out and begins; Arg is the task
	End               // the running task ends
	Fail              // a post was refused: the task waits already, or the queue is full; Arg is the task
	Reset             // the mote starts over: nothing before it is related to anything after it
	NumKinds
)

// Item is one step in a mote's life.
type Item struct {
	Cycle uint64 // the mote's CPU cycle
	Arg   uint16
	Kind  Kind
	Pad   [5]uint8
}

var kindNames = [NumKinds]string{"int", "reti", "post", "run", "end", "fail", "reset"}

// String is the kind's name, as run --lifecycle prints it.
func (k Kind) String() string { return kindNames[k] }
