package engine

import (
	"fmt"
	"math/bits"

	"motehound/study/symbolic/core"
)

// Progress is how far an exploration is.
type Progress struct {
	Now          uint64 // the moment that the outcomes which were run last have reached, in picoseconds since the start
	Outcomes     int    // that have been run to their end
	Groups       int    // of outcomes that wait
	States       int
	Findings     int
	Blocks       int // of code that were reached, of all motes together
	Instructions uint64
	Bytes        int // that are needed, about
}

// Standing is where a state of a mote stands.
type Standing struct {
	Mote int
	End  core.End // core.Going if it can go on
	PC   uint32   // flash byte address
	core.Place
	Time uint64 // picoseconds since the start
}

// Left is where a state stood that was not run to the end, and why.
type Left struct {
	Standing
	Why   string
	Count int // how many states stood there; Time is the first one's
}

func (l Left) String() string {
	return fmt.Sprintf("mote %d, %s: %d states, %s", l.Mote, l.Place, l.Count, l.Why)
}

func (n *node) standing() Standing {
	pc, at, _ := n.s.Where()
	return Standing{Mote: n.mote, End: n.s.Ended(), PC: pc, Place: at, Time: n.boot + n.s.Time()}
}

// cover is which code of a mote was reached.
type cover struct {
	blocks []uint32
	set    []uint64
}

func newCover(s *core.State) cover {
	b := s.Blocks()
	return cover{b, make([]uint64, (len(b)+63)/64)}
}

// covers notes which code a state has run through.
func (e *Engine) covers(n *node) {
	if n.s.CoverTo(e.cover[n.mote].set) > 0 {
		n.g.since = n.g.ran
	}
}

// Reached is where blocks of a mote's code begin that some state has run through, in flash byte addresses.
func (e *Engine) Reached(mote int) (list []uint32) {
	for i, at := range e.cover[mote].blocks {
		if e.cover[mote].set[i/64]>>(i%64)&1 != 0 {
			list = append(list, at)
		}
	}
	return list
}

// Now is how far the exploration is.
func (e *Engine) Now() Progress {
	p := Progress{Now: e.g.now, Outcomes: e.stats.Outcomes, Groups: e.search.Len(), States: e.alive, Findings: len(e.findings),
		Instructions: e.stats.Instructions, Bytes: e.bytes()}
	for _, c := range e.cover {
		for _, w := range c.set {
			p.Blocks += bits.OnesCount64(w)
		}
	}
	return p
}

// What a state takes, about: one that is kept ready to run has a mote of its own. And an outcome that is kept without its states.
const (
	bytesAboard  = 40 << 10
	bytesResting = 12 << 10
	bytesOutcome = 4 << 10
)

// bytes is how much memory is in use, about.
func (e *Engine) bytes() int {
	aboard := min(e.alive, len(e.cfg.World.Motes)*e.x.Aboard())
	return e.pool.Bytes() + e.solver.Bytes() + aboard*bytesAboard + (e.alive-aboard)*bytesResting + len(e.ended)*bytesOutcome
}

// tellEvery is how many windows go by between two reports of progress.
const tellEvery = 64

// bound looks whether the exploration has to end, or to do with less.
func (e *Engine) bound(g *group) {
	if e.stats.Stopped != "" {
		return
	}
	switch {
	case e.alive > e.cfg.MaxStates && !e.dissolveAll():
		e.stop(fmt.Sprintf("there are more than %d states", e.cfg.MaxStates))
	case e.cfg.MaxBytes > 0 && e.bytes() > e.cfg.room():
		e.makeRoom(g)
	case e.stats.Windows > e.resumed() && e.cfg.Stop != nil && e.cfg.Stop():
		e.stop("it was stopped")
	}
	if e.cfg.Progress != nil && e.stats.Windows >= e.told+tellEvery {
		e.told = e.stats.Windows
		e.cfg.Progress(e.Now())
	}
}

// halts tells, in the middle of a window, whether the exploration has to end. A mote that nobody can reach has one window for all of its
// run. What was done of it is done again when the exploration is resumed.
func (e *Engine) halts() bool {
	const often = 64
	if e.asked++; e.asked%often != 0 {
		return e.stats.Stopped != ""
	}
	if e.stats.Stopped == "" && e.stats.Windows >= e.resumed() && e.cfg.Stop != nil && e.cfg.Stop() {
		e.stop("it was stopped")
	}
	if e.cfg.Progress != nil {
		e.cfg.Progress(e.Now())
	}
	return e.stats.Stopped != ""
}

// bytesProcess is what the process takes before it explores anything, about: its code, firmware and their tables.
const bytesProcess = 32 << 20

// room is how much memory states and expressions may take: garbage that was not collected yet takes as much again, and the runtime some on
// top.
func (c *Config) room() int { return max(0, c.MaxBytes-bytesProcess) / 5 * 2 }

// bounded says why states are left out for want of memory.
func (c *Config) bounded() string {
	return fmt.Sprintf("memory is bounded to %.4g MiB", float64(c.MaxBytes)/(1<<20))
}

// dissolveAll gives the states of groups back that are done. It tells whether there are fewer states now than are allowed.
func (e *Engine) dissolveAll() bool {
	for _, g := range e.groups {
		if g != nil && g.done {
			e.dissolve(g)
		}
	}
	return e.alive <= e.cfg.MaxStates
}

// makeRoom gives memory back until there is some to go on with: states of outcomes that have ended, and then of those which are furthest from
// their end. If even those that are being run now need too much, they are parted.
func (e *Engine) makeRoom(now *group) {
	if e.dissolveAll(); e.stats.Stopped != "" {
		return
	}
	enough := e.cfg.room() / 4 * 3
	for e.bytes() > enough {
		last := e.furthest(now)
		if last == nil {
			part, ok := e.part(now)
			if !ok {
				if e.bytes() > e.cfg.room() {
					e.stop("one outcome and its expressions need more: " + e.cfg.bounded())
				}
				return
			}
			last = part
		}
		e.abandon(last, e.cfg.bounded())
	}
}

// furthest is the group that waits and has furthest to go; the oldest of several.
func (e *Engine) furthest(but *group) (last *group) {
	for _, g := range e.groups {
		if g != nil && g != but && !g.done && (last == nil || g.now < last.now) {
			last = g
		}
	}
	return last
}

// stop ends the exploration before its time.
func (e *Engine) stop(why string) {
	if e.stats.Stopped != "" {
		return
	}
	e.stats.Stopped = why
	for _, g := range e.groups {
		if g != nil && !g.done {
			e.leave(g, why)
		}
	}
}
