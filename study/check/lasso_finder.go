package check

import (
	"encoding/binary"
	"slices"
)

// lassoFinder looks for lassos on a walk: it notes the states since the goal that is due for the longest time held, and tells when one of
// them comes again on a fair cycle. A cycle is fair if nothing fails on it, and each event that some state of it obliges is fired
// somewhere on it.
type lassoFinder struct {
	goal   int // that is watched; -1 for none
	first  map[[2]uint64]int
	steps  []lassoStep
	sets   [][]uint64
	ids    map[string]int32
	here   [2]uint64 // hash of the current state, if hashed
	hashed bool
	credit int // steps that may be looked at again: it keeps the cost of looking proportional to that of walking
}

type lassoStep struct {
	fired   Event
	obliged int32 // events that were enabled, as index of sets
}

const (
	lassoPatience = 32      // for how many events a goal has to be due before hashing starts
	lassoLength   = 1 << 17 // states that are noted at most
)

func newLassoFinder() *lassoFinder {
	return &lassoFinder{goal: -1, ids: make(map[string]int32)}
}

// leave notes that an event is about to be fired in the current state.
func (n *lassoFinder) leave(sys System, enabled []Event, e Event, counts []int) {
	defer func() { n.hashed = false }()
	if n.goal < 0 {
		n.watch(counts)
	}
	if n.goal < 0 {
		return
	}
	if !e.natural() || len(n.steps) >= lassoLength {
		n.restart()
		return
	}
	if !n.hashed {
		n.here = sys.Hash()
	}
	if _, ok := n.first[n.here]; !ok {
		n.first[n.here] = len(n.steps)
	}
	n.steps = append(n.steps, lassoStep{fired: e, obliged: n.intern(enabled)})
	n.credit += 4
}

func (n *lassoFinder) watch(counts []int) {
	longest := lassoPatience
	for i, c := range counts {
		if c >= longest {
			n.goal, longest = i, c
		}
	}
	if n.goal >= 0 {
		n.restart()
	}
}

func (n *lassoFinder) restart() {
	n.steps = n.steps[:0]
	n.first = make(map[[2]uint64]int)
	n.credit = 0
}

// closed tells which goal is violated by a cycle that ends in the current state, and how long that is; 0 if there is none.
func (n *lassoFinder) closed(sys System, counts []int) (goal, cycle int) {
	if n.goal < 0 {
		return 0, 0
	}
	if counts[n.goal] == 0 {
		n.goal = -1
		return 0, 0
	}
	n.here, n.hashed = sys.Hash(), true
	i, ok := n.first[n.here]
	if !ok {
		return 0, 0
	}
	length := len(n.steps) - i
	if n.credit < length {
		return 0, 0
	}
	n.credit -= length
	if !n.fair(n.steps[i:]) {
		return 0, 0
	}
	return n.goal, length
}

func (n *lassoFinder) fair(cycle []lassoStep) bool {
	fired := make(map[uint64]bool)
	sets := make(map[int32]bool)
	for _, s := range cycle {
		fired[s.fired.key()] = true
		sets[s.obliged] = true
	}
	for id := range sets {
		for _, k := range n.sets[id] {
			if !fired[k] {
				return false
			}
		}
	}
	return true
}

// intern gives the set of the events that oblige.
func (n *lassoFinder) intern(enabled []Event) int32 {
	var set []uint64
	for _, e := range enabled {
		if e.obliged() {
			set = append(set, e.key())
		}
	}
	slices.Sort(set)
	text := make([]byte, 0, 128)
	for _, k := range set {
		text = binary.LittleEndian.AppendUint64(text, k)
	}
	id, ok := n.ids[string(text)]
	if !ok {
		id = int32(len(n.sets))
		n.sets = append(n.sets, set)
		n.ids[string(text)] = id
	}
	return id
}
