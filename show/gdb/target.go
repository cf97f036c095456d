// Package gdb speaks gdb's remote serial protocol, so that avr-gdb looks into a network of motes: forwards, and backwards too.
//
// A mote is a process with one thread, because gdb keeps memory, symbols and breakpoints by process. The whole network stops together. gdb is given what a debuggee says and asks for; this package knows nothing of how the motes run.
//
// Invariants: whatever a client sends, the answer is one by the protocol; nothing that it sends makes memory grow beyond fixed bounds or
// changes a run that must not change. One client is served at a time. A client that leaves leaves the network where it stands.
package gdb

import "fmt"

// Address spaces of avr-gdb: what avr-gcc adds to addresses, so that one number says which memory is meant.
const (
	dataSpace   = 0x800000
	eepromSpace = 0x810000
)

// moteThread is a mote as gdb sees it.
type moteThread struct {
	Number  int    // from 1
	Process int    // from 1
	Name    string // such as "mote 2 (relay.elf)"
	State   string // what it does now, such as "asleep"
}

// cpuRegisters are those of a mote's CPU. PC is a byte address.
type cpuRegisters struct {
	R    [32]uint8
	SREG uint8
	SP   uint16
	PC   uint32
}

// firmwareOf is the firmware that a process runs.
type firmwareOf struct {
	Name string // of its file
	ELF  []byte // nil if it is not an ELF file
}

// glimpse is a moment of the network that one can look into.
type glimpse interface {
	Registers(thread int) cpuRegisters
	// Read fills buf from an address of avr-gdb's, and says how many bytes there are.
	Read(thread int, addr uint32, buf []byte) int
}

// debuggee is a network that can be debugged. Threads are those that Threads lists.
type debuggee interface {
	glimpse
	Threads() []moteThread
	// Here is the thread that the network has stopped at.
	Here() int
	// Program is the firmware of a process.
	Program(process int) firmwareOf
	// Resume lets the network run until there is a reason to stop.
	Resume(m motion) standing
	// Monitor runs a command of the user that gdb does not have, and gives the text to be shown. Halt is as for a motion. The error errOver ends
	// the debugging.
	Monitor(line string, halt func() bool) (string, error)
}

// motion says how a network is to go on.
type motion struct {
	Thread    int  // that gdb looks at
	Step      bool // it executes one instruction only
	Backwards bool
	// Alone, with Step, says that no other thread may stop: gdb steps one off a breakpoint, and takes no other answer. Time passes for the
	// others, too. A reason to stop that they had meanwhile counts for the next move in that direction, which begins where this one did for them.
	Alone   bool
	Breaks  []breakAt
	Watches []watchAt
	// Halt is asked now and then, and says that somebody wants the network to stop.
	Halt func() bool
}

// breakAt stops motes of a process before an instruction.
type breakAt struct {
	Process int
	Addr    uint32 // in bytes
	// If, unless nil, says whether a thread that has got there is to stop.
	If func(v glimpse, thread int) bool
}

// accessKind is what a watchAt looks for.
type accessKind uint8

// What a watchAt looks for. Their names in the protocol are those of String.
const (
	accessWrite accessKind = iota
	accessRead
	accessBoth
)

// String is what the protocol calls a hit.
func (a accessKind) String() string { return [...]string{"watch", "rwatch", "awatch"}[a] }

// watchAt stops motes of a process that access memory: after the instruction or, backwards, before it.
type watchAt struct {
	Process int
	Access  accessKind
	Addr    uint32
	Len     uint32
}

// standing says why the network stands.
type standing struct {
	Thread int
	Why    reason
	Watch  watchAt // of whyWatch
}

// reason is a reason to stop.
type reason uint8

// Reasons to stop.
const (
	whyStep reason = iota
	whyBreak
	whyWatch
	whyBegin // there is nothing before
	whyEnd   // there is nothing behind
	whyInterrupt
)

// name is how a thread is written: with its process for a client that knows of processes.
func (s *session) name(thread int) string {
	if s.processes {
		return fmt.Sprintf("p%x.%x", s.processOf(thread), thread)
	}
	return fmt.Sprintf("%x", thread)
}
