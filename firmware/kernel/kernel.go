// Package kernel knows how kernels post and run tasks. It says where in a firmware to look, and turns what is seen there
// into lifecycle items, which are the same for every kernel. One file per kernel.
//
// It must work on optimised release binaries, in which most functions are inlined. Only a few real functions and the kernel's
// own variables remain. So a post is recognised by the kernel's store to its queue, and a run by a real function or by the store
// that takes a task out of the queue.
//
// How to use it: Detect finds the Profile of a firmware, which is immutable and shared by all motes with that firmware.
// Profile.Watch makes the Watch of one mote. Whoever runs the mote calls Watch.Interrupt when a vector is served, and
// Watch.At before every instruction in Profile.Hooks; both return the items of that moment. Everything that changes is in the
// Watch's Tracker, a plain value: copy it with a snapshot of the mote, and restore it with it. observe/lifecycle does all this.
//
// Invariants: a Profile never changes; watching never changes the mote; the items of a mote come in the order of their
// cycles; every Reti ends an Int and every End a Run; between a Run and its End there is no other Run.
package kernel

// Kind is what happened in the life of an event.
type Kind uint8

const (
	Int   Kind = iota // an interrupt handler begins; Arg is its vector, numbered as in the datasheet (reset is 1)
	Reti              // the innermost handler ends; Arg is its vector
	Post              // a task was put into the queue; Arg is the task
	Run               // a task is taken out and begins; Arg is the task
	End               // the running task ends; Arg is the task
	Fail              // a post was refused: the task waits already, or the queue is full; Arg is the task
	Reset             // the mote starts over: nothing before it is related to anything after it
	Round             // without a kernel: the main loop begins another round; Arg is Idle if the one before did nothing
	Rest              // the same: the mote falls asleep in its main loop
	NumKinds
)

// Item is one step in a mote's life.
type Item struct {
	Cycle uint64 // the mote's CPU cycle
	Arg   uint16
	Kind  Kind
	Pad   [5]uint8
}

var kindNames = [NumKinds]string{"int", "reti", "post", "run", "end", "fail", "reset", "round", "rest"}

// String is the kind's name, as run --lifecycle prints it.
func (k Kind) String() string { return kindNames[k] }
