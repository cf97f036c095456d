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
	"motehound/study/property/builtin"
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

// Check is the name of the check that finds it: "kernel: storm".
func (k Kind) Check() string { return "kernel: " + kindNames[k] }

// Checks are the names of all checks.
func Checks() []string {
	var list []string
	for k := QueueFull; k < numKinds; k++ {
		list = append(list, k.Check())
	}
	return list
}

// Finding is one cause: a kind of event at one place, about one task, vector or routine.
type Finding struct {
	Kind  Kind
	Mote  int    // index in the world: where it was first seen
	Cycle uint64 // and when, in the mote's cycles
	At    uint64 // and in picoseconds since the start
	PC    uint32 // flash byte address of the instruction: the call, the SLEEP, the handler's first
	builtin.Place
	Message string          // as "the event queue refuses sender: event 5: it is full"
	Subject string          // the task, vector or failure routine that it is about; "" if none
	Chain   []builtin.Place // the calls that led there, the innermost first, functions that were inlined among them; as far as known
	Count   int             // how often it was seen

	arg    uint16 // what Subject names, as a number
	cause  uint32 // PC, where that belongs to the cause
	silent bool   // the user has accepted it
}

func (f Finding) String() string {
	return fmt.Sprintf("%s: %s, in %v", f.Kind, f.Message, f.Place)
}

// Options choose what is looked for. The zero value is what everybody wants.
type Options struct {
	FailedPosts  bool              // also posts that are refused because the task waits already
	Failures     []string          // failure routines besides FailureRoutines: names, where * and ? stand for others
	Kernels      life.Descriptions // those that are not among the known ones
	StormTime    uint64            // picoseconds for which handlers may keep a task waiting; 0 for a second
	StormPercent uint64            // of that time which handlers must take; 0 for 95
	Silence      []builtin.Silence
	// Explore is for worlds in which events are late as somebody likes. A task that waits tells nothing then, and there are no
	// storms; and the watchdog counts only if the program has reset it since the last Take, so that the delay was its own.
	Explore bool
}

// FailureRoutines are the names that always count as failure routines. A function called assert is one when its argument is 0.
func FailureRoutines() []string {
	return []string{"deputy_fail*", "assert", "_xassert", "__assert", "__assert_func", "abort", "panic"}
}

// check says what is wrong with the options.
func (o Options) check() error {
	if err := builtin.Validate(o.Silence); err != nil {
		return err
	}
	for _, p := range o.Failures {
		if _, err := path.Match(p, ""); err != nil || p == "" {
			return fmt.Errorf("the failure routine %q is not a pattern: use a function's name (* and ? stand for any characters)", p)
		}
	}
	if o.StormPercent > 100 {
		return fmt.Errorf("handlers cannot take %d%% of the time: use a storm percentage of up to 100", o.StormPercent)
	}
	return nil
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
