// Package relative hashes the state of devices relative to the present. Absolute times do not count, only how far away they are, and
// statistics are left out. Two motes that will do the same from now on, one of them later than the other, get the same digest.
//
// A tag at each field says whether it is a time, and on which clock:
//
//	End   uint64 `time:"clkio,ahead"`
//	Frame uint32 `time:"stat"`
//
// The first word says what a field is:
//
//	cycles, clkio, clkadc, ps, ticks   a time on that clock (see Clock), or never, which stays never
//	number                             not a time: its value matters
//	stat                               a statistic for people: it does not affect what the mote does
//	derived                            follows from the rest of the state
//
// The words after it say how a time matters:
//
//	ahead    only while it is in the future: all times before now are the same
//	orzero   0 stands for none
//	hand     the code that hashes the state handles it, in a way that a table cannot express; the table leaves it out
//
// Invariants: every 64-bit field has a tag (Of panics without), so nobody can add a time and forget it. Fields of other sizes
// count with their value unless a tag says otherwise.
package relative

import (
	"unsafe"

	"motehound/mote/digest"
)

// never is the time of what is not going to happen.
const never = ^uint64(0)

// Clock is a clock that times are kept on.
type Clock uint8

// The clocks. Ticks is a clock of the device itself: a timer counts cycles of clkI/O or edges of its crystal.
const (
	Cycles Clock = iota // of the CPU, since power-on
	IO                  // those in which clkI/O ran
	ADC                 // those in which clkADC ran
	Real                // picoseconds
	Ticks
	NumClocks
)

// Now is what the clocks show.
type Now [NumClocks]uint64

// middle is where distances are counted from, so that those into the past, those into the future, never and what is over
// cannot be taken for each other.
const middle = 1 << 62

// over stands for every time that has passed and matters no more, and for none.
const over = 0

// Distance is a time as it looks from now: never, or how far it is away.
func Distance(t, now uint64) uint64 {
	if t == never {
		return never
	}
	return t - now + middle
}

// Append changes a state to how it looks from now and feeds it to a digest: give it a copy.
func (t *Table[T]) Append(h *digest.Digest, v *T, now *Now) {
	for _, w := range t.words {
		p := (*uint64)(unsafe.Add(unsafe.Pointer(v), w.offset))
		*p = w.seen(*p, now[w.clock])
	}
	for _, s := range t.left {
		clear(unsafe.Slice((*uint8)(unsafe.Add(unsafe.Pointer(v), s.offset)), s.size))
	}
	digest.Part(h, v, t.from, t.to)
}

// seen is a field's time as it looks from now.
func (w *word) seen(t, now uint64) uint64 {
	if t == never {
		return never
	}
	if w.ahead && t < now || w.orZero && t == 0 {
		return over
	}
	return t - now + middle
}

// Shift moves the times of a state so far into the future as the clocks are moved, from now on. What has no meaning any more stays.
func (t *Table[T]) Shift(v *T, now, by *Now) {
	for _, list := range [][]word{t.words, t.byHand} {
		for _, w := range list {
			p := (*uint64)(unsafe.Add(unsafe.Pointer(v), w.offset))
			if *p == never || w.ahead && *p < now[w.clock] || w.orZero && *p == 0 {
				continue
			}
			*p += by[w.clock]
		}
	}
}
