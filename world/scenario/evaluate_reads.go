package scenario

import (
	"cmp"
	"slices"

	"motehound/firmware/image"
)

// View is the state that properties look at. Motes are indices into Scenario.Motes.
type View interface {
	Motes() int
	ID(mote int) uint16
	Image(mote int) *image.Image
	LoadByte(mote int, addr uint32) uint8 // of the data space, without side effects
	Time() uint64                         // picoseconds since the start
	Alive(mote int) bool                  // switched on, and its CPU has not stopped for good
	LEDs(mote int) uint32                 // a bit for each light that is on
	Linked(from, to int) bool             // whether frames can get from one to the other now
	FramesSent(mote int) uint32           // that its radio has begun to send
	FramesReceived(mote int) uint32       // that its radio has heard to their end
}

// Read is memory of a mote's data space that was read: from Lo up to, not including, Hi.
type Read struct {
	Mote   int
	Lo, Hi uint32
}

// Aspect is something of a network besides its motes' memory.
type Aspect uint8

// The aspects.
const (
	AspectTime Aspect = iota
	AspectAlive
	AspectLEDs
	AspectLinked // from Mote to Other
	AspectSent
	AspectReceived
	numAspects
)

var aspectNames = [numAspects]string{"time", "alive", "leds", "linked", "frames sent", "frames received"}

func (a Aspect) String() string { return aspectNames[a] }

// Fact is something besides memory that was read, and what it was.
type Fact struct {
	Aspect      Aspect
	Mote, Other int // 0 where the aspect has none
	Value       uint64
}

// Holds reports whether the fact is as it was.
func (f Fact) Holds(v View) bool { return look(v, f.Aspect, f.Mote, f.Other) == f.Value }

// look is how an aspect stands.
func look(v View, a Aspect, mote, other int) uint64 {
	switch a {
	case AspectTime:
		return v.Time()
	case AspectAlive:
		return truth(v.Alive(mote))
	case AspectLEDs:
		return uint64(v.LEDs(mote))
	case AspectLinked:
		return truth(v.Linked(mote, other))
	case AspectSent:
		return uint64(v.FramesSent(mote))
	case AspectReceived:
		return uint64(v.FramesReceived(mote))
	}
	panic("BUG: unknown aspect")
}

func truth(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

// ReadSet is everything that a verdict depends on. As long as none of it changes, neither does the verdict.
type ReadSet struct {
	Memory []Read // sorted by Mote and Lo, without overlaps
	Facts  []Fact // sorted by Aspect, Mote and Other, each once
}

// settle sorts the set, and leaves out what is there twice.
func (s *ReadSet) settle() {
	m := s.Memory
	slices.SortFunc(m, compareReads)
	n := 0
	for _, r := range m {
		if n > 0 && m[n-1].Mote == r.Mote && r.Lo <= m[n-1].Hi {
			m[n-1].Hi = max(m[n-1].Hi, r.Hi)
			continue
		}
		m[n] = r
		n++
	}
	s.Memory = m[:n]
	slices.SortFunc(s.Facts, compareFacts)
	s.Facts = slices.Compact(s.Facts)
}

func compareReads(a, b Read) int { return cmp.Or(cmp.Compare(a.Mote, b.Mote), cmp.Compare(a.Lo, b.Lo)) }

func compareFacts(a, b Fact) int {
	return cmp.Or(cmp.Compare(a.Aspect, b.Aspect), cmp.Compare(a.Mote, b.Mote), cmp.Compare(a.Other, b.Other))
}
