package explore

import (
	"slices"

	"motehound/firmware/image"
	"motehound/mote"
)

// scalars are what the bytes of a program's variables belong to. To look that up in the debug information takes long, and races ask for it
// again and again.
type scalars struct {
	base uint32
	list []scalar
}

type scalar struct {
	image.Scalar
	known bool
}

func scalarsOf(k *mote.Kind) *scalars {
	l := &scalars{base: uint32(k.Board.Chip.RAMBase)}
	end, ok := k.Image.Symbol("_end")
	if !ok || end.Addr <= l.base || end.Addr > l.base+k.Board.Chip.RAMSize {
		return l
	}
	l.list = make([]scalar, end.Addr-l.base)
	for at := uint32(0); at < end.Addr-l.base; at++ {
		x, ok := k.Image.ScalarAt(l.base + at)
		l.list[at] = scalar{x, ok}
		for ok && at+1 < min(x.Addr+x.Size, end.Addr)-l.base { // the rest of it
			at++
			l.list[at] = scalar{x, true}
		}
	}
	return l
}

// at finds what a byte belongs to.
func (l *scalars) at(addr uint32) (image.Scalar, bool) {
	if addr < l.base || addr-l.base >= uint32(len(l.list)) {
		return image.Scalar{}, false
	}
	x := &l.list[addr-l.base]
	return x.Scalar, x.known
}

// within tells whether an interrupt touches some bytes.
func (f *contact) within(r image.Range) bool {
	x := image.Scalar{Addr: r.Lo, Size: r.Hi - r.Lo}
	return f.looksAt(x) || f.writesTo(x)
}

// looksAt tells whether an interrupt reads something of a scalar.
func (f *contact) looksAt(x image.Scalar) bool {
	return slices.ContainsFunc(f.reads, func(a uint16) bool { return has(x, a) })
}

// writesTo tells whether an interrupt writes something of a scalar.
func (f *contact) writesTo(x image.Scalar) bool {
	return slices.ContainsFunc(f.writes, func(a uint16) bool { return has(x, a) })
}

// changes tells whether an interrupt makes something else of a scalar.
func (f *contact) changes(x image.Scalar) bool {
	return slices.ContainsFunc(f.writes, func(a uint16) bool { return has(x, a) && !slices.Contains(f.kept, a) })
}

// has tells whether a byte is one of a scalar's.
func has(x image.Scalar, addr uint16) bool {
	return uint32(addr) >= x.Addr && uint32(addr) < x.Addr+x.Size
}
