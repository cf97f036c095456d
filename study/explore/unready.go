package explore

import (
	"slices"

	"motehound/firmware/image"
	"motehound/firmware/kernel"
)

// Things that are announced before they are ready. E moves the head of a ring, and stores what it has put there; V comes in between, finds something, and takes what was there before. Each variable
// is then as in one of the orders, but not of the same one. So it is V that is looked at: it reads a byte that E is about to write, it does not read it if it comes before E, since E
// has not announced it then, and V writes something else, or sends it, than it does behind E. In programs without a kernel.

// unready finds what E writes before V, and of that behind V the bytes that V may read too early; nothing if there are none.
func unready(alone []entry, k int, f *contact, base uint16) (before *entry, bytes []uint16) {
	only := func(e *entry) bool {
		return e.touches && e.touch.Addr >= base && e.touch.Write && slices.Contains(f.reads, e.touch.Addr)
	}
	for n := k - 1; n >= 0 && before == nil; n-- {
		if only(&alone[n]) {
			before = &alone[n]
		}
	}
	for n := k; n < len(alone) && before != nil; n++ {
		e := &alone[n]
		if a := e.touch.Addr; only(e) && (e.open || before.open) && !e.touch.Read && !slices.Contains(f.writes, a) && !slices.Contains(bytes, a) && lastAt(alone[:k], uint32(a)) == nil {
			bytes = append(bytes, a)
		}
	}
	return before, bytes
}

// unreadyAt finds a byte that V reads too early; nil if there is none.
func (s *System) unreadyAt(i int, o *outlook, at *spot, mixed []byte, r *orders, f *contact) (*race, error) {
	kind := s.sh.motes[i].kind
	if kind.profile.Kernel != kernel.None {
		return nil, nil
	}
	base := kind.kind.Board.Chip.RAMBase
	before, bytes := unready(at.alone, at.k, s.without(i, f), base)
	if len(bytes) == 0 {
		return nil, nil
	}
	first, _, err := s.handled(i, o, at, order{first: true})
	if err != nil || first == nil {
		return nil, err
	}
	bytes = slices.DeleteFunc(bytes, func(a uint16) bool { return lastAt(first, uint32(a)) != nil })
	if len(bytes) == 0 {
		return nil, nil
	}
	early, stale, err := s.handled(i, o, at, order{middle: true, after: at.after})
	if err != nil || early == nil {
		return nil, err
	}
	bytes = slices.DeleteFunc(bytes, func(a uint16) bool { return stale[a-base] == mixed[a-base] || lastAt(early, uint32(a)) == nil })
	if len(bytes) == 0 {
		return nil, nil
	}
	behind, _, err := s.handled(i, o, at, order{})
	if err != nil || behind == nil {
		return nil, err
	}
	found := kind.otherwise(at, mixed, r, early, behind)
	if found == nil {
		return nil, nil
	}
	x, ok := kind.scalars.at(uint32(bytes[0]))
	if !ok {
		return nil, nil
	}
	write := slices.IndexFunc(at.alone[at.k:], func(e entry) bool { return e.at(uint32(bytes[0])) && e.touch.Write })
	found.kind, found.shared, found.writes = earlyRead, x, true
	found.before, found.addr, found.behind = before.pc, before.touch.Addr, at.alone[at.k+write].pc
	return found, nil
}

// otherwise finds what V does otherwise in the middle of E than behind it: a byte that it sends, or a variable that E leaves alone. Nil if there is nothing.
func (k *kind) otherwise(at *spot, mixed []byte, r *orders, early, behind []entry) *race {
	is, would := k.outputs(early), k.outputs(behind)
	for n := 0; n < len(is) && n < len(would) && is[n].addr == would[n].addr; n++ {
		if a := is[n].addr; is[n].value != would[n].value {
			was := []byte{would[n].value}
			return &race{wrong: image.Scalar{Name: k.outlets[a], Addr: uint32(a), Size: 1}, sent: is[n].pc, is: []byte{is[n].value}, first: was, last: was}
		}
	}
	for n := range early {
		e := &early[n]
		x, ok := k.scalars.at(uint32(e.touch.Addr))
		if !e.touches || !e.touch.Write || !ok {
			continue
		}
		from, to := x.Addr-k.scalars.base, x.Addr-k.scalars.base+x.Size
		if slices.Equal(mixed[from:to], r.last.ram[from:to]) || !slices.Equal(r.last.ram[from:to], r.late.ram[from:to]) ||
			slices.ContainsFunc(at.alone, func(e entry) bool { return e.touches && has(x, e.touch.Addr) }) {
			continue
		}
		return &race{wrong: x, is: mixed[from:to], first: r.last.ram[from:to], last: r.last.ram[from:to], used: e.pc}
	}
	return nil
}

// handled gives the instructions of V, and the variables before it.
func (s *System) handled(i int, o *outlook, at *spot, how order) (list []entry, ram []byte, err error) {
	t, err := s.onStage(i, o)
	if err != nil {
		return nil, nil, err
	}
	defer t.leave()
	v := at.v
	ok := t.prepare(v)
	if ok && !how.first {
		ok = t.begin(v.class, v.source)
		if how.middle {
			t.runTo(how.after)
		} else {
			ok = ok && t.b.settle(t.i, t.x)
			t.mote().Forbid()
		}
	}
	if !ok || t.mote().Requests()>>v.vector&1 == 0 {
		return nil, nil, nil
	}
	ram = slices.Clone(t.mote().RAM())
	log := s.newSteps(i, v.vector)
	t.b.steps = log
	if !t.handle(v.vector) || len(log.list) >= longestAlone {
		return nil, nil, nil
	}
	t.b.steps = nil
	return log.list, ram, nil
}
