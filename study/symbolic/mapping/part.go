package mapping

import (
	"cmp"
	"slices"
)

// Part takes about half of the outcomes out and makes a mapping of their own for them, so that the two can be run one after the other.
// States that are needed in both are copied. It gives nil if there is only one outcome. Forks of the new mapping count from 0.
//
// Rank, if not nil, says which states are rather taken out: those of a higher rank.
func (m *Mapping) Part(rank func(State) uint32) *Mapping {
	if rank == nil {
		rank = func(State) uint32 { return 0 }
	}
	if len(m.dstates) == 1 && !m.halve(m.dstates[0], rank) {
		return nil
	}
	n := &Mapping{algorithm: m.algorithm, forker: m.forker, motes: m.motes, nextSeq: m.nextSeq, places: map[State]*place{}}
	byRank := slices.Clone(m.dstates)
	slices.SortStableFunc(byRank, func(a, b *dstate) int { return cmp.Compare(a.rank(rank), b.rank(rank)) })
	keep := byRank[:len(byRank)/2]
	n.dstates = slices.DeleteFunc(slices.Clone(m.dstates), func(d *dstate) bool { return slices.Contains(keep, d) })
	m.dstates = slices.DeleteFunc(m.dstates, func(d *dstate) bool { return !slices.Contains(keep, d) })
	copies := map[State]State{}
	for _, d := range n.dstates {
		for mote := range d.states {
			for _, s := range slices.Clone(d.states[mote]) {
				m.move(s, d, n, copies)
			}
		}
	}
	return n
}

// rank is that of the outcome with the lowest.
func (d *dstate) rank(rank func(State) uint32) (sum uint64) {
	for _, states := range d.states {
		low := rank(states[0])
		for _, s := range states[1:] {
			low = min(low, rank(s))
		}
		sum += uint64(low)
	}
	return sum
}

// halve makes two dstates of one, by the states of the mote that has most.
func (m *Mapping) halve(d *dstate, rank func(State) uint32) bool {
	most := 0
	for mote, states := range d.states {
		if len(states) > len(d.states[most]) {
			most = mote
		}
	}
	half := len(d.states[most]) / 2
	if half == 0 {
		return false
	}
	heir := m.newDstate()
	for mote, states := range d.states {
		states = slices.Clone(states)
		if mote == most {
			slices.SortStableFunc(states, func(a, b State) int { return cmp.Compare(rank(a), rank(b)) })
		}
		for i, s := range states {
			switch {
			case mote != most:
				m.join(s, heir)
			case i >= half:
				m.leave(s, d)
				m.join(s, heir)
			}
		}
	}
	return true
}

// move has a state, or a copy if it stays in others, follow its dstate to another mapping.
func (m *Mapping) move(s State, d *dstate, n *Mapping, copies map[State]State) {
	p := m.place(s)
	c, copied := copies[s]
	if !copied {
		if c = s; slices.ContainsFunc(p.in, func(o *dstate) bool { return !n.has(o) }) {
			c = m.forker.Fork(s)
			m.forks++
		}
		copies[s] = c
		n.introduce(c, p.mote)
	}
	in, _ := search(p.in, d.seq)
	if p.in = slices.Delete(p.in, in, in+1); len(p.in) == 0 && c == s {
		delete(m.places, s)
	}
	d.states[p.mote][slices.Index(d.states[p.mote], s)] = c
	q := n.place(c)
	q.in = append(q.in, d)
}

func (m *Mapping) has(d *dstate) bool {
	_, ok := m.find(d.seq)
	return ok
}
