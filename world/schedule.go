package world

import (
	"motehound/mote/mcu"
	"motehound/mote/radio"
)

// schedule is what the world knows of how far motes may run. It is derived from their states, and not part of them.
type schedule struct {
	next    []uint64 // by mote: the earliest moment at which it does something by itself
	promise []uint64 // by mote: nothing new of it is on the air or on a wire before
	dirty   []bool   // by mote: the above are out of date
	// Stride, for tests: the most that motes may run ahead, given the present moment; nil for no limit.
	stride func(now uint64) uint64
}

// slack is how far an instruction, or an interrupt's entry, can carry a mote beyond the moment it was told to stop at:
// no signal may fall into that.
const slack = 4 * Microsecond

// stale says that what is known of a mote is out of date.
func (w *World) stale(i int) { w.sched.dirty[i] = true }

// SetStride limits how far motes run ahead of each other, as a function of the moment they start from. It changes
// nothing but speed, and is there to show that.
func (w *World) SetStride(f func(now uint64) uint64) { w.sched.stride = f }

// RunUntil runs every mote to a moment. It makes no difference in how many steps a moment is reached.
//
// Motes take turns: each runs on to just before the earliest moment at which something that another one has not done
// yet could reach it. A mote that sleeps until later than that is not touched at all.
func (w *World) RunUntil(ps uint64) {
	if w.cfg.Net == nil {
		for i := range w.motes {
			w.runMote(i, ps)
		}
		w.st.Now = max(w.st.Now, ps)
		return
	}
	now := w.st.Now
	for i := range w.motes {
		w.stale(i)
	}
	for now < ps {
		horizon, next := w.horizon()
		until := min(ps, horizon-slack)
		if next >= ps || horizon == radio.Never {
			until = ps
		}
		if w.sched.stride != nil {
			until = min(until, now+w.sched.stride(now))
		}
		for i := range w.motes {
			if w.sched.next[i] < until {
				w.runMote(i, until)
				w.stale(i)
			}
		}
		now = until
	}
	for i := range w.motes {
		w.runMote(i, ps)
	}
	w.st.Now = max(w.st.Now, ps)
}

// horizon is the earliest moment at which a mote can put something new on the air or a wire, and the earliest one at which
// a mote does anything.
func (w *World) horizon() (horizon, next uint64) {
	s := &w.sched
	horizon, next = radio.Never, radio.Never
	for i := range w.motes {
		if s.dirty[i] {
			s.next[i], s.promise[i] = w.outlook(i)
			s.dirty[i] = false
		}
		horizon = min(horizon, s.promise[i])
		next = min(next, s.next[i])
	}
	return horizon, next
}

// outlook is when a mote acts next, and when others can notice at the earliest.
func (w *World) outlook(i int) (next, promise uint64) {
	m, boot := w.motes[i], w.per[i].boot
	next = m.NextAction()
	promise = radio.Never
	if r := m.Radio(); r != nil {
		if p := r.Promise(m.Time(), next); p != radio.Never {
			promise = boot + p
		}
	}
	if next != radio.Never {
		next += boot
		promise = min(promise, w.wirePromise(i, next))
	}
	if at, ok := w.nextReset(i); ok {
		next = min(next, at)
		promise = min(promise, at+radio.MinLookahead)
	}
	return next, promise
}

// runMote runs one mote to a moment, through the resets on the way.
func (w *World) runMote(i int, ps uint64) {
	m := w.motes[i]
	for at, ok := w.nextReset(i); ok && at <= ps; at, ok = w.nextReset(i) {
		w.runStraight(i, at)
		w.per[i].resets++
		m.SkipTo(at - min(at, w.per[i].boot))
		m.Reset(mcu.External)
	}
	w.runStraight(i, ps)
}

func (w *World) runStraight(i int, ps uint64) {
	if boot := w.per[i].boot; ps > boot {
		w.motes[i].RunUntil(ps - boot)
	}
}

// nextReset is when a mote is reset next.
func (w *World) nextReset(i int) (at uint64, ok bool) {
	n := uint32(0)
	for _, r := range w.cfg.Resets {
		if r.Mote == i {
			if n == w.per[i].resets {
				return r.At, true
			}
			n++
		}
	}
	return 0, false
}
