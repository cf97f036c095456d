package mapping

import (
	"encoding/binary"
	"iter"
	"math/big"
	"slices"
)

// Count is how many outcomes there are.
func (m *Mapping) Count() *big.Int {
	sum := new(big.Int)
	for _, d := range m.dstates {
		product := big.NewInt(1)
		for _, states := range d.states {
			product.Mul(product, big.NewInt(int64(len(states))))
		}
		sum.Add(sum, product)
	}
	return sum
}

// Explode enumerates the outcomes that have all of the given states in them, or all outcomes if none is given. Each is one
// state for each mote. They come dstate by dstate, the oldest first, and in one like the numbers of a counter, the last mote the
// fastest. None is made before it is asked for: there may be more than anyone can count. The mapping must not change meanwhile.
func (m *Mapping) Explode(with ...State) iter.Seq[[]State] {
	return func(yield func([]State) bool) {
		for d, choices := range m.having(with) {
			for mote := range choices {
				if choices[mote] == nil {
					choices[mote] = d.states[mote]
				}
			}
			if !product(choices, yield) {
				return
			}
		}
	}
}

// Together enumerates how states of some motes occur together in outcomes that have all of the given states in them: of each motes'
// combination one. That is what an assertion about these motes has to look at.
func (m *Mapping) Together(motes []int, with ...State) iter.Seq[[]State] {
	return func(yield func([]State) bool) {
		seen := map[string]bool{} // asked, never iterated
		unseen := func(states []State) bool {
			key := make([]byte, 0, 4*len(states))
			for _, s := range states {
				key = binary.LittleEndian.AppendUint32(key, uint32(s))
			}
			if seen[string(key)] {
				return true
			}
			seen[string(key)] = true
			return yield(states)
		}
		for d, fixed := range m.having(with) {
			choices := make([][]State, len(motes))
			for i, mote := range motes {
				if choices[i] = fixed[mote]; choices[i] == nil {
					choices[i] = d.states[mote]
				}
			}
			if !product(choices, unseen) {
				return
			}
		}
	}
}

// Least is the least that the other motes' states cost together, in the outcomes that a state is in.
func (m *Mapping) Least(s State, cost func(State) uint32) uint32 {
	least := ^uint32(0)
	own := m.place(s)
	for _, d := range own.in {
		sum := uint32(0)
		for mote, states := range d.states {
			if mote == own.mote {
				continue
			}
			low := cost(states[0])
			for _, o := range states[1:] {
				low = min(low, cost(o))
			}
			sum += low
		}
		least = min(least, sum)
	}
	return least
}

// having enumerates the dstates which all the given states are in, and for each what that leaves to choose: nil for motes of which no state
// is given.
func (m *Mapping) having(with []State) iter.Seq2[*dstate, [][]State] {
	return func(yield func(*dstate, [][]State) bool) {
		fixed := make([][]State, m.motes)
		candidates := m.dstates
		for _, s := range with {
			p := m.place(s)
			if fixed[p.mote] != nil && fixed[p.mote][0] != s {
				return // two states of one mote are in no outcome
			}
			fixed[p.mote] = []State{s}
			if len(p.in) <= len(candidates) {
				candidates = p.in
			}
		}
		for _, d := range candidates {
			all := true
			for _, s := range with {
				_, in := search(m.place(s).in, d.seq)
				all = all && in
			}
			if all && !yield(d, slices.Clone(fixed)) {
				return
			}
		}
	}
}

// product enumerates the combinations, until the receiver has enough.
func product(choices [][]State, yield func([]State) bool) bool {
	digits := make([]int, len(choices))
	for {
		states := make([]State, len(choices))
		for i, n := range digits {
			states[i] = choices[i][n]
		}
		if !yield(states) {
			return false
		}
		i := len(digits) - 1
		for ; i >= 0; i-- {
			if digits[i]++; digits[i] < len(choices[i]) {
				break
			}
			digits[i] = 0
		}
		if i < 0 {
			return true
		}
	}
}
