package explore

import (
	"slices"

	"motehound/mote"
	"motehound/mote/digest"
	"motehound/study/finding"
)

// Loud has the systems that are cloned from this one hear every byte, and pass over none.
func (s *System) Loud() { s.sh.loud = true }

// Executed is how many instructions the motes have executed.
func (s *System) Executed() (n uint64) {
	for _, m := range s.body.w.Motes() {
		n += m.Core().Instructions
	}
	return n
}

// Forget has the systems that are cloned from this one know no habits.
func (s *System) Forget() {
	for i := range s.sh.kinds {
		s.sh.kinds[i].habits.known.Store(nil)
	}
}

// Habits is how many habits of the first kind of motes are known.
func (s *System) Habits() int {
	if l := s.sh.kinds[0].habits.known.Load(); l != nil {
		return len(*l)
	}
	return 0
}

// Everything is a digest of all that a mote is, what is dead included, but for counts of instructions and of cycles asleep.
func (s *System) Everything(mote int) digest.Sum {
	d := digest.New()
	m := s.body.w.Motes()[mote]
	m.AppendRelative(&d)
	core := *m.Core()
	core.Canon()
	core.Instructions = 0
	digest.Struct(&d, &core.State)
	d.Bytes(m.RAM())
	d.Word(m.Time())
	life := s.seats[mote].life
	digest.Struct(&d, &life)
	return d.Sum()
}

// Mote is a mote of the system.
func (s *System) Mote(i int) *mote.Mote { return s.body.w.Motes()[i] }

// Mid reports whether some mote is in the middle of something.
func (s *System) Mid() bool {
	return slices.ContainsFunc(s.seats, func(x seat) bool { return x.amid() })
}

// Variables is a digest of a mote whose variables end before an address: what lies between them and the stack does not count.
func (s *System) Variables(mote int, end uint32) digest.Sum {
	d := digest.New()
	m := s.body.w.Motes()[mote]
	now := m.Clocks()
	m.Machine.AppendRelative(&d, &now, end)
	return d.Sum()
}

// Heard is how many frames a mote's radio has heard to their end.
func (s *System) Heard(mote int) uint32 { return s.body.w.FramesReceived(mote) }

// Early has something gone wrong while the motes booted.
func (s *System) Early(v finding.Violation) { s.early = []finding.Violation{v} }
