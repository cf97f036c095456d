package property

import (
	"motehound/mote/digest"
	"motehound/world/scenario"
)

// Live appends for each goal whether it held at the last Look. Before the first one none does.
func (s *Suite) Live(dst []bool) []bool { return s.prepared.holding(s.answers, dst) }

// Live is the Suite's, as it was when the state was saved.
func (p *Prepared) Live(s *State, dst []bool) []bool { return p.holding(s.answers, dst) }

func (p *Prepared) holding(answers []*answer, dst []bool) []bool {
	for _, i := range p.live {
		a := answers[i]
		dst = append(dst, a != nil && a.holds)
	}
	return dst
}

// AppendHash takes in what decides about violations to come and is no part of the motes' state: the marks of the built-in checks; which properties are not asked any more; and how many frames it has sent or received, if properties ask for that.
//
// The tags of the memory watch are left out. That two equal states differ in them takes a pointer with the same value that was made
// from another object, which is rare, or something that was learned about a constant of the code: which object it is for, by its first
// use. The latter differs between runs until each constant was used once. So a search that reaches a state for the second time
// goes no further, although it has learned more on the way there than at the first time, and might have found a bug that it could
// not judge then. A run ahead (Options.Learn) leaves little of that. Hashing it would distinguish all runs in which code was first
// executed in another order.
func (s *Suite) AppendHash(h *digest.Digest) {
	hash(h, len(s.motes), s.dropped, s.answers, s.watch.Marks)
}

// AppendHash is the Suite's, as it was when the state was saved.
func (p *Prepared) AppendHash(s *State, h *digest.Digest) {
	hash(h, len(p.kinds), s.dropped, s.answers, func(mote int) (uint64, int) { return p.builtIn.Marks(s.builtIn, mote) })
}

func hash(h *digest.Digest, motes int, dropped uint64, answers []*answer, of func(mote int) (marks uint64, bits int)) {
	var word uint64
	for i := range motes {
		marks, bits := of(i)
		word = word<<bits | marks
		if perWord := 64 / bits; i%perWord == perWord-1 || i == motes-1 {
			h.Word(word)
			word = 0
		}
	}
	if dropped != 0 {
		h.Word(dropped)
	}
	for _, a := range answers {
		if a == nil || !a.counts {
			continue
		}
		for _, f := range a.facts {
			if f.Aspect == scenario.AspectSent || f.Aspect == scenario.AspectReceived {
				h.Word(f.Value)
			}
		}
	}
}
