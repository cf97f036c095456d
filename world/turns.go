package world

import "motehound/world/medium"

// turns keeps the order of time among motes that draw on a budget together. Motes run ahead of each other, so the one that
// runs first is not the one that is first in time. Where there is such a budget, a mote pauses before everything that
// could make it draw, and when all have run as far as they can, the earliest goes on.
//
// It is empty between two calls of RunUntil: what a mote waits for is in its inbox.
type turns struct {
	at   []uint64 // by mote: what it waits with; Never if it does not wait
	mote int      // whose turn it is
	now  uint64   // and for what
	need bool     // whether there is anything to wait for
	on   bool     // RunUntil is under way
}

func newTurns(at []uint64, need bool) turns {
	t := turns{at: at, mote: -1, need: need}
	for i := range t.at {
		t.at[i] = medium.Never
	}
	return t
}

func (t *turns) waiting(i int) bool { return t.at[i] != medium.Never }

// mustWait tells a mote whether it has to wait with what happens at a moment.
func (t *turns) mustWait(i int, at uint64) bool {
	if !t.need || !t.on || t.mote == i && t.now == at {
		return false
	}
	t.at[i] = at
	return true
}

// takeTurns lets the motes that wait go on to a moment, the earliest first, and of several the first in the Config.
// What comes at that moment or later waits for the next call.
func (w *World) takeTurns(until uint64) {
	t := &w.turns
	if !t.need {
		return
	}
	for {
		first := -1
		for i, at := range t.at {
			if at < until && (first < 0 || at < t.at[first]) {
				first = i
			}
		}
		if first < 0 {
			break
		}
		t.mote, t.now, t.at[first] = first, t.at[first], medium.Never
		w.runMote(first, until)
		w.stale(first)
	}
	t.mote = -1
	for i := range t.at {
		t.at[i] = medium.Never
	}
}
