package explore

import (
	"math/rand/v2"
	"slices"

	"motehound/firmware/kernel"
	"motehound/study/check"
)

var _ check.Intruder = (*System)(nil)

// List implements check.Intruder.
func (s *System) List(on bool) { s.listed = on }

// Preempt implements check.Intruder.
func (s *System) Preempt() int { return s.sh.opt.Preempt }

// Intrudes implements check.Intruder.
func (s *System) Intrudes(e check.Event) bool {
	i := int(e.Mote)
	if i < 0 || i >= len(s.seats) || s.sh.opt.Preempt == 0 || len(s.early) > 0 {
		return false
	}
	for j := range s.seats {
		if j != i && s.seats[j].amid() {
			return false
		}
	}
	return s.point(i, e) != nil
}

// Breaks implements check.Intruder.
func (s *System) Breaks(e check.Event) bool {
	if !e.Intrudes() || s.seats[e.Mote].outlook == nil {
		return false
	}
	p := s.seats[e.Mote].outlook.point(e)
	return p != nil && p.race != nil
}

// Intrude implements check.Intruder.
func (s *System) Intrude(e check.Event, rng *rand.Rand) (check.Event, bool) {
	i := int(e.Mote)
	if i < 0 || s.sh.opt.Preempt == 0 || len(s.early) > 0 {
		return e, false
	}
	o, x := s.mustLook(i), &s.seats[i]
	if o.off || o.halted {
		return e, false
	}
	var pairs []point
	for _, into := range s.interruptible(i, x, o) {
		for _, v := range s.intruders(i, x, o, into) {
			if v.of(e) || v.is(e) {
				pairs = append(pairs, v)
			}
		}
	}
	if e.Class == check.Task && e.Source == 0 {
		pairs = append(pairs, s.arriving(i, o)...)
	}
	if len(pairs) == 0 {
		return e, false
	}
	v := pairs[rng.IntN(len(pairs))]
	alone, began, f, ok, err := s.alone(i, o, &v)
	if err != nil || !ok {
		return e, false
	}
	defer s.body.reuse(alone)
	k, ok := s.draw(i, alone, &f, v.class == check.Task && !x.mid, rng)
	if !ok {
		return e, false
	}
	p := pointAt(v, alone, k, began)
	if !p.named() {
		return e, false
	}
	drawn := p.event(i)
	if o.point(drawn) == nil {
		s.judge(i, &p, alone, k)
	}
	return drawn, true
}

// is tells whether the interrupt of a point is what an event does.
func (p *point) is(e check.Event) bool {
	if p.by == comesIn {
		return e.Class == check.Input && e.Source == serialSource
	}
	return e.Class == check.Interrupt && e.Source == uint16(p.vector)
}

// draw draws a place for an interrupt: before an instruction that is in conflict with it. Most often it is one at which the transition touches
// on both sides something that the interrupt touches, too. Before the first conflict of a task the interrupt comes first.
func (s *System) draw(i int, alone []entry, f *contact, task bool, rng *rand.Rand) (int, bool) {
	const tries = 8
	list, conflict := s.conflicts(i, alone, f)
	if n := len(list); task && n > 0 && !conflict {
		list = list[:n-1]
	}
	if len(list) == 0 {
		return 0, false
	}
	k := list[rng.IntN(len(list))]
	for range tries {
		if s.bothSides(i, alone, k, f) {
			break
		}
		k = list[rng.IntN(len(list))]
	}
	return k, true
}

// conflicts lists the instructions before which an interrupt is in conflict with what comes behind, up to the next of them; the last comes first. It tells whether there is a conflict before
// the first one.
func (s *System) conflicts(i int, alone []entry, f *contact) (list []int, conflict bool) {
	kind := s.sh.motes[i].kind
	for k := len(alone) - 1; k >= 0; k-- {
		conflict = conflict || f.conflicts(&alone[k], kind)
		if conflict && alone[k].valid {
			list = append(list, k)
			conflict = false
		}
	}
	return list, conflict
}

// bothSides tells whether, if an interrupt comes before an instruction, a transition touches on both sides something that the interrupt touches, too.
func (s *System) bothSides(i int, alone []entry, k int, f *contact) bool {
	kind := s.sh.motes[i].kind
	im, base := kind.scalars, kind.kind.Board.Chip.RAMBase
	if _, bytes := unready(alone, k, f, base); len(bytes) > 0 && kind.profile.Kernel == kernel.None {
		return true
	}
	return straddled(im, alone, k, f, nil, base, numbers) != nil || straddled(im, alone, k, f, nil, base, wholes) != nil || stale(im, alone, k, f, nil, base) != nil || kind.portStraddled(alone, k, f) || kind.resets(alone, k, f) || kind.passes(alone, k, f)
}

// point finds the point that an event is about; nil if there is none.
func (s *System) point(i int, e check.Event) *point {
	o, x := s.mustLook(i), &s.seats[i]
	if p := o.point(e); p != nil || o.off || o.halted {
		return p
	}
	if e.Class == check.Frame {
		return s.arrival(i, o, e)
	}
	for _, into := range s.interruptible(i, x, o) {
		if into.Class != e.Class || into.Source != e.Source {
			continue
		}
		for _, v := range s.intruders(i, x, o, into) {
			if v.vector != e.Option || uint32(v.by) != e.Serial&^check.Place>>byBits {
				continue
			}
			if p := s.placed(i, o, v, e); p != nil {
				return p
			}
		}
	}
	return nil
}

// placed gives a point without a place the one that an event names; nil if the transition does not get there.
func (s *System) placed(i int, o *outlook, v point, e check.Event) *point {
	alone, began, _, ok, err := s.alone(i, o, &v)
	if err != nil || !ok {
		return nil
	}
	k := placeOf(v, alone, e.Serial)
	if k < 0 || !alone[k].valid {
		return nil
	}
	p := pointAt(v, alone, k, began)
	s.judge(i, &p, alone, k)
	return s.seats[i].outlook.point(e)
}

// placeOf is the instruction that a serial names; -1 if the transition does not get there.
func placeOf(v point, alone []entry, serial uint32) int {
	v.nth = 0
	for k := range alone {
		v.pc = alone[k].pc
		if v.serial() == serial {
			return k
		}
		if v.serial()>>pcBits == serial>>pcBits {
			v.nth++
		}
	}
	return -1
}

// judge finds out whether an interrupt at a point loses something, and keeps the point.
func (s *System) judge(i int, p *point, alone []entry, k int) {
	o := s.mustLook(i)
	f, mixed, ok, err := s.there(i, o, p, p.after)
	if err == nil && ok {
		if both, comparable, err := s.inOrder(i, o, p, f.takes); err == nil && comparable {
			p.race, _ = s.lost(i, o, spot{p, alone, k, p.after}, &mixed, &both, &f)
		}
	}
	more := *o
	more.drawn = append(slices.Clip(o.drawn), *p)
	s.seats[i].outlook = &more
}
