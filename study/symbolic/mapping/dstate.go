package mapping

import (
	"fmt"
	"slices"
)

func (m *Mapping) place(s State) *place {
	p := m.places[s]
	if p == nil {
		panic(fmt.Sprintf("BUG: state %d is not in the mapping", s))
	}
	return p
}

// introduce names a new state.
func (m *Mapping) introduce(s State, mote int) {
	if m.places[s] != nil {
		panic(fmt.Sprintf("BUG: state %d is in the mapping already", s))
	}
	m.places[s] = &place{mote: mote}
}

// fork copies a state. The copy is in no dstate yet.
func (m *Mapping) fork(s State) State {
	c := m.forker.Fork(s)
	m.introduce(c, m.place(s).mote)
	m.forks++
	return c
}

func (m *Mapping) newDstate() *dstate {
	d := &dstate{seq: m.nextSeq, states: make([][]State, m.motes)}
	m.nextSeq++
	m.dstates = append(m.dstates, d)
	return d
}

// find is the index of a dstate among all.
func (m *Mapping) find(seq uint64) (int, bool) { return search(m.dstates, seq) }

func search(list []*dstate, seq uint64) (int, bool) {
	return slices.BinarySearchFunc(list, seq, func(d *dstate, seq uint64) int {
		switch {
		case d.seq < seq:
			return -1
		case d.seq > seq:
			return 1
		}
		return 0
	})
}

// join puts a state into a dstate, as the last of its mote.
func (m *Mapping) join(s State, d *dstate) {
	p := m.place(s)
	d.states[p.mote] = append(d.states[p.mote], s)
	at, _ := search(p.in, d.seq)
	p.in = slices.Insert(p.in, at, d)
}

// leave takes a state out of a dstate.
func (m *Mapping) leave(s State, d *dstate) {
	p := m.place(s)
	at := slices.Index(d.states[p.mote], s)
	d.states[p.mote] = slices.Delete(d.states[p.mote], at, at+1)
	in, _ := search(p.in, d.seq)
	p.in = slices.Delete(p.in, in, in+1)
}

// pass puts a copy into a dstate in the place of the original.
func (m *Mapping) pass(from, to State, d *dstate) {
	p, q := m.place(from), m.place(to)
	d.states[p.mote][slices.Index(d.states[p.mote], from)] = to
	in, _ := search(p.in, d.seq)
	p.in = slices.Delete(p.in, in, in+1)
	at, _ := search(q.in, d.seq)
	q.in = slices.Insert(q.in, at, d)
}

// sending is a frame on its way.
type sending struct {
	mote      int     // that sends
	to        []int   // that receive
	rounds    []round // by seq of the dstate
	receivers [][]State
}

// round is a dstate that senders are in.
type round struct {
	*dstate
	senders []State
	rivals  bool    // there are other states of the senders' mote
	heir    *dstate // where the senders go if there are rivals
}

func (m *Mapping) sending(senders []State, to []int) *sending {
	s := &sending{mote: m.place(senders[0]).mote, to: to, receivers: make([][]State, m.motes)}
	for i, mote := range to {
		if mote < 0 || mote >= m.motes || mote == s.mote || slices.Contains(to[:i], mote) {
			panic(fmt.Sprintf("BUG: mote %d sends to motes %v, of %d", s.mote, to, m.motes))
		}
	}
	for i, state := range senders {
		p := m.place(state)
		if p.mote != s.mote || slices.Contains(senders[:i], state) {
			panic(fmt.Sprintf("BUG: states %v send one frame, but they are not states of one mote, each once", senders))
		}
		for _, d := range p.in {
			s.add(d, state)
		}
	}
	for i := range s.rounds {
		r := &s.rounds[i]
		r.rivals = len(r.senders) < len(r.states[s.mote])
	}
	return s
}

func (s *sending) add(d *dstate, sender State) {
	at, ok := slices.BinarySearchFunc(s.rounds, d.seq, func(r round, seq uint64) int {
		switch {
		case r.seq < seq:
			return -1
		case r.seq > seq:
			return 1
		}
		return 0
	})
	if !ok {
		s.rounds = slices.Insert(s.rounds, at, round{dstate: d})
	}
	s.rounds[at].senders = append(s.rounds[at].senders, sender)
}

// split moves the senders away from their rivals.
func (m *Mapping) split(r *round) {
	r.heir = m.newDstate()
	for _, s := range r.senders {
		m.leave(s, r.dstate)
		m.join(s, r.heir)
	}
}

func (s *sending) receives(mote int) bool { return slices.Contains(s.to, mote) }
