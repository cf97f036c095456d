// Package mapping keeps track of which states of motes belong together, while motes are executed one by one.
//
// A state is what one mote has reached, on one path through its program. An outcome is one state for each mote, such
// that the network can reach all of them together. A mote branches by itself, so after some branches there are many
// more outcomes than states, and most states take part in many outcomes. When a state sends a frame, only those that it
// meets in an outcome may receive it: where a state of the receiver also meets others, it has to be copied first. The
// algorithms, after Sasnauskas and others (KleeNet, IPSN 2010), differ in what they copy and when:
//
//   - cob, copy on branch: whoever branches has all its peers copied, at once. A dstate is one outcome.
//   - cow, copy on write: a dstate holds many states of each mote, and stands for all their combinations. Whoever sends while there
//     are other states of its mote in its dstate, its rivals, leaves them for a new dstate, with copies of all the others.
//   - sds, super-distributed states: a state can be in many dstates (the paper of 2011 calls each of these memberships a virtual state).
//     Only the receivers of a frame are copied; bystanders join the new dstate as they are.
//
// States are numbers here: what they stand for, and how it is copied, is the caller's business.
//
// Invariants:
//   - A dstate has at least one state of each mote. Every combination of its states, one for each mote, is an outcome.
//   - No two dstates have an outcome in common. So outcomes are enumerated without being remembered, each once.
//   - All three algorithms represent the same outcomes after the same history. With sds no two states of a mote have the same history, as
//     long as no two frames are taken for the same one.
//   - What is copied, in which order, and every order of results depend on the calls alone.
package mapping

import (
	"slices"
)

// State is the caller's name of a state. Fork never gives the same twice.
type State uint32

// Forker copies states.
type Forker interface {
	// Fork makes a state just like the given one, of the same mote, and says what it is called.
	Fork(State) State
}

// Algorithm is a way to map states to outcomes.
type Algorithm struct {
	Name, About string

	branch func(m *Mapping, parent, child State)
	send   func(m *Mapping, s *sending)
}

// Algorithms is all of them, the one to prefer first.
var Algorithms = []*Algorithm{&SDS, &COW, &COB}

// Mapping is the states of a network and how they belong together. It is for one goroutine.
type Mapping struct {
	algorithm *Algorithm
	forker    Forker
	motes     int
	dstates   []*dstate // by seq
	nextSeq   uint64
	places    map[State]*place // never iterated
	forks     int
}

// dstate is a set of states of each mote, all combinations of which are outcomes.
type dstate struct {
	seq    uint64
	states [][]State // by mote, in the order in which they came
}

// place is where a state is.
type place struct {
	mote int
	in   []*dstate // by seq
}

// New has one state for each mote.
func New(a *Algorithm, f Forker, first []State) *Mapping {
	m := &Mapping{algorithm: a, forker: f, motes: len(first), places: map[State]*place{}}
	if len(first) == 0 {
		panic("BUG: a network without motes")
	}
	d := m.newDstate()
	for mote, s := range first {
		m.introduce(s, mote)
		m.join(s, d)
	}
	return m
}

// States is how many there are.
func (m *Mapping) States() int { return len(m.places) }

// Dstates is how many there are.
func (m *Mapping) Dstates() int { return len(m.dstates) }

// Has reports whether a state is in it.
func (m *Mapping) Has(s State) bool { return m.places[s] != nil }

// Met is the states of a mote that a state is in an outcome with, in order.
func (m *Mapping) Met(s State, mote int) (all []State) {
	for _, d := range m.place(s).in {
		all = append(all, d.states[mote]...)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// Branch says that a state, parent, has become two. The child is new: the caller has made it, and from now on it is in the
// same outcomes as parent, with parent replaced.
func (m *Mapping) Branch(parent, child State) {
	m.introduce(child, m.place(parent).mote)
	m.algorithm.branch(m, parent, child)
}

// Send prepares the delivery of a frame, and gives the states which must receive it, those of one mote after those of another, as in to.
// The receivers are in the outcomes of the senders and in no others. Usually there is one sender. If there are more, they are states
// of one mote, and the frame is the same, to the byte and to the moment: then they are no rivals, and less is copied.
func (m *Mapping) Send(senders []State, to []int) []State {
	s := m.sending(senders, to)
	m.algorithm.send(m, s)
	var all []State
	for _, mote := range to {
		all = append(all, s.receivers[mote]...)
	}
	return all
}

// Remove takes a state out, with all outcomes that it is in. States which then are in no outcome any more go too; the result is
// which they were, by mote.
func (m *Mapping) Remove(s State) (orphans []State) {
	var lost []State
	for _, d := range slices.Clone(m.place(s).in) {
		if len(d.states[m.place(s).mote]) > 1 {
			m.leave(s, d)
			continue
		}
		for _, states := range d.states {
			for _, o := range slices.Clone(states) {
				if m.leave(o, d); o != s && len(m.place(o).in) == 0 {
					lost = append(lost, o)
				}
			}
		}
		at, _ := m.find(d.seq)
		m.dstates = slices.Delete(m.dstates, at, at+1)
	}
	slices.SortStableFunc(lost, func(a, b State) int { return m.place(a).mote - m.place(b).mote })
	for _, o := range append(lost, s) {
		delete(m.places, o)
	}
	return lost
}
