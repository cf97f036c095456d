package explore

import (
	"slices"

	"motehound/firmware/kernel"
	"motehound/study/check"
)

// Requests that are forgotten. A handler stores something and sets a flag; the main loop works on it, and clears the flag once it is done. If the handler comes while it works, the flag that it has set
// once more is cleared, too, and what it has stored is never worked on. Each variable is as in one of the orders, and the flag does not even change. So the next rounds tell: the main program
// writes something in both orders, to a variable or a device, that it does not write here, whatever round it is.

// mostTurns is for how many rounds of the main loop an order goes on behind E and V. What is interrupted has one more: it may get there later.
const mostTurns = 2

// forgotten finds such a flag; nil if there is none.
func (s *System) forgotten(i int, o *outlook, at spot, mixed []byte, r *orders, f *contact) (*race, error) {
	if at.v.class != check.Task || s.sh.motes[i].kind.profile.Kernel != kernel.None || s.seats[i].mid {
		return nil, nil
	}
	list := s.drops(i, &at, mixed, r, s.without(i, f))
	if len(list) == 0 {
		return nil, nil
	}
	if undone, err := s.undone(i, o, &at, r); err != nil || !undone {
		return nil, err
	}
	return s.lostBy(i, &list[0], &at, mixed, r), nil
}

// undone tells whether the main program writes something in each order that it does not write here.
func (s *System) undone(i int, o *outlook, at *spot, r *orders) (bool, error) {
	here, err := s.stores(i, o, at.v, order{middle: true, after: at.after}, mostTurns+1)
	if err != nil || here == nil {
		return false, err
	}
	var missing []stored
	for n, how := range []order{{first: true}, {}, r.delay} {
		does, err := s.stores(i, o, at.v, how, mostTurns)
		if err != nil {
			return false, err
		}
		if n == 0 {
			missing = slices.DeleteFunc(slices.Clone(does), func(w stored) bool { return slices.Contains(here, w) })
		}
		missing = slices.DeleteFunc(missing, func(w stored) bool { return !slices.Contains(does, w) })
	}
	return len(missing) > 0, nil
}

// stored is a byte that was written somewhere.
type stored struct {
	addr  uint16
	value uint8
}

// stores runs E and V, and some rounds behind both, and gives what the main program writes and V does not, other than to the stack; nil if it does not come so far.
func (s *System) stores(i int, o *outlook, v *point, how order, rounds int) (all []stored, err error) {
	t, err := s.onStage(i, o)
	if err != nil {
		return nil, err
	}
	defer t.leave()
	own := s.newSteps(i, v.vector)
	t.other = s.newSteps(i, v.vector)
	own.most = (rounds + 1) * longestAlone
	sp := t.mote().Core().SP
	_, ok := t.both(v, how, own)
	for n := 0; ok && n < rounds; n++ {
		ok = t.round(own)
	}
	if !ok || len(own.list) >= own.most || len(t.other.list) >= longestAlone {
		return nil, nil
	}
	all = []stored{}
	for n := range own.list {
		e := &own.list[n]
		if e.touches && e.touch.Write && (e.touch.Addr > sp || e.touch.Addr < min(e.sp, sp)) && !slices.ContainsFunc(t.other.list, func(x entry) bool { return x.touches && x.touch.Write && x.touch.Addr == e.touch.Addr }) {
			all = append(all, stored{e.touch.Addr, e.value})
		}
	}
	s.body.reuse(own.list)
	s.body.reuse(t.other.list)
	return all, nil
}
