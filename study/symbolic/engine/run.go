package engine

import (
	"fmt"
	"maps"
	"slices"

	"motehound/study/symbolic/core"
	"motehound/world/medium"
)

// Run explores to the end, or to a bound: Stats.Stopped says which. It can be called once.
func (e *Engine) Run() error {
	for e.now < e.cfg.Until && e.stats.Stopped == "" {
		until := e.window()
		for _, asserts := range []bool{true, false} { // others are to be behind those who look at them
			for id := 0; id < len(e.nodes); id++ { // those that are forked on the way are run by the way
				if n := e.nodes[id]; n != nil && n.next < until && e.asserts(n.mote) == asserts {
					e.runAll(n, until)
				}
			}
		}
		if e.err != nil {
			return e.err
		}
		e.deliver()
		e.stats.Windows++
		if e.now = until; e.now < e.cfg.Until {
			if err := e.check(); err != nil {
				return err
			}
		}
		e.bound()
	}
	for id := 0; id < len(e.nodes) && e.stats.Stopped == ""; id++ {
		if n := e.nodes[id]; n != nil {
			e.runAll(n, e.cfg.Until) // the last stretch, in which a mote may only sleep
		}
	}
	if e.err != nil {
		return e.err
	}
	if e.stats.Stopped == "" {
		if err := e.check(); err != nil {
			return err
		}
	}
	return e.pool.Err()
}

// What a state takes, about: one that is kept ready to run has a mote of its own.
const (
	bytesAboard  = 40 << 10
	bytesResting = 6 << 10
)

// bound looks whether the exploration has to end.
func (e *Engine) bound() {
	states := e.mapping.States()
	aboard := min(states, e.mapping.Motes()*e.x.Aboard())
	switch bytes := e.pool.Bytes() + aboard*bytesAboard + (states-aboard)*bytesResting; {
	case states > e.cfg.MaxStates:
		e.stop(fmt.Sprintf("there are more than %d states", e.cfg.MaxStates))
	case e.cfg.MaxBytes > 0 && bytes > e.cfg.MaxBytes:
		e.stop(fmt.Sprintf("states and expressions need more than %d bytes", e.cfg.MaxBytes))
	case states == 0:
		e.stop("no state is left")
	case e.cfg.Stop != nil && e.cfg.Stop():
		e.stop("it was told to stop")
	}
}

// stop ends the exploration before its time.
func (e *Engine) stop(why string) {
	e.stats.Stopped, e.stats.Unfinished = why, 0
	for _, n := range e.nodes {
		if n != nil && n.s.Ended() == core.Going {
			e.stats.Unfinished++
		}
	}
}

// asserts tells whether a mote has checks at places.
func (e *Engine) asserts(mote int) bool {
	return slices.ContainsFunc(e.cfg.Checks, func(c Check) bool { return c.Place != "" && c.Mote == mote })
}

// window is how far all motes can run before one of them can reach another.
func (e *Engine) window() uint64 {
	horizon, next := uint64(medium.Never), uint64(medium.Never)
	for _, n := range e.nodes {
		if n != nil {
			n.outlook()
			horizon, next = min(horizon, n.promise), min(next, n.next)
		}
	}
	end := e.nextCheck()
	if next >= end || horizon == medium.Never {
		return end
	}
	return max(min(end, horizon-slack), e.now+1)
}

// runAll runs a node to a moment, and all that is forked from it on the way.
func (e *Engine) runAll(n *node, until uint64) {
	e.todo = append(e.todo[:0], n)
	for len(e.todo) > 0 {
		n := e.todo[len(e.todo)-1]
		e.todo = e.todo[:len(e.todo)-1]
		if e.nodes[n.id] == n {
			e.run(n, until)
		}
	}
}

// run runs a node to a moment.
func (e *Engine) run(n *node, until uint64) {
	n.next, n.ranIn = 0, e.stats.Windows+1
	for n.s.Ended() == core.Going && n.boot < until && e.err == nil {
		if n.off {
			n.miss(min(n.onAt, until))
			if n.onAt >= until {
				return
			}
			n.s.PowerUp(n.onAt - n.boot)
			n.off, n.onAt = false, medium.Never
		}
		if n.boot+n.s.Time() >= until {
			break
		}
		n.setAlarm()
		forks := n.s.RunUntil(until - n.boot)
		e.note(n)
		for _, s := range forks {
			c := n.copy(s)
			e.enter(c)
			e.mapping.Branch(n.id, c.id)
			e.todo = append(e.todo, c)
		}
		n.sent = append(n.sent, n.s.Take()...)
		if len(n.s.Stops()) != 0 {
			if err := e.atPlace(n); err != nil {
				e.err = err
				return
			}
		}
		if n.s.Waits() && len(forks) == 0 {
			n.choose()
		}
		if len(e.todo)+e.mapping.States() > 2*e.cfg.MaxStates {
			e.stop(fmt.Sprintf("there are more than %d states", e.cfg.MaxStates))
			return
		}
	}
	if end := n.s.Ended(); end == core.Assumed || end == core.Failed || end == core.Full {
		e.remove(n)
	}
}

// note takes what a state has found, and how far it has run.
func (e *Engine) note(n *node) {
	all := n.s.Findings()
	for _, f := range all[n.found:] {
		e.report(n, f)
	}
	n.found = len(all)
	if now := n.s.Machine().Core().Instructions; now > n.ran {
		e.stats.Instructions += now - n.ran
		n.ran = now
	}
}

// cover notes which code a state has run through.
func (e *Engine) cover(n *node) {
	for _, at := range n.s.Reached() {
		e.reached[n.mote][at] = true
	}
}

// Reached is where blocks of a mote's code begin that some state has run through, in flash byte addresses.
func (e *Engine) Reached(mote int) []uint32 {
	for _, n := range e.nodes {
		if n != nil && n.mote == mote {
			e.cover(n)
		}
	}
	return slices.Sorted(maps.Keys(e.reached[mote]))
}

// remove takes a state away, with all scenarios that it is in.
func (e *Engine) remove(n *node) {
	if e.nodes[n.id] != n {
		return
	}
	for _, id := range append(e.mapping.Remove(n.id), n.id) {
		if o := e.nodes[id]; o != nil {
			e.cover(o)
			o.s.Release()
			e.nodes[id] = nil
		}
	}
}
