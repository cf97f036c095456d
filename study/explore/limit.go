package explore

import "motehound/firmware/image"

// Limits. A number of several bytes that a handler compares a counter of its own with, and that E writes byte by byte, shows only if the counter lies between what the handler sees
// and what it should see: a period that is set anew, and a pulse comes too early. Few runs get there. So where V comes between the bytes, and nothing is lost, it is asked what
// would be if the counter were just about to reach the number as V sees it. That is a finding by the rules for counters that are about to carry (suppose.go), but the counter may
// count in a circle.

// longestCount is how often V is run at most to lead a counter to where it is supposed to be.
const longestCount = 4096

// wouldReach finds what is lost at a spot once a counter of V's is about to reach a number that E writes there; nil if nothing is.
func (s *System) wouldReach(i int, o *outlook, at spot, f *contact) (*race, error) {
	k := s.sh.motes[i].kind
	nothing := image.Scalar{}
	told := s.without(i, f.anyway())
	r := straddled(k.scalars, at.alone, at.k, told, &nothing, k.kind.Board.Chip.RAMBase, numbers)
	if r == nil || r.kind != tornWrite || told.writesTo(r.shared) || !told.looksAt(r.shared) || k.starts(r.before) || k.starts(r.behind) {
		return nil, nil
	}
	limit, err := s.seenAt(i, o, &at, r.shared)
	if err != nil {
		return nil, err
	}
	for _, x := range k.counting(told, r.shared) {
		found, err := s.reaches(i, o, at, x, limit)
		if found != nil || err != nil {
			return found, err
		}
	}
	return nil, nil
}

// counting lists the numbers that V reads and writes.
func (k *kind) counting(f *contact, but image.Scalar) (list []image.Scalar) {
	for _, a := range f.writes {
		x, ok := k.scalars.at(uint32(a))
		if ok && x.Addr == uint32(a) && x.Size <= largest && x.Object != but.Object && f.looksAt(x) {
			list = append(list, x)
		}
	}
	return list
}

// seenAt is the value of a number where V comes.
func (s *System) seenAt(i int, o *outlook, at *spot, x image.Scalar) (int64, error) {
	t, err := s.onStage(i, o)
	if err != nil {
		return 0, err
	}
	defer t.leave()
	if !t.prepare(at.v) || !t.begin(at.v.class, at.v.source) {
		return 0, nil
	}
	t.runTo(at.after)
	seen := supposed{Scalar: x}
	return seen.number(t.mote()), nil
}

// reaches finds what is lost at a spot if a counter is about to reach a number; nil if nothing is, or if V does not lead it there.
func (s *System) reaches(i int, o *outlook, at spot, counter image.Scalar, limit int64) (*race, error) {
	x, step, err := s.counts(i, o, at.v, counter)
	if err != nil || step == 0 {
		return nil, err
	}
	for _, x.is = range []int64{limit - step, limit, limit + step} {
		found, err := s.lostIf(i, o.supposing(x), at)
		if err != nil {
			return nil, err
		}
		if found == nil || found.kind != tornWrite {
			continue
		}
		ok, err := s.leads(i, o, &at, &x)
		if err != nil {
			return nil, err
		}
		if ok {
			found.supposed = &x
			return found, nil
		}
	}
	return nil, nil
}

// leads tells whether V, run again and again, takes a counter to where it is supposed to be.
func (s *System) leads(i int, o *outlook, at *spot, x *supposed) (bool, error) {
	now := x.was
	for range longestCount {
		if now == x.is {
			return true, nil
		}
		_, next, _, err := s.counted(i, o.supposing(supposed{Scalar: x.Scalar, is: now, was: x.was}), at.v, x)
		if err != nil || next == now || next == x.was {
			return false, err
		}
		now = next
	}
	return false, nil
}
