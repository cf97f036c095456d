package explore

import (
	"bytes"
	"slices"

	"motehound/firmware/image"
)

// Updates that vanish. Code takes what a handler has counted, and sets the counter to 0. If the handler comes in between, its count is lost, although
// each variable has a value of one of the orders: the counter as if V had come first, and what E has made of it as if V had come last.
//
// Or code clears a bit of a byte, and the handler sets another. What the program would do for that bit may not show in any variable: it drives a pin, or looks at one, or sends something. Then what E
// executes tells. In neither order is the bit gone before the program has looked at it.

// vanished finds such an update: E reads a variable before V and writes it behind, V writes it, and no variable shows that. What E has made of it is another
// byte of a variable that E writes behind the read, and V does not, and that is not as it is if V comes first.
func (s *System) vanished(i int, mixed []byte, r *orders, alone []entry, k int, f *contact) *race {
	kind := s.sh.motes[i].kind
	im, base, told := kind.scalars, kind.kind.Board.Chip.RAMBase, s.without(i, f)
	before, behind := sides(im, alone[:k], told, base, true), sides(im, alone[k:], told, base, false)
	at := func(x image.Scalar, ram []byte) []byte { return ram[x.Addr-uint32(base):][:x.Size] }
	like := func(x image.Scalar, is, other *end) bool {
		return bytes.Equal(at(x, mixed), at(x, is.ram)) && !bytes.Equal(at(x, mixed), at(x, other.ram)) && bytes.Equal(at(x, r.last.ram), at(x, r.late.ram))
	}
	for _, b := range before {
		n := slices.IndexFunc(behind, func(a side) bool { return a.Addr == b.Addr })
		if n < 0 || !any8(b.reads) || !any8(behind[n].writes) || !b.open && !behind[n].open || !told.writesTo(b.Scalar) || !like(b.Scalar, &r.first, &r.last) {
			continue
		}
		read := slices.IndexFunc(alone, func(e entry) bool { return e.touches && e.touch.Read && has(b.Scalar, e.touch.Addr) })
		if slices.ContainsFunc(alone[read+1:], func(e entry) bool {
			y := image.Scalar{Addr: uint32(e.touch.Addr), Size: 1} // one byte tells, of a buffer too
			x, ok := im.at(y.Addr)
			return ok && e.touches && e.touch.Write && x.Addr != b.Addr && !told.writesTo(y) && like(y, &r.last, &r.first)
		}) {
			is := at(b.Scalar, r.last.ram)
			found := &race{kind: lostUpdate, shared: b.Scalar, wrong: b.Scalar, is: at(b.Scalar, mixed), first: is, last: is, writes: true}
			found.between(alone, k)
			return found
		}
	}
	return nil
}

// between finds the last read before V, and the first write behind.
func (r *race) between(alone []entry, k int) {
	in := func(e *entry) bool { return e.touches && has(r.shared, e.touch.Addr) }
	for n := range alone[:k] {
		if e := &alone[n]; in(e) && e.touch.Read {
			r.before, r.addr = e.pc, e.touch.Addr
		}
	}
	for n := len(alone) - 1; n >= k; n-- {
		if e := &alone[n]; in(e) && e.touch.Write {
			r.behind = e.pc
		}
	}
}

// unheeded finds an update that vanishes, and nobody does what V has asked for: E reads a byte before V, and writes it behind, without reading it again. V changes it. The byte is
// then as if V had come first, and E does something in that order that it does not do here, and not without V either, nor if it begins later. That must be for the sake of this byte: before V, E has read
// nothing else that V changes.
func (s *System) unheeded(i int, o *outlook, at spot, mixed []byte, r *orders, f *contact) (*race, error) {
	told := s.without(i, f)
	for _, d := range s.drops(i, &at, mixed, r, told) {
		if !told.changes(image.Scalar{Addr: uint32(d.addr), Size: 1}) || readsOther(at.alone[:at.k], told, &d.Scalar) {
			continue
		}
		rest, err := s.behind(i, o, at)
		if err != nil {
			return nil, err
		}
		first, err := s.performed(i, o, at.v, order{first: true})
		if err != nil {
			return nil, err
		}
		late, err := s.performed(i, o, at.v, r.delay)
		if err != nil {
			return nil, err
		}
		executed := map[uint32]bool{}
		for _, list := range [][]entry{at.alone, rest, late} {
			for k := range list {
				executed[list[k].pc] = true
			}
		}
		undone := slices.ContainsFunc(first, func(e entry) bool { return !executed[e.pc] })
		if !undone {
			if undone, err = s.unsent(i, o, at, r, first, rest); err != nil {
				return nil, err
			}
		}
		if !undone {
			continue
		}
		return s.lostBy(i, &d, &at, mixed, r), nil
	}
	return nil, nil
}

// drop is a byte that E has read before V, and writes behind it without reading it again, although V writes it, too. It is then as if V had come first.
type drop struct {
	image.Scalar // the number that it is a part of
	addr         uint16
	from, to     int // the read and the write
}

// drops finds such bytes.
func (s *System) drops(i int, at *spot, mixed []byte, r *orders, f *contact) (list []drop) {
	k := s.sh.motes[i].kind
	for _, addr := range f.writes {
		x, ok := k.scalars.at(uint32(addr))
		if !ok {
			continue
		}
		n := uint32(addr) - k.scalars.base
		from, to, ok := carriedOver(at.alone, at.k, addr)
		if ok && mixed[n] == r.first.ram[n] && mixed[n] != r.last.ram[n] && r.last.ram[n] == r.late.ram[n] && (at.alone[from].open || at.alone[to].open) {
			list = append(list, drop{x, addr, from, to})
		}
	}
	return list
}

// lostBy is the lost update that comes of a drop.
func (s *System) lostBy(i int, d *drop, at *spot, mixed []byte, r *orders) *race {
	lo := d.Addr - s.sh.motes[i].kind.scalars.base
	hi := lo + d.Size
	return &race{kind: lostUpdate, shared: d.Scalar, wrong: d.Scalar, is: mixed[lo:hi], first: r.last.ram[lo:hi], last: r.last.ram[lo:hi], writes: true,
		before: at.alone[d.from].pc, addr: d.addr, behind: at.alone[d.to].pc}
}

// unsent tells whether E sends something else if V comes first, but here the same as without V, whenever it begins.
func (s *System) unsent(i int, o *outlook, at spot, r *orders, first, rest []entry) (bool, error) {
	kind := s.sh.motes[i].kind
	same := func(a, b []output) bool {
		return slices.EqualFunc(a, b, func(x, y output) bool { return x.addr == y.addr && x.value == y.value })
	}
	if last := kind.outputs(at.alone); !same(kind.outputs(first), last) && same(kind.outputs(rest), kind.outputs(at.alone[at.k:])) {
		late, ok, err := s.writes(i, o, at.v, r.delay)
		return ok && same(late, last), err
	}
	return false, nil
}

// readsOther tells whether some instructions read what V changes, other than a number.
func readsOther(list []entry, f *contact, but *image.Scalar) bool {
	return slices.ContainsFunc(list, func(e entry) bool {
		return e.touches && e.touch.Read && !has(*but, e.touch.Addr) && f.changes(image.Scalar{Addr: uint32(e.touch.Addr), Size: 1})
	})
}

// performed gives the instructions of E in an order; none if E does not end.
func (s *System) performed(i int, o *outlook, v *point, how order) ([]entry, error) {
	t, err := s.onStage(i, o)
	if err != nil {
		return nil, err
	}
	defer t.leave()
	log := s.newSteps(i, v.vector)
	if !t.perform(v, how, log) || len(log.list) >= longestAlone {
		return nil, nil
	}
	return log.list, nil
}

// carriedOver finds the read of a byte before instruction k and the write behind it, by their places, if the read is the last access before k, and the write is the first one behind.
func carriedOver(list []entry, k int, addr uint16) (from, to int, ok bool) {
	touches := func(e entry) bool { return e.touches && e.touch.Addr == addr }
	to = slices.IndexFunc(list[k:], touches) + k
	for from = k - 1; from >= 0 && !touches(list[from]); from-- {
	}
	return from, to, to >= k && from >= 0 && list[from].touch.Read && !list[to].touch.Read
}
