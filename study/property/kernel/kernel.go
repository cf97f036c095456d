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
// never interrupted, may sleep for ever as well. One that has been interrupted may not, unless it has a kernel and sleeps for ever in
// an ordinary run, too (see builtin.Learner): then it has nothing left to do. Where another program is meant to end that way, silence it.
//
// What it does not see: loops with interrupts off other than a CLI before a jump to itself; starvation without a kernel whose
// tasks are known; where exactly the watchdog's reset met the program (it says which task or handler ran, and where WDR was last).
// A watchdog reset is told by its flag: while the program leaves the flags of both a watchdog and an external reset set, further
// watchdog resets are not counted.
//
// Invariants: watching changes nothing in the mote; what is found depends on the run alone; a tracker's state is plain data, so
// it is copied along with its world's; the tables of a firmware are shared and never change. A false alarm is a defect.
package kernel

import (
	"fmt"
	"path"
	"slices"

	life "motehound/firmware/kernel"
	"motehound/mote"
	"motehound/mote/digest"
	"motehound/observe/lifecycle"
	"motehound/study/property/builtin"
	"motehound/world"
)

// What is wrong.
const (
	queueFull    builtin.Kind = "kernel: queue_full"    // a post was refused because the kernel's queue is full
	failedPost   builtin.Kind = "kernel: failed_post"   // a post was refused because the task waits already; only when asked for
	storm        builtin.Kind = "kernel: storm"         // handlers take nearly all of the time while a task waits
	Reentry      builtin.Kind = "kernel: reentry"       // a handler is entered while it is active
	DeadSleep    builtin.Kind = "kernel: dead_sleep"    // asleep with interrupts on, but no source that can wake it is
	Halted       builtin.Kind = "kernel: halted"        // asleep or in an empty loop with interrupts off: the program has ended
	watchdog     builtin.Kind = "kernel: watchdog"      // the watchdog has reset the mote
	badInterrupt builtin.Kind = "kernel: bad_interrupt" // an interrupt without a handler has led to the reset vector
	restart      builtin.Kind = "kernel: restart"       // the program got to address 0 without a reset
	failure      builtin.Kind = "kernel: failure"       // the program has called a failure routine
)

// harmless are the kinds after which the mote's state still makes sense.
var harmless = []builtin.Kind{queueFull, failedPost, storm, DeadSleep, Halted, watchdog}

// Check implements builtin.Check. The zero value is what everybody wants.
//
// In explored worlds events may be arbitrarily late. There a waiting task is no finding, there are no storms, and the watchdog counts only if
// the program has reset it in the same step, so that the delay was its own.
type Check struct {
	StormTime    uint64 // picoseconds for which handlers may keep a task waiting; 0 for a second
	StormPercent uint64 // of that time which handlers must take; 0 for 95
}

// Name implements builtin.Check.
func (Check) Name() string { return "kernel" }

// Kinds implements builtin.Check.
func (Check) Kinds() []builtin.Kind {
	return []builtin.Kind{queueFull, failedPost, storm, Reentry, DeadSleep, Halted, watchdog, badInterrupt, restart, failure}
}

// Marks implements builtin.Check: a mote has failed, and was served.
func (Check) Marks() int { return 2 }

// Prepare implements builtin.Check.
func (c Check) Prepare(kinds []*mote.Kind, opt *builtin.Options) (builtin.Prepared, error) {
	for _, p := range opt.Failures {
		if _, err := path.Match(p, ""); err != nil || p == "" {
			return nil, fmt.Errorf("the failure routine %q is not a pattern: use a function's name (* and ? stand for any characters)", p)
		}
	}
	if c.StormPercent > 100 {
		return nil, fmt.Errorf("handlers cannot take %d%% of the time: use a storm percentage of up to 100", c.StormPercent)
	}
	if c.StormTime == 0 {
		c.StormTime = world.Second
	}
	if c.StormPercent == 0 {
		c.StormPercent = 95
	}
	tables, err := builtin.ByMote(kinds, func(k *mote.Kind) (*table, error) { return newTable(k, opt) })
	return &prepared{Check: c, opt: opt, kinds: kinds, tables: tables}, err
}

// failureRoutines are the names that always count as failure routines. A function called assert is one when its argument is 0.
func failureRoutines() []string {
	return []string{"deputy_fail*", "assert", "_xassert", "__assert", "__assert_func", "abort", "panic"}
}

// prepared is the check of a Config's motes.
type prepared struct {
	Check
	opt    *builtin.Options
	kinds  []*mote.Kind // by mote
	tables []*table     // the same
	done   []*table     // of motes that sleep for ever in an ordinary run
}

// Begin implements builtin.Prepared.
func (p *prepared) Begin(w *world.World) []builtin.Tracker {
	var profiles []*life.Profile
	for _, t := range p.tables {
		profiles = append(profiles, t.profile)
	}
	var motes []*tracker
	follow := lifecycle.Follow(w, profiles, func(i int, cycle uint64, pc uint32, items []life.Item) { motes[i].lives(cycle, pc, items) })
	var list []builtin.Tracker
	for i, m := range w.Motes() {
		t := newTracker(p, w, i, m, follow.Watches[i])
		motes, list = append(motes, t), append(list, t)
	}
	w.Observe(world.Observer{
		Code: func(i int, cycle uint64, pc uint32) bool {
			m := motes[i]
			m.Changed = true
			m.special(cycle, pc, m.t.roles[pc])
			return false
		},
		Kept:   func(i int, d *digest.Digest) { motes[i].appendKept(d) },
		CodeAt: func(k *mote.Kind) []uint32 { return p.tables[slices.Index(p.kinds, k)].at },
	})
	return list
}

// Learn implements builtin.Learner: programs that come to their end, and have a kernel.
func (p *prepared) Learn(from []builtin.Tracker) {
	p.done = nil
	for _, x := range from {
		if t := x.(*tracker); t.over && t.t.profile.Kernel != life.None && !slices.Contains(p.done, t.t) {
			p.done = append(p.done, t.t)
		}
	}
}

// LeftOut implements builtin.Prepared: programs that come to their end, and names of failure routines that no firmware has.
func (p *prepared) LeftOut() []string {
	var list []string
	for _, t := range p.done {
		list = append(list, fmt.Sprintf("%s of %s: it comes to its end in an ordinary run, too", string(DeadSleep), t.im.Path))
	}
	for _, name := range p.opt.Failures {
		if !slices.ContainsFunc(p.kinds, func(k *mote.Kind) bool { return hasFailure(k.Image, name) }) {
			list = append(list, fmt.Sprintf("the failure %q: no firmware has a function of that name", name))
		}
	}
	return list
}
