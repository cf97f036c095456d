package kernel

import "slices"

// Rounds. A main program without a kernel goes round in its loop, and each round is an event of its own: it begins where the loop does, or where the mote wakes
// up in it, and ends where the next one begins or where the mote falls asleep. A round that leaves variables, the registers that the loop depends on
// and devices as they were is idle. What handlers change meanwhile is not the round's doing. A CPU's Sum is a sum over the bytes, so what they change can be taken off.

// Idle is the Arg of a Round or a Rest if the round that ends there did nothing.
const Idle = 1

// rounds is what a Watch remembers of them.
type rounds struct {
	base    uint64 // Sum where the round began
	handled uint64 // what handlers have added to it since
	entered uint64 // Sum where the outermost handler began
	within  bool   // a round has begun
}

// Rounds is the profile with Round and Rest items, if the firmware has no kernel and its main loop is known. Else it is the same.
func (p *Profile) Rounds() *Profile {
	if p.Loop.Head == 0 || p.rounds {
		return p
	}
	q := *p
	q.rounds, q.index, q.actions = true, slices.Clone(p.index), slices.Clone(p.actions)
	for i, list := range q.actions {
		q.actions[i] = slices.Clip(list)
	}
	for _, pc := range p.Loop.sleeps {
		q.on(pc, rest)
		q.on(pc+1, round)
	}
	if !slices.Contains(p.Loop.sleeps, p.Loop.Head) && !slices.Contains(p.Loop.sleeps, p.Loop.Head-1) {
		q.on(p.Loop.Head, round)
	}
	return &q
}

// HasRounds reports whether the profile has those items.
func (p *Profile) HasRounds() bool { return p.rounds }

// round is the action where a round begins.
func round(w *Watch) {
	if w.nHandlers > 0 {
		return
	}
	sum := w.cpu.Sum(w.profile.Loop.Live)
	w.emit(Round, w.idle(sum))
	w.rounds = rounds{base: sum, within: true}
}

// rest is the action of a SLEEP.
func rest(w *Watch) {
	if w.nHandlers > 0 {
		return
	}
	w.emit(Rest, w.idle(w.cpu.Sum(w.profile.Loop.Live)))
	w.rounds = rounds{}
}

// idle is the Arg of what ends a round.
func (w *Watch) idle(sum uint64) uint16 {
	if w.within && sum == w.base+w.handled {
		return Idle
	}
	return 0
}

// enters is where the outermost handler begins.
func (w *Watch) enters() {
	if w.profile.rounds {
		w.entered = w.cpu.Sum(0)
	}
}

// left is where it ends.
func (w *Watch) left() {
	if w.profile.rounds {
		w.handled += w.cpu.Sum(0) - w.entered
	}
}
