// Package medium describes what is between motes: who hears whom on the air, how well, and which UARTs are wired
// together. It is data and is immutable; package world moves signals along it.
package medium

import (
	"fmt"
	"iter"
	"slices"
	"sort"
)

// Never is the time of something that does not happen.
const Never = ^uint64(0)

// Link is one direction of hearing.
type Link struct {
	From, To int
	GainDB   float64 // received power minus sent power
	Loss     float64 // the probability that a frame does not come through, 0..1
	Delay    uint64  // propagation, picoseconds
}

// Cut takes links away for a while, in one direction.
type Cut struct {
	From, To  int
	At, Until uint64 // picoseconds since the start
}

// Framing says where the frames are in the bytes of a wire.
type Framing uint8

const (
	NoFraming Framing = iota // every byte is a frame
	SLIP                     // RFC 1055: frames end with 0xC0
	HDLC                     // frames are between 0x7E bytes, as TinyOS sends them
)

// Escapes is the character that ends a frame, and the one that stands before a character which is put otherwise because it is one of
// these two.
func (f Framing) Escapes() (end, escape uint8) {
	switch f {
	case SLIP:
		return 0xC0, 0xDB
	case HDLC:
		return 0x7E, 0x7D
	}
	return 0, 0
}

// Wire joins two UARTs, both ways.
type Wire struct {
	A, B    End
	Framing Framing
	Loss    float64
}

// End is one end of a wire.
type End struct {
	Mote  int
	USART uint8
}

// Other is the end opposite to one of them.
func (w *Wire) Other(end End) End {
	if w.A == end {
		return w.B
	}
	return w.A
}

// Net is who hears whom.
type Net struct {
	motes int
	links []Link // sorted by From, To
	first []int  // index of each mote's first link; one more at the end
	Cuts  []Cut
	Wires []Wire
}

// MaxLinks is how many links a network may have.
const MaxLinks = 1 << 20

// MinGain is the least gain of a link, in dB.
const MinGain = -300

// New checks links and sorts them. Each pair may be linked once in each direction.
func New(motes int, links []Link) (*Net, error) {
	n := &Net{motes: motes, links: append([]Link(nil), links...), first: make([]int, motes+1)}
	for _, l := range links {
		switch {
		case l.From < 0 || l.From >= motes || l.To < 0 || l.To >= motes:
			return nil, fmt.Errorf("link from %d to %d, but the motes are 0 to %d", l.From, l.To, motes-1)
		case l.From == l.To:
			return nil, fmt.Errorf("mote %d is linked to itself", l.From)
		case !(l.Loss >= 0 && l.Loss <= 1):
			return nil, fmt.Errorf("link from %d to %d has loss %g: a probability is between 0 and 1", l.From, l.To, l.Loss)
		case !(l.GainDB >= MinGain && l.GainDB <= 0):
			return nil, fmt.Errorf("link from %d to %d has a gain of %g dB: give a value from %d to 0", l.From, l.To, l.GainDB, MinGain)
		}
	}
	sort.SliceStable(n.links, func(i, j int) bool {
		a, b := n.links[i], n.links[j]
		return a.From < b.From || a.From == b.From && a.To < b.To
	})
	for i := 1; i < len(n.links); i++ {
		if a, b := n.links[i-1], n.links[i]; a.From == b.From && a.To == b.To {
			return nil, fmt.Errorf("motes %d and %d are linked twice in the same direction", a.From, a.To)
		}
	}
	i := 0
	for m := range n.first {
		for i < len(n.links) && n.links[i].From < m {
			i++
		}
		n.first[m] = i
	}
	return n, nil
}

// WiresFrom gives the wires that lead from a USART, each with its other end.
func (n *Net) WiresFrom(end End) iter.Seq2[int, End] {
	return func(yield func(int, End) bool) {
		for i := range n.Wires {
			w := &n.Wires[i]
			if (w.A == end || w.B == end) && !yield(i, w.Other(end)) {
				return
			}
		}
	}
}

// Wired tells whether a wire ends at a mote.
func (n *Net) Wired(mote int) bool {
	return slices.ContainsFunc(n.Wires, func(w Wire) bool { return w.A.Mote == mote || w.B.Mote == mote })
}

// From lists the links that lead from a mote, by receiver.
func (n *Net) From(mote int) []Link { return n.links[n.first[mote]:n.first[mote+1]] }

// Links lists all links.
func (n *Net) Links() []Link { return n.links }

// Find is the link between two motes.
func (n *Net) Find(from, to int) (Link, bool) {
	for _, l := range n.From(from) {
		if l.To == to {
			return l, true
		}
	}
	return Link{}, false
}

// IsCut tells whether a link is cut at a moment.
func (n *Net) IsCut(from, to int, ps uint64) bool {
	for _, c := range n.Cuts {
		if c.From == from && c.To == to && c.At <= ps && ps < c.Until {
			return true
		}
	}
	return false
}
