package mapping

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// motes are states with a memory of what happened to them, which is all that they are.
type motes struct {
	history []string // by state
	mote    []int
	gone    []bool
}

func (n *motes) add(mote int, history string) State {
	n.history, n.mote, n.gone = append(n.history, history), append(n.mote, mote), append(n.gone, false)
	return State(len(n.history) - 1)
}

func (n *motes) Fork(s State) State { return n.add(n.mote[s], n.history[s]) }

// network is motes under a mapping.
type network struct {
	motes
	*Mapping
}

func start(a *Algorithm, count int) *network {
	n := &network{}
	var first []State
	for mote := range count {
		first = append(first, n.add(mote, ""))
	}
	n.Mapping = New(a, &n.motes, first)
	return n
}

// at is the states of a mote with a history, several where an algorithm makes duplicates.
func (n *network) at(mote int, history string) (all []State) {
	for s := range n.history {
		if !n.gone[s] && n.mote[s] == mote && n.history[s] == history {
			all = append(all, State(s))
		}
	}
	return all
}

func (n *network) branch(s State, ways int) []State {
	was := n.history[s]
	all := []State{s}
	for range ways - 1 {
		c := n.Fork(s)
		n.Branch(s, c)
		all = append(all, c)
	}
	for i, s := range all {
		n.history[s] = was + string(rune('a'+i))
	}
	return all
}

func (n *network) send(senders []State, to []int, frame string) []State {
	all := n.Send(senders, to)
	for _, s := range all {
		n.history[s] += frame
	}
	return all
}

func (n *network) remove(s State) {
	for _, o := range append(n.Remove(s), s) {
		n.gone[o] = true
	}
}

// outcomes is what the mapping represents, as histories.
func (n *network) outcomes(t *testing.T) []string {
	t.Helper()
	var all []string
	for states := range n.Explode() {
		for mote, s := range states {
			if n.mote[s] != mote || n.gone[s] {
				t.Fatalf("%s: outcome %v has a state that is none of mote %d", n.Algorithm().Name, states, mote)
			}
		}
		all = append(all, n.tell(states))
	}
	if n.Count().Cmp(bigInt(len(all))) != 0 {
		t.Fatalf("%s: Count is %v, there are %d", n.Algorithm().Name, n.Count(), len(all))
	}
	return all
}

func (n *network) tell(states []State) string {
	var parts []string
	for _, s := range states {
		parts = append(parts, n.history[s])
	}
	return strings.Join(parts, "|")
}

// duplicates is states of one mote with the same history.
func (n *network) duplicates() (all []string) {
	seen := map[string]bool{}
	for s, h := range n.history {
		key := fmt.Sprintf("%d:%s", n.mote[s], h)
		if n.gone[s] {
			continue
		}
		if seen[key] {
			all = append(all, key)
		}
		seen[key] = true
	}
	return all
}

// step is something that happens to all states of a mote which have one of the histories: two or three branches, or a frame, or an end.
type step struct {
	mote      int
	histories []string
	ways      int   // branches; 0 for a frame
	to        []int // nil and no ways: removed
	frame     string
}

// brute is the reference: every outcome for itself, as what happened to its motes.
type brute [][]string

func (b brute) apply(s step) (next brute) {
	for _, outcome := range b {
		is := slices.Contains(s.histories, outcome[s.mote])
		switch {
		case !is:
			next = append(next, outcome)
		case s.ways > 0:
			for i := range s.ways {
				c := slices.Clone(outcome)
				c[s.mote] += string(rune('a' + i))
				next = append(next, c)
			}
		case s.to != nil:
			for _, t := range s.to {
				outcome[t] += s.frame
			}
			next = append(next, outcome)
		}
	}
	return next
}

func (b brute) outcomes() (all []string) {
	for _, s := range b {
		all = append(all, strings.Join(s, "|"))
	}
	return all
}

// apply does the step to every state that it is about. All that send the same frame send it together, or one after the other.
func (n *network) apply(s step, together bool) {
	var about []State
	for _, h := range s.histories {
		about = append(about, n.at(s.mote, h)...)
	}
	switch {
	case s.ways > 0:
		for _, state := range about {
			n.branch(state, s.ways)
		}
	case s.to == nil:
		for _, state := range about {
			if !n.gone[state] {
				n.remove(state)
			}
		}
	case together:
		n.send(about, s.to, s.frame)
	default:
		for _, state := range about {
			n.send([]State{state}, s.to, s.frame)
		}
	}
}

// randomStep picks something that can happen to some outcome.
func (b brute) randomStep(r *rand.Rand, number int) step {
	motes := len(b[0])
	s := step{mote: r.IntN(motes), frame: fmt.Sprintf("<%d>", number)}
	s.histories = []string{b[r.IntN(len(b))][s.mote]}
	for r.IntN(3) == 0 {
		if h := b[r.IntN(len(b))][s.mote]; !slices.Contains(s.histories, h) {
			s.histories = append(s.histories, h)
		}
	}
	switch r.IntN(12) {
	case 0, 1, 2, 3:
		s.ways = 2 + r.IntN(2)
	case 4:
		if len(b) > 40 {
			return s // removed
		}
		fallthrough
	default:
		for mote := range motes {
			if mote != s.mote && r.IntN(2) == 0 {
				s.to = append(s.to, mote)
			}
		}
		if s.to == nil {
			s.to = []int{(s.mote + 1) % motes}
		}
		r.Shuffle(len(s.to), func(i, j int) { s.to[i], s.to[j] = s.to[j], s.to[i] })
	}
	return s
}

// Algorithm is the one in use.
func (m *Mapping) Algorithm() *Algorithm { return m.algorithm }
