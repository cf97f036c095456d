package check

import (
	"math/rand/v2"
	"slices"
)

// Pauser is a Pacer in which what comes from outside may come later than at once.
type Pauser interface {
	Pacer
	// Free reports whether an enabled event comes whenever it likes.
	Free(Event) bool
	// Clashes reports whether something may be lost if an interrupt comes in the middle of what an enabled event does.
	Clashes(e, interrupt Event) bool
	// Pauses reports whether nothing need happen for as long as an event says, which is a pause.
	Pauses(Event) bool
}

// Pause is the Source of a task that is none: its mote does nothing for a while. Its Serial says for how long, in microseconds.
const Pause = 0xffff

// Pauses reports whether the event is a pause.
func (e Event) Pauses() bool { return e.Class == Task && e.Source == Pause }

// A frame from a mote that has sent nothing before comes at any time, and so does what a user does. But a walk that keeps to what hardware can do chooses among what can
// happen now, and that is always a moment at which the mote has just done something; what follows would be over when the mote does the next thing. So now and then it is tried what
// happens if such a guest comes later. First its mote does what it has to do. Then there is a pause, as long as it takes for something that follows the guest, as a
// rehearsal shows, to come when the mote does something by itself. What is in the middle of which is left to chance. Behind these visits the walk goes on as if they had not been: the guest comes at once.

// meetings are the visits of a walk. They have random numbers of their own, so that a walk without them is the same.
type meetings struct {
	rng   *rand.Rand
	guest Event
	at    uint64 // when something meets, by the clock of the mote; 0 if there is no visit
	spent int    // events
}

const meetSalt = 0x76697369

// receives makes visits with a guest that was chosen, now and then, and tells whether the walk goes on. Where inputs are made up there are none: what was made for a visit would be remembered.
func (w *walker) receives(guest Event) bool {
	const share = 8 // of all events one in so many is for visits
	m := &w.meets
	p, ok := w.sys.(Pauser)
	if !ok || !w.bound || m.at > 0 || w.strict != nil || m.rng == nil || w.made.sys != nil || m.spent > w.fired/share || !guest.natural() || !p.Free(guest) {
		return true
	}
	home := w.sys.Clone()
	defer home.Release()
	mine := *w
	w.strategy, w.lasso, w.scouting = &strategy{sys: p, rng: m.rng, style: natural}, nil, nil
	w.choose, w.amid = chooser{rng: m.rng, weight: w.choose.weight}, newIntrusions(w.sys, m.rng)
	found := len(w.hits)
	m.guest = guest
	goesOn := w.readied(p) && w.visited(p)
	m.at = 0
	m.spent += w.fired - mine.fired
	w.strategy, w.lasso, w.scouting, w.choose, w.amid, w.trace = mine.strategy, mine.lasso, mine.scouting, mine.choose, mine.amid, mine.trace
	w.sys.CopyFrom(home)
	w.enabled = w.sys.Enabled(w.enabled[:0])
	return goesOn || len(w.hits) == found && w.err == nil && !w.aborted
}

// readied has the mote of a guest do what it has to do before, and tells whether it came to rest.
func (w *walker) readied(p Pauser) bool {
	const most = 64
	mote, found := w.meets.guest.Mote, len(w.hits)
	for range most {
		w.enabled = w.sys.Enabled(w.enabled[:0])
		next, ok := soonest(p, alone(w.enabled), mote, nil)
		if !ok || p.Due(next) > p.Clock(mote)+nearby {
			return ok
		}
		if !w.do(next) {
			w.keep(found)
			return false
		}
	}
	return false
}

// visited makes visits, and tells whether the walk goes on.
func (w *walker) visited(p Pauser) bool {
	if guest := w.meets.guest; !slices.Contains(w.enabled, guest) || strain(p, guest, nil) > 0 {
		return true
	}
	home, length := w.sys.Clone(), len(w.trace)
	defer home.Release()
	for n, v := range w.visits(p) {
		if n > 0 {
			w.sys.CopyFrom(home)
			w.trace = w.trace[:length]
		}
		if !w.visit(p, v) {
			return false
		}
	}
	return true
}

// keep gives hits of a visit their traces, which are not the walk's.
func (w *walker) keep(found int) {
	for n := found; n < len(w.hits); n++ {
		w.hits[n].trace = slices.Clone(w.trace[:w.hits[n].length])
	}
}

// Times in picoseconds.
const (
	microsecond = uint64(1e6)
	nearby      = 200 * microsecond // are two that meet
	soon        = 50_000 * microsecond
)

// visit is the pause before a guest, and when something meets behind it.
type visit struct {
	pause Event
	at    uint64
}

// visits draws some. Where something that follows the guest clashes with an interrupt that comes later, it is about that as a rule.
func (w *walker) visits(p Pauser) (list []visit) {
	guest := w.meets.guest
	const most, blind = 12, 2
	own := slices.DeleteFunc(slices.Clone(w.enabled), func(e Event) bool {
		return e.Mote != guest.Mote || e.Class != Interrupt || !e.natural() || p.Due(e) <= p.Clock(guest.Mote)+nearby
	})
	if len(own) == 0 {
		return nil
	}
	all := w.rehearsed(guest, own)
	clashing := slices.DeleteFunc(slices.Clone(all), func(c encounter) bool { return !c.clash })
	rng := w.meets.rng
	for n := range most {
		if n >= blind && len(clashing) > 0 {
			all = clashing
		} else if n >= blind || len(all) == 0 {
			break
		}
		if t, ok := all[rng.IntN(len(all))].behind(p, guest, rng.Uint64N(nearby)); ok {
			list = append(list, t)
		}
	}
	return list
}

// encounter is something that follows a guest if that comes at once, and an interrupt that it might meet.
type encounter struct {
	after uint64 // it follows the guest by so much
	with  uint64 // when the interrupt comes
	clash bool
}

// behind is the visit in which the guest comes so late that what follows it begins a little before the interrupt.
func (c *encounter) behind(p Pauser, guest Event, before uint64) (t visit, ok bool) {
	now := p.Clock(guest.Mote)
	if c.with < now+c.after+before+microsecond {
		return t, false
	}
	span := (c.with - before - c.after - now) / microsecond
	t = visit{Event{Mote: guest.Mote, Class: Task, Source: Pause, Serial: uint32(min(span, Place-1))}, c.with}
	return t, p.Pauses(t.pause) && strain(p, t.pause, nil) == 0
}

// rehearsed has a guest come now, and its mote alone do what follows.
func (w *walker) rehearsed(guest Event, own []Event) (list []encounter) {
	const most = 48
	sys := w.sys.Clone()
	defer sys.Release()
	p := sys.(Pauser)
	began := p.Clock(guest.Mote)
	due := make([]uint64, len(own))
	for n, v := range own {
		due[n] = p.Due(v)
	}
	next, ok := guest, true
	for n := 0; ok && n < most; n++ {
		if n > 0 {
			for m, v := range own {
				list = append(list, encounter{p.Clock(guest.Mote) - began, due[m], p.Clashes(next, v)})
			}
		}
		if _, err := sys.Fire(next); err != nil || p.Clock(guest.Mote) > began+soon {
			break
		}
		w.fired++
		next, ok = soonest(p, alone(sys.Enabled(nil)), guest.Mote, nil)
	}
	return list
}

// visit makes a visit: it goes on until what was to meet has met. It tells whether the walk goes on.
func (w *walker) visit(p Pacer, t visit) bool {
	const most = 64
	w.meets.at = t.at
	found := len(w.hits)
	goesOn := w.do(t.pause) && w.do(w.meets.guest)
	for n := 0; n < most && goesOn && !w.parted(p); n++ {
		goesOn = w.step(w.choose.natural)
	}
	w.keep(found)
	w.meets.at = 0
	return goesOn
}

// apart is how far two are from each other that do not meet any more.
const apart = 2 * nearby

// parted tells whether what was to meet is over.
func (w *walker) parted(p Pacer) bool { return p.Clock(w.meets.guest.Mote) > w.meets.at+apart }

// meeting tells whether an event comes when two of its mote meet.
func (w *walker) meeting(p Pacer, e Event) bool {
	m := &w.meets
	return m.at > 0 && e.Mote == m.guest.Mote && p.Clock(e.Mote)+apart > m.at && !w.parted(p)
}

// alone leaves what motes do by themselves.
func alone(enabled []Event) []Event {
	return slices.DeleteFunc(slices.Clone(enabled), func(e Event) bool { return e.Class > Task })
}

// soonest is what a mote does by itself next, among events that are enabled, if it can.
func soonest(p Pacer, enabled []Event, mote int16, may map[uint64]bool) (best Event, found bool) {
	for _, e := range enabled {
		if e.Mote == mote && e.obliged() && strain(p, e, may) == 0 && (!found || p.Due(e) < p.Due(best)) {
			best, found = e, true
		}
	}
	return best, found
}
