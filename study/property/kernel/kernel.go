// Package kernel finds, in unmodified firmware while it runs, what goes wrong between a program and its kernel or chip: posts
// that a full queue refuses, interrupts that starve tasks, handlers that are entered twice, motes that can never wake up again,
// resets that nobody ordered, and calls of the failure routines that the firmware itself has.
//
// It looks at lifecycle items (see firmware/kernel) and at a few instructions that are executed rarely: SLEEP, WDR, writes of
// the reset flags, jumps to address 0, entries of failure routines.
//
// Some of it is legal in some kernels, and no finding there. In TinyOS 2 a post of a task that waits already is refused, and
// drivers do so all the time: it is reported only when asked for. The same goes for a poll of a Contiki process that waits for
// one, which is not even refused. In TinyOS 1 and in Contiki's event queue a refused post is work that is lost. A queue that is
// full but has refused nothing is no finding. A handler that declares to be re-entrant, by its first instruction, may be entered
// again, up to a depth. A firmware without any handler that ends asleep is a program that is done; one that has handlers, but was
// never interrupted, may sleep for ever as well. One that has been interrupted may not: where a test program is meant to end that
// way, silence it.
//
// What it does not see: loops with interrupts off other than a CLI in front of a jump to itself; starvation without a kernel whose
// tasks are known; where exactly the watchdog's reset met the program (it says which task or handler ran, and where WDR was last).
// A watchdog reset is told by its flag: while the program leaves the flags of both a watchdog and an external reset set, further
// watchdog resets are not counted.
//
// Invariants: watching changes nothing in the mote; what is found depends on the run alone; a Watch's state is plain data, so
// it is copied along with its world's; the tables of a firmware are shared and never change. A false alarm is a defect.
package kernel

import (
	"fmt"
	"path"

	life "motehound/firmware/kernel"
	"motehound/world"
)

// Kind is what is wrong.
type Kind uint8

const (
	QueueFull    Kind = iota + 1 // a post was refused because the kernel's queue is full
	FailedPost                   // a post was refused because the task waits already; only when asked for
	Storm                        // handlers take nearly all of the time while a task waits
	Reentry                      // a handler is entered while it is active
	DeadSleep                    // asleep with interrupts on, but no source that can wake it is
	Halted                       // asleep or in an empty loop with interrupts off: the program has ended
	Watchdog                     // the watchdog has reset the mote
	BadInterrupt                 // an interrupt without a handler has led to the reset vector
	Restart                      // the program got to address 0 without a reset
	Failure                      // the program has called a failure routine
	numKinds
)

var kindNames = [numKinds]string{"", "queue_full", "failed_post", "storm", "reentry", "dead_sleep", "halted", "watchdog", "bad_interrupt",
	"restart", "failure"}

func (k Kind) String() string { return kindNames[k] }

// FindKind looks a kind up by its name.
func FindKind(name string) (Kind, error) {
	for k := QueueFull; k < numKinds; k++ {
		if kindNames[k] == name {
			return k, nil
		}
	}
	return 0, fmt.Errorf("unknown kernel check %q: use one of %v", name, kindNames[1:])
}

// Place is a function and where in its source.
type Place struct {
	Function string
	File     string // "" when unknown
	Line     int
}

func (p Place) String() string {
	if p.File == "" {
		return p.Function
	}
	return fmt.Sprintf("%s at %s:%d", p.Function, p.File, p.Line)
}

// Finding is one cause: a kind of event at one place, about one task, vector or routine.
type Finding struct {
	Kind  Kind
	Mote  int    // index in the world: where it was first seen
	Cycle uint64 // and when, in the mote's cycles
	PC    uint32 // flash byte address of the instruction: the call, the SLEEP, the handler's first
	Place
	Message string  // as "the event queue refuses sender: event 5: it is full"
	Subject string  // the task, vector or failure routine that it is about; "" if none
	Chain   []Place // the calls that led there, the innermost first, functions that were inlined among them; as far as known
	Count   int     // how often it was seen

	arg    uint16 // what Subject names, as a number
	cause  uint32 // PC, where that belongs to the cause
	silent bool   // the user has accepted it
}

func (f Finding) String() string {
	return fmt.Sprintf("%s: %s, in %v", f.Kind, f.Message, f.Place)
}

// Silence leaves out what is known and accepted: a kind of finding, or those in a function, or about a task, vector or failure
// routine; or what all of the given say.
type Silence struct {
	Kind     Kind   // 0 for any
	Function string // as DWARF or the symbol table has it; also of inlined functions
	Subject  string // as Finding has it
	Reason   string
}

// Options choose what is looked for. The zero value is what everybody wants.
type Options struct {
	FailedPosts  bool              // also posts that are refused because the task waits already
	Failures     []string          // failure routines besides FailureRoutines: names, where * and ? stand for others
	Kernel       *life.Description // of a kernel that is not among the known ones
	StormTime    uint64            // picoseconds for which handlers may keep a task waiting; 0 for a second
	StormPercent uint64            // of that time which handlers must take; 0 for 95
	Silence      []Silence
}

// FailureRoutines are the names that always count as failure routines. A function called assert is one when its argument is 0.
func FailureRoutines() []string {
	return []string{"deputy_fail*", "assert", "_xassert", "__assert", "__assert_func", "abort", "panic"}
}

// check says what is wrong with the options.
func (o Options) check() error {
	for _, s := range o.Silence {
		switch {
		case s.Kind == 0 && s.Function == "" && s.Subject == "":
			return fmt.Errorf("a silence names neither a kind, a function nor a subject: it would hide everything")
		case s.Kind >= numKinds:
			return fmt.Errorf("a silence is for kind %d: there are kinds 1 to %d", s.Kind, numKinds-1)
		case s.Reason == "":
			return fmt.Errorf("the silence for %s gives no reason: say why the finding is accepted", s)
		}
	}
	for _, p := range o.Failures {
		if _, err := path.Match(p, ""); err != nil || p == "" {
			return fmt.Errorf("the failure routine %q is no pattern: use a function's name, with * and ? for any characters", p)
		}
	}
	if o.StormPercent > 100 {
		return fmt.Errorf("handlers cannot take %d%% of the time: use a storm percentage of up to 100", o.StormPercent)
	}
	return nil
}

// String names what is silenced.
func (s Silence) String() string {
	text := ""
	for _, part := range []string{kindNames[s.Kind], s.Function, s.Subject} {
		if part != "" && text != "" {
			text += " "
		}
		text += part
	}
	return text
}

func (o Options) stormTime() uint64 {
	if o.StormTime == 0 {
		return world.Second
	}
	return o.StormTime
}

func (o Options) stormPercent() uint64 {
	if o.StormPercent == 0 {
		return 95
	}
	return o.StormPercent
}
