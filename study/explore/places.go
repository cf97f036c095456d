package explore

import (
	"slices"

	"motehound/study/check"
)

// pointsOf finds the places of a transition at which a vector is worth trying.
func (s *System) pointsOf(i int, o *outlook, v point) ([]point, error) {
	alone, began, f, ok, err := s.alone(i, o, &v)
	if err != nil || !ok {
		return nil, err
	}
	defer s.body.reuse(alone)
	var list []point
	// The instructions from first to last are one place. At the end that is where the transition comes first, but before another interrupt.
	// Behind the last conflict V comes last. But where it is flagged before a handler begins that ends a transition, that order has the handler begin sooner.
	first, last, conflict := -1, -1, v.class == check.Interrupt && v.by == rises && s.handlersEnd(i, o)
	more := s.preempted+1 < s.sh.opt.Preempt
	var known *race // at this place
	var both orders
	comparable, work := false, 0
	judge := func(k int, f *contact, mixed *end) (*race, error) {
		if !comparable {
			return nil, nil
		}
		return s.lost(i, o, spot{&v, alone, k, alone[k].cycle - began}, mixed, &both, f)
	}
	place := func() error {
		p := pointAt(v, alone, first, began)
		p.race, p.next, p.touch = known, alone[last].pc, alone[last].touch
		if known != nil && first < last { // the place is named by its first instruction: a round of a main loop may end in between, and who replays it looks there
			f, mixed, ok, err := s.there(i, o, &v, p.after)
			if err != nil {
				return err
			}
			if p.race = nil; ok {
				if p.race, err = judge(first, &f, &mixed); err != nil {
					return err
				}
			}
		}
		if p.named() {
			list = append(list, p)
		}
		first = -1
		return nil
	}
	for k := len(alone) - 1; k >= 0; k-- {
		if f.conflicts(&alone[k], s.sh.motes[i].kind) {
			conflict = true
			if first >= 0 { // a place in a task is kept once it is not the order in which the vector comes first
				if err = place(); err != nil {
					return nil, err
				}
			}
		}
		if alone[k].valid && !conflict && (more || first >= 0) {
			if first < 0 {
				last = k
			}
			first = k
		}
		if !alone[k].valid || !conflict {
			continue
		}
		if work += len(alone); work > mostWork {
			s.sh.crowded.Store(true)
			break
		}
		var mixed end
		if f, mixed, ok, err = s.there(i, o, &v, alone[k].cycle-began); err != nil {
			return nil, err
		}
		if !ok {
			f = contact{spoils: true}
		}
		first, last, conflict, known = k, k, false, nil
		if both.first.ram == nil {
			if both, comparable, err = s.inOrder(i, o, &v, f.takes); err != nil {
				return nil, err
			}
		}
		if ok {
			if known, err = judge(k, &f, &mixed); err != nil {
				return nil, err
			}
		}
	}
	comesFirst := v.class == check.Task && !s.seats[i].mid && (v.by != flagged || o.ready>>v.vector&1 != 0)
	if first >= 0 && !comesFirst {
		if err = place(); err != nil {
			return nil, err
		}
	}
	slices.Reverse(list)
	return list, nil
}

// pointAt is the place of an interrupt before an instruction of a transition, which began in some cycle.
func pointAt(v point, alone []entry, k int, began uint64) point {
	e := &alone[k]
	v.after, v.pc, v.next, v.touch = e.cycle-began, e.pc, e.pc, e.touch
	for n := range alone[:k] {
		if alone[n].pc == e.pc {
			v.nth++
		}
	}
	return v
}

// alone runs a transition, which begins in some cycle, and then the vector, and gives the instructions of the one and what the other one touched.
func (s *System) alone(i int, o *outlook, v *point) (list []entry, began uint64, f contact, ok bool, err error) {
	t, err := s.onStage(i, o)
	if err != nil {
		return nil, 0, f, false, err
	}
	defer t.leave()
	if !t.prepare(v) || !t.begin(v.class, v.source) {
		return nil, 0, f, false, nil
	}
	began = t.mote().Cycles()
	log := s.newSteps(i, v.vector)
	t.b.steps = log
	ended := t.b.settle(i, &t.seat)
	t.mote().Forbid()
	list = log.list
	if len(list) >= longestAlone {
		s.sh.crowded.Store(true)
		s.body.reuse(list)
		return nil, 0, f, false, nil
	}
	if !ended || len(list) == 0 || t.mote().Requests()>>v.vector&1 == 0 {
		s.body.reuse(list)
		return nil, 0, f, false, nil
	}
	f, ok = t.serve(v.vector)
	f = *f.anyway()
	if !t.inTime(v, t.mote().Cycles()-began) {
		s.body.reuse(list)
		return nil, 0, f, false, nil
	}
	if !ok {
		f = contact{spoils: true}
	}
	return list, began, f, true, nil
}

func (s *System) newSteps(i int, vector uint8) *steps {
	k := s.sh.motes[i].kind
	log := &steps{vector: vector, base: k.kind.Board.Chip.RAMBase, most: longestAlone}
	if n := len(s.body.lists); n > 0 {
		log.list, s.body.lists = s.body.lists[n-1][:0], s.body.lists[:n-1]
	}
	return log
}

// reuse takes a list back that nobody looks at any more.
func (b *body) reuse(list []entry) { b.lists = append(b.lists, list) }

// there runs a vector at a place of a transition, and gives what it touched, and how the mote is when the transition has ended, if it does.
func (s *System) there(i int, o *outlook, v *point, after uint64) (f contact, mixed end, ok bool, err error) {
	t, err := s.onStage(i, o)
	if err != nil {
		return f, mixed, false, err
	}
	defer t.leave()
	if !t.prepare(v) || !t.begin(v.class, v.source) {
		return f, mixed, false, nil
	}
	t.runTo(after)
	f, ok = t.serve(v.vector)
	if ok && t.b.settle(i, &t.seat) {
		mixed = t.end()
	}
	return f, mixed, ok, nil
}
