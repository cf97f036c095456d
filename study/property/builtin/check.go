package builtin

import (
	"slices"

	"motehound/firmware/kernel"
	"motehound/isa/avr"
	"motehound/mote"
	"motehound/world"
)

// Options choose what is checked besides what the scenario says. The zero value is what everybody wants in a timed run.
type Options struct {
	Without []string // names of built-in checks that are left out
	// Taught is a Set that has learned, of the same motes with the same options; nil for none. To learn it again takes time.
	Taught *Set
	// Explore is for worlds in which events are late as somebody likes: what only says that something took long is no finding.
	Explore bool
	// Learn is for how long, in picoseconds, an ordinary run of the Config goes ahead from which the memory checks learn which objects
	// the code's constants are for: what they know they need not learn on every path. 0 is for ten seconds if Explore (less for
	// more than eight motes), and for none otherwise.
	Learn       uint64
	Unwritten   bool                // also reads of SRAM that nothing wrote
	FailedPosts bool                // also posts that are refused because the task waits already
	Failures    []string            // failure routines besides the usual ones and the scenario's: names, where * and ? stand for others
	Kernels     kernel.Descriptions // those that are not among the known ones
	Silence     []Silence           // besides the scenario's
	// Stop, if not nil, reports that nobody waits for the result: preparing then ends with verdict.ErrInterrupted.
	Stop func() bool
}

// Check is one built-in check.
type Check interface {
	// Name is what users call it: "memory".
	Name() string
	// Kinds is everything that it can find.
	Kinds() []Kind
	// Marks is how many bits a Tracker's Mark has. It is the same in all worlds.
	Marks() int
	// Prepare works out what to look at in motes of these kinds, one for each mote. It is slow, and done once for all worlds.
	Prepare(kinds []*mote.Kind, opt *Options) (Prepared, error)
}

// Prepared is a check that is prepared for the motes of a Config. It does not change while worlds are looked at.
type Prepared interface {
	// Begin looks at the motes of a world from now on, and gives a tracker for each: best before the world has run, for what happened
	// before is not known.
	Begin(w *world.World) []Tracker
	// LeftOut is what was asked for and cannot be looked at, for people.
	LeftOut() []string
}

// Learner is a Prepared that knows more after an ordinary run.
type Learner interface {
	// Learn takes what the trackers of a world have learned, instead of what it has taken before. No other world is there yet.
	Learn(from []Tracker)
}

// Tracker looks at one mote. It embeds a Base, and reports to it.
type Tracker interface {
	// Common is the Base.
	Common() *Base
	// Freeze gives the state, except for what the Base has. Nobody changes it any more, and many snapshots share it. Last is what was given
	// or put back before, or nil: they may share what they have in common.
	Freeze(last State) State
	// Thaw puts back what Freeze gave, here or in another tracker of the same Prepared.
	Thaw(from State)
	// CopyFrom makes the state that of another tracker of the same Prepared.
	CopyFrom(from Tracker)
	State
	// Pending is something that would be found if the run ended here.
	Pending() (Finding, bool)
}

// State is what a Tracker remembers.
type State interface {
	// Mark is what decides about findings to come, and is no part of the mote's state: states that differ in it are not equal.
	Mark() uint64
}

// Base is what the trackers of all checks have in common.
type Base struct {
	// Changed says that the state is not any more what it was when it was last saved or put back.
	Changed  bool
	opt      *Options
	world    *world.World
	mote     int
	findings []Finding
	rest     *rest
	mending  *[]mending // of the Watch; nil without one
}

// rest is a state that nobody changes any more. Many snapshots share it.
type rest struct {
	State
	findings []Finding
}

// NewBase begins to look at a mote.
func NewBase(w *world.World, mote int, opt *Options) Base {
	return Base{Changed: true, opt: opt, world: w, mote: mote}
}

// Common implements Tracker.
func (b *Base) Common() *Base { return b }

// Found is how much was found on the mote.
func (b *Base) Found() int { return len(b.findings) }

// Pending is for checks that find everything when it happens.
func (b *Base) Pending() (Finding, bool) { return Finding{}, false }

// Known counts a finding if there is one of its kind and spot.
func (b *Base) Known(k Kind, s Spot) bool {
	for i := range b.findings {
		if g := &b.findings[i]; g.Kind == k && (g.Spot == s || slices.Contains(g.also, s)) {
			g.Count++
			return true
		}
	}
	return false
}

// Report adds a finding, or counts it if its cause is known. Its spot is known from then on.
func (b *Base) Report(f Finding) {
	for i := range b.findings {
		if g := &b.findings[i]; g.same(&f) {
			g.Count++
			if g.Spot != f.Spot {
				g.also = append(slices.Clip(g.also), f.Spot) // copies share what there is
			}
			return
		}
	}
	b.findings = append(b.findings, b.Complete(f))
}

// mending is a register that gets back what it had.
type mending struct {
	core *avr.Core
	reg  uint8
	was  uint8
}

// Mend has a register get back what it has now once the instruction is over that is going to spoil it, where events come in any order. It tells whether it will. So what a program would do
// with wrong registers is not explored, and what else is wrong is.
func (b *Base) Mend(c *avr.Core, reg uint8) bool {
	if !b.opt.Explore || b.mending == nil {
		return false
	}
	*b.mending = append(*b.mending, mending{c, reg, c.R[reg]})
	b.world.Motes()[b.mote].Pause()
	return true
}

// Complete adds to a finding what every check says in the same way.
func (b *Base) Complete(f Finding) Finding {
	f.Mote, f.Count = b.mote, 1
	if !b.opt.Explore {
		f.At = b.world.TimeOf(b.mote, f.Cycle)
	}
	im := b.world.Motes()[b.mote].Kind.Image
	f.silent = slices.ContainsFunc(b.opt.Silence, func(s Silence) bool { return s.covers(&f, im) })
	return f
}
