package explore

import (
	"slices"

	"motehound/firmware/kernel"
	"motehound/study/check"
)

// end is how a mote is when E and V are over.
type end struct {
	ram   []byte
	sp    uint16 // where it differs, one run is in the middle of something that is over in the other
	ports []byte // what latches of the kind keep
	waits bool   // a main program without a kernel does, in the middle of a round
}

func (t *stage) end() end {
	m, kind := t.mote(), t.s.sh.motes[t.i].kind
	waits := kind.profile.Kernel == kernel.None && kind.loop.head != 0 && m.Core().PC != kind.loop.head
	return end{slices.Clone(m.RAM()), m.Core().SP, kind.latched(m), waits}
}

// orders is how a mote is after E and V, one behind the other.
type orders struct {
	first, last, late end                     // V first; E first; the same, but E is delayed
	over              visit                   // where E ends if it is first
	delay             order                   // how
	takes             uint64                  // V, in cycles
	run               func(order) (end, bool) // E first
}

// order is when V comes: before E, some cycles after E has begun, or not in E; by how much later E begins, or goes on; and for how many rounds the main program gets on behind both.
type order struct {
	first, middle, pause bool
	on                   int
	after, wait          uint64
	upTo                 *passing // where E ends, at the latest, behind V
}

// perform runs E, and V if it comes before the end of E. The instructions of E are logged if somebody wants them. It tells whether E has ended.
func (t *stage) perform(v *point, how order, log *steps) bool {
	ok := t.prepare(v)
	switch {
	case how.wait == 0 || how.pause:
	case v.by == arrives:
		t.b.await(t.i, t.mote().Cycles()+how.wait, 0) // its interrupt would be served else
	default:
		t.pass(t.mote().Cycles()+how.wait, 0)
	}
	ok = ok && (!how.first || t.serving(v)) && t.begin(v.class, v.source)
	if how.first {
		t.b.upTo = how.upTo
	}
	if ok && (how.middle || how.pause) {
		t.b.steps = log
		t.runTo(how.after)
		t.b.steps = nil
		if how.pause {
			t.b.await(t.i, t.mote().Cycles()+how.wait, 0)
		} else {
			ok = t.serving(v)
		}
		t.b.upTo = how.upTo
	}
	t.b.steps = log
	e := handling{depth: t.x.depth}
	if how.first && v.class == check.Interrupt {
		t.b.handling = &e
	}
	ok = ok && t.b.settle(t.i, t.x)
	if ok && t.b.handling != nil && !e.begun { // V has woken the mote, and behind RETI a main program may turn interrupts off again: E comes when it sleeps
		ok = t.b.deliver(t.i, t.x, int(v.source))
	}
	t.b.steps, t.b.upTo, t.b.handling = nil, nil, nil
	t.mote().Forbid()
	return ok
}

// both runs E and V, whichever comes first, and logs what perform does. It gives where E has ended.
func (t *stage) both(v *point, how order, log *steps) (over visit, ok bool) {
	ok = t.perform(v, how, log)
	over = visitOf(t.mote())
	if ok && !how.first && !how.middle {
		ok = t.mote().Requests()>>v.vector&1 != 0 && t.serving(v)
	}
	return over, ok
}

// serving runs V, and logs it if somebody wants that.
func (t *stage) serving(v *point) bool {
	was := t.b.steps
	t.b.steps = t.other
	ok := t.handle(v.vector)
	t.b.steps = was
	return ok
}

// round runs what the main program does next.
func (t *stage) round(log *steps) bool {
	t.b.steps = log
	ok := t.begin(check.Task, 0) && t.b.settle(t.i, t.x)
	t.b.steps = nil
	t.mote().Forbid()
	return ok
}

// inOrder runs E and V one behind the other.
func (s *System) inOrder(i int, o *outlook, v *point, takes uint64) (r orders, ok bool, err error) {
	r.takes, r.delay = takes, order{wait: takes}
	r.run = func(how order) (end, bool) {
		t, failed := s.onStage(i, o)
		if failed != nil {
			err = failed
			return end{}, false
		}
		defer t.leave()
		over, ok := t.both(v, how, nil)
		r.over = over
		for range how.on {
			ok = ok && t.round(nil)
		}
		return t.end(), ok
	}
	to := []*end{&r.first, &r.last, &r.late}
	for n, how := range []order{{first: true}, {}, r.delay} {
		if *to[n], ok = r.run(how); !ok {
			return r, false, err
		}
	}
	return r, true, nil
}

// shorter are the orders, and E interrupted by V, if E ends behind V where it does without it. What V wants done may be done in the same round of a main loop, which then
// goes on into something else, and cannot be compared with a round that does not.
func (r *orders) shorter(at *spot) (mixed end, short orders, ok bool) {
	over, to := len(at.alone), r.over // from there on it does nothing
	for k := over - 1; k >= at.k && !at.alone[k].touch.Write; k-- {
		if e := &at.alone[k]; e.sp == r.over.sp {
			over, to.pc = k, e.pc
		}
	}
	passes := func(list []entry) passing {
		p := passing{visit: to}
		for k := range list {
			if p.of(&list[k]) {
				p.times++
			}
		}
		return p
	}
	short = *r
	if before := passes(at.alone[min(1, over):over]); over > 0 {
		short.first, ok = r.run(order{first: true, upTo: &before})
	}
	if behind := passes(at.alone[at.k:over]); ok {
		mixed, ok = r.run(order{middle: true, after: at.after, upTo: &behind})
	}
	return mixed, short, ok
}

// delayed are the orders of which the late one is late as an order says.
func (r *orders) delayed(how order) (orders, bool) {
	d, ok := *r, false
	d.delay, d.takes = how, how.wait
	d.late, ok = r.run(how)
	return d, ok
}

// paused are those of which the late one is not late from the beginning on, but for as long as V takes at a spot: a difference to it is one in time alone.
func (r *orders) paused(at, takes uint64) (orders, bool) {
	return r.delayed(order{pause: true, after: at, wait: takes})
}
