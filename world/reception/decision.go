package reception

import (
	"motehound/mote/cell"
	"motehound/world/medium"
)

// Decision is what was decided for a frame.
type Decision struct {
	Fate  Fate
	Wrong uint32 // of Corrupted: which bit, for whoever turns it over (Flip). A number below CorruptBits, or what stands for one
	Span  uint64 // of Delayed: after its end, in picoseconds
}

// detail is the number that is kept of a decision. The first bytes of a frame may be ones that cannot be wrong.
func (d Decision) detail(first uint32) uint32 {
	switch d.Fate {
	case Corrupted:
		return 8*first + d.Wrong
	case Delayed:
		return uint32(d.Span / microsecond)
	}
	return 0
}

// Flip is byte number i of those of a corrupted frame that can be wrong, where the wrong bit has a number that is known.
func Flip(c cell.Cell, wrong, i uint32) cell.Cell {
	if i != wrong/8 {
		return c
	}
	return cell.Of(c.V() ^ 1<<(wrong%8))
}

// flip is a byte of a corrupted frame.
func flip(by func(c cell.Cell, wrong, i uint32) cell.Cell, c cell.Cell, detail, at, first uint32) cell.Cell {
	if at < first || at >= first+corruptBytes {
		return c
	}
	return by(c, detail-8*first, at-first)
}

// Question is what becomes of a frame that begins to reach a mote.
type Question struct {
	From, To int
	Wire     int // an index into medium.Net.Wires; None for the air
	At       uint64
	Loss     float64 // how likely nature is to lose it
}

// None stands for no wire.
const None = -1

// OnAir asks what becomes of a transmission. If the link is cut then, by the clock of the run, nobody needs to be asked.
func OnAir(net *medium.Net, from, to int, at uint64) (q Question, cut bool) {
	l, _ := net.Find(from, to)
	return Question{From: from, To: to, Wire: None, At: at, Loss: l.Loss}, net.IsCut(from, to, at)
}

// OnWire asks what becomes of a frame on a wire, towards one of its ends.
func OnWire(net *medium.Net, wire int, to medium.End, at uint64) Question {
	w := &net.Wires[wire]
	return Question{From: w.Other(to).Mote, To: to.Mote, Wire: wire, At: at, Loss: w.Loss}
}
