// Package gdb speaks gdb's remote serial protocol, so that avr-gdb looks into a network of motes: forwards, and backwards too.
//
// A mote is a process with one thread, because gdb keeps memory, symbols and breakpoints by process. The whole network stops together. gdb is given what a Target says and asks for; this package knows nothing of how the motes run.
//
// Invariants: whatever a client sends, the answer is one by the protocol; nothing that it sends makes memory grow beyond fixed bounds or
// changes a run that must not change. One client is served at a time. A client that leaves leaves the network where it stands.
package gdb

import "fmt"

// Address spaces of avr-gdb: what avr-gcc adds to addresses, so that one number says which memory is meant.
const (
	DataSpace   = 0x800000
	EEPROMSpace = 0x810000
)

// Thread is a mote as gdb sees it.
type Thread struct {
	Number  int    // from 1
	Process int    // from 1
	Name    string // such as "mote 2 (relay.elf)"
	State   string // what it does now, such as "asleep"
}

// Registers are those of a mote's CPU. PC is a byte address.
type Registers struct {
	R    [32]uint8
	SREG uint8
	SP   uint16
	PC   uint32
}

// Program is the firmware that a process runs.
type Program struct {
	Name string // of its file
	ELF  []byte // nil if it is not an ELF file
}

// View is a moment of the network that one can look into.
type View interface {
	Registers(thread int) Registers
	// Read fills buf from an address of avr-gdb's, and says how many bytes there are.
	Read(thread int, addr uint32, buf []byte) int
}

// Target is a network that can be debugged. Threads are those that Threads lists.
type Target interface {
	View
	Threads() []Thread
	// Here is the thread that the network has stopped at.
	Here() int
	// Program is the firmware of a process.
	Program(process int) Program
	// Resume lets the network run until there is a reason to stop.
	Resume(m Move) Stop
	// Monitor runs a command of the user that gdb does not have, and gives the text to be shown. Halt is as for a Move. The error errOver ends
	// the debugging.
	Monitor(line string, halt func() bool) (string, error)
}

// Move says how a network is to go on.
type Move struct {
	Thread    int  // that gdb looks at
	Step      bool // it executes one instruction only
	Backwards bool
	// Alone, with Step, says that no other thread may stop: gdb steps one off a breakpoint, and takes no other answer. Time passes for the
	// others, too. A reason to stop that they had meanwhile counts for the next move in that direction, which begins where this one did for them.
	Alone   bool
	Breaks  []Break
	Watches []Watch
	// Halt is asked now and then, and says that somebody wants the network to stop.
	Halt func() bool
}

// Break stops motes of a process before an instruction.
type Break struct {
	Process int
	Addr    uint32 // in bytes
	// If, unless nil, says whether a thread that has got there is to stop.
	If func(v View, thread int) bool
}

// Access is what a Watch looks for.
type Access uint8

// What a Watch looks for. Their names in the protocol are those of String.
const (
	Write Access = iota
	Read
	ReadWrite
)

// String is what the protocol calls a hit.
func (a Access) String() string { return [...]string{"watch", "rwatch", "awatch"}[a] }

// Watch stops motes of a process that access memory: after the instruction or, backwards, before it.
type Watch struct {
	Process int
	Access  Access
	Addr    uint32
	Len     uint32
}

// Stop says why the network stands.
type Stop struct {
	Thread int
	Why    Why
	Watch  Watch // of Watched
}

// Why is a reason to stop.
type Why uint8

// Reasons to stop.
const (
	Stepped Why = iota
	Broke
	Watched
	AtBegin // there is nothing before
	AtEnd   // there is nothing behind
	Interrupted
)

// name is how a thread is written: with its process for a client that knows of processes.
func (s *session) name(thread int) string {
	if s.processes {
		return fmt.Sprintf("p%x.%x", s.processOf(thread), thread)
	}
	return fmt.Sprintf("%x", thread)
}
