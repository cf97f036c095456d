// Package wait finds programs that wait in a loop which can never end, because of how they wait for an interrupt handler: a variable
// that the compiler reads once, before the loop, since it is not volatile; or a variable that only handlers write, in a loop with interrupts
// off, be it in the main program or in a handler.
//
// The loops are found in the code, once for each firmware (loops.go): they write no memory and use no device, but may look at pins. So what a loop does depends on
// registers and RAM alone. Nothing is looked at while a program goes round in one. It is looked at in front of the loop: there a ghost, which
// is a copy of the core and of its RAM, goes on until it is in the same state twice where the loop begins (ghost.go). The program will never leave the
// loop then, unless a handler changes what the loop reads.
//
//   - read_once: the loop reads no RAM, and branches in front of it or in it depend on variables that were read before. One of
//     them is written by a handler in such a way that the program would not have come here (stores.go), and it is not volatile. If
//     what the handler writes is not known, the variable must have the value that it has after a reset: then the program waits for it, and has not
//     stopped because of it. The loop may look at pins, too. Then the branch must be in it, and on the line that reads the variable: who copies a variable
//     before such a loop has another line for that.
//   - interrupts_off: the loop reads RAM that a handler writes, and interrupts are off from where it begins. Or Arduino's delay() is called with interrupts off, whose clock then stands still (delay.go).
//
// A loop without such a variable is no finding: programs end in an empty loop, or leave everything to handlers. Neither is one that the watchdog
// ends.
//
// What it does not see: other loops that write a variable or use a device, calls through pointers in them,
// handlers that write through pointers which are not constants, or that call functions otherwise than by name or through one variable (as attachInterrupt of Arduino sets it), and firmware without DWARF as far as read_once goes.
//
// Invariants: watching changes nothing in the mote; what is found depends on the run alone; a firmware's table is shared and never changes.
// A false alarm is a defect.
package wait

import (
	"slices"

	"motehound/mote"
	"motehound/mote/digest"
	"motehound/study/finding"
	"motehound/study/property/builtin"
	"motehound/world"
)

// What is wrong.
const (
	readOnce      builtin.Kind = "wait: read_once"      // waits for a variable that is read once, before the loop
	interruptsOff builtin.Kind = "wait: interrupts_off" // waits for a handler with interrupts off
)

// Explains tells whether a violation says why a mote does not go on.
func Explains(v finding.Violation) bool { return v.Property == string(interruptsOff) }

// Check implements builtin.Check.
type Check struct{}

// Name implements builtin.Check.
func (Check) Name() string { return "wait" }

// Kinds implements builtin.Check.
func (Check) Kinds() []builtin.Kind { return []builtin.Kind{readOnce, interruptsOff} }

// Marks implements builtin.Check: everything is in the mote's own state.
func (Check) Marks() int { return 0 }

// Prepare implements builtin.Check.
func (Check) Prepare(kinds []*mote.Kind, opt *builtin.Options) (builtin.Prepared, error) {
	tables, err := builtin.ByMote(kinds, func(k *mote.Kind) (*table, error) { return newTable(k), nil })
	return &prepared{kinds, tables, opt}, err
}

// prepared is the check of a Config's motes.
type prepared struct {
	kinds  []*mote.Kind // by mote
	tables []*table     // the same
	opt    *builtin.Options
}

// LeftOut implements builtin.Prepared.
func (*prepared) LeftOut() []string { return nil }

// Begin implements builtin.Prepared.
func (p *prepared) Begin(w *world.World) []builtin.Tracker {
	var list []builtin.Tracker
	for i, m := range w.Motes() {
		list = append(list, &tracker{Base: builtin.NewBase(w, i, p.opt), t: p.tables[i], m: m})
	}
	w.Observe(world.Observer{
		Code: func(i int, cycle uint64, pc uint32) bool {
			list[i].(*tracker).reached(cycle, pc)
			return false
		},
		CodeAt: func(k *mote.Kind) []uint32 { return p.tables[slices.Index(p.kinds, k)].at },
		Kept:   func(i int, d *digest.Digest) { d.Word(list[i].(*tracker).reports) },
	})
	return list
}

// tracker looks at one mote. It remembers nothing that a state would need.
type tracker struct {
	builtin.Base
	t       *table
	m       *mote.Mote
	g       ghost
	reports uint64 // how often something was found
}

type nothing struct{}

func (nothing) Mark() uint64 { return 0 }

// Mark implements builtin.State.
func (*tracker) Mark() uint64 { return 0 }

// Freeze implements builtin.Tracker, as do the two that follow.
func (*tracker) Freeze(builtin.State) builtin.State { return nothing{} }
func (*tracker) Thaw(builtin.State)                 {}
func (*tracker) CopyFrom(builtin.Tracker)           {}
