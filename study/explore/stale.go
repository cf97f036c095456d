package explore

import (
	"slices"

	"motehound/firmware/image"
)

// Stale checks. Code looks whether something is so, and then acts on it; the handler changes that in between, and has looked at what the code is about to
// change. Each acts as if the other one had not come yet, so there is no order in which they do the same. Who lets go of a thing because
// nobody waits for it, and who waits for it because it is taken, wait for ever.

// stale finds such a check, of which a value, or any value, is the outcome; nil if there is none. E reads one variable before V and never behind it, V changes it;
// V reads another one, and E writes that behind V.
func stale(im *scalars, alone []entry, k int, f *contact, wrong *image.Scalar, base uint16) *race {
	before, behind := sides(im, alone[:k], f, base, true), sides(im, alone[k:], f, base, false)
	for _, b := range before {
		again := slices.ContainsFunc(behind, func(a side) bool { return a.Addr == b.Addr })
		if again || !any8(b.reads) || any8(b.writes) || !f.changes(b.Scalar) {
			continue
		}
		for _, a := range behind {
			if !any8(a.writes) || a.Object == b.Object || !a.open && !b.open || wrong != nil && wrong.Addr != a.Addr || f.writesTo(a.Scalar) || !f.looksAt(a.Scalar) {
				continue
			}
			return &race{kind: staleCheck, shared: b.Scalar, before: b.pc, addr: b.addr, behind: a.by, writes: true}
		}
	}
	return nil
}
