package explore

import (
	"bytes"
	"slices"

	"motehound/firmware/image"
)

// Updates that vanish. Code takes what a handler has counted, and sets the counter to 0. If the handler comes in between, its count is lost, although
// each variable has a value of one of the orders: the counter as if V had come first, and what E has made of it as if V had come last.

// vanished finds such an update: E reads a variable before V and writes it behind, V writes it, and no variable shows that. What E has made of it is another
// byte of a variable that E writes and V does not, and that is not as it is if V comes first.
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
		if slices.ContainsFunc(alone, func(e entry) bool {
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
