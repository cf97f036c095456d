package world

import "motehound/mote/radio"

// schedule is what the world knows of how far motes may run. It is derived from their states, and not part of them.
type schedule struct {
	next    []uint64 // by mote: the earliest moment at which it does something by itself
	promise []uint64 // by mote: nothing new of it is on the air or on a wire before; outOfDate if that is to be worked out
	// Stride, for tests: the most that motes may run ahead, given the present moment; nil for no limit.
	stride func(now uint64) uint64
	prompt bool // for tests: every byte is heard at its moment
}

// Slack is how far an instruction, or an interrupt's entry, can carry a mote beyond the moment it was told to stop at:
// no signal may fall into that.
const Slack = 4 * Microsecond

// stale says that what is known of a mote is out of date.
func (w *World) stale(i int) { w.sched.promise[i] = outOfDate }

// outOfDate is no promise: motes promise something for later than the moment at which they are.
const outOfDate = 0

// RunUnless runs every mote to a moment, but ends before it when somebody says so. It reports whether the moment was reached. Stop, which may be
// nil, is asked so often that many motes, too, end soon after.
func (w *World) RunUnless(stop func() bool, ps uint64) bool {
	glance := max(100*Millisecond/uint64(max(1, len(w.motes))), 5*Millisecond)
	for w.Now() < ps {
		if stop != nil && stop() {
			return false
		}
		w.RunUntil(min(ps, w.Now()+glance))
	}
	return true
}

// RunUntil runs every mote to a moment. It makes no difference in how many steps a moment is reached.
//
// Motes take turns: each runs on to just before the earliest moment at which something that another one has not done
// yet could reach it. A mote that sleeps until later than that is not touched at all.
func (w *World) RunUntil(ps uint64) {
	w.wake()
	w.turns.on = true
	if w.cfg.Net != nil && len(w.motes) > 1 {
		w.runWindows(ps)
	}
	for i := range w.motes {
		w.runMote(i, ps)
	}
	w.takeTurns(ps)
	w.turns.on = false
	w.st.Now = max(w.st.Now, ps)
}

// runWindows runs motes that can reach each other, up to a moment, in windows in which none can.
func (w *World) runWindows(ps uint64) {
	now := w.st.Now
	for i, m := range w.motes {
		w.stale(i)
		m.Disturb() // whoever called may have done something to it
	}
	for now < ps {
		horizon, next := w.horizon()
		until := min(ps, horizon-Slack)
		if next >= ps || horizon == radio.Never {
			until = ps
		}
		if w.sched.stride != nil {
			until = min(until, now+w.sched.stride(now))
		}
		for i := range w.motes {
			if w.sched.next[i] < until {
				w.runMote(i, until)
				w.look(i) // now: what it looks at is at hand
			}
		}
		w.takeTurns(until)
		now = until
	}
}

// horizon is the earliest moment at which a mote can put something new on the air or a wire, and the earliest one at which
// a mote does anything.
func (w *World) horizon() (horizon, next uint64) {
	s := &w.sched
	horizon, next = radio.Never, radio.Never
	for i := range w.motes {
		if s.promise[i] == outOfDate {
			w.look(i)
		}
		horizon = min(horizon, s.promise[i])
		next = min(next, s.next[i])
	}
	return horizon, next
}

// look brings what is known of a mote up to date.
func (w *World) look(i int) { w.sched.next[i], w.sched.promise[i] = w.outlook(i) }

// outlook is when a mote acts next, and when others can notice at the earliest.
func (w *World) outlook(i int) (next, promise uint64) {
	m, boot := w.motes[i], w.per[i].boot
	next, promise = radio.Never, radio.Never
	if w.per[i].off {
		next = w.nextSignal(i)
	} else {
		next = m.NextAction()
		if r := m.Radio(); r != nil {
			if p := r.Promise(next, next); p != radio.Never {
				promise = boot + p
			}
		}
		if next != radio.Never {
			next += boot
			promise = min(promise, w.wirePromise(i, next))
		}
	}
	if at, ok := w.nextAct(i); ok {
		next = min(next, at)
		promise = min(promise, at+radio.MinLookahead)
	}
	return next, promise
}

// nextSignal is when something reaches a mote that cannot plan for it.
func (w *World) nextSignal(i int) uint64 {
	next := uint64(radio.Never)
	if in := w.per[i].air.Inbox; len(in) > 0 {
		next = in[0].At
	}
	if in := w.per[i].lines.Inbox; len(in) > 0 {
		next = min(next, in[0].At)
	}
	return next
}
