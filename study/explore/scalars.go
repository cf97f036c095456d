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
	in := func(a uint16) bool { return uint32(a) >= r.Lo && uint32(a) < r.Hi }
	return slices.ContainsFunc(f.reads, in) || slices.ContainsFunc(f.writes, in)
}
