package solver

import (
	"slices"

	"motehound/study/symbolic/expr"
)

// cache is KLEE's counter-example cache: sets of conditions that hold with their models, and sets that cannot hold. Both
// are tries over the sorted conditions, in which subsets and supersets are found without looking at all sets.
type cache struct {
	sat, unsat trie
	models     []expr.Model
	recent     []expr.Model // the newest first
	limit      int
}

const (
	recentModels = 8
	// A search through a trie gives up after so many nodes: then it is cheaper to solve.
	searchSteps = 4096
	subsetTries = 8
)

func newCache(limit int) *cache { return &cache{sat: newTrie(), unsat: newTrie(), limit: limit} }

func (c *cache) addSat(conds []expr.ID, m expr.Model) {
	if c.sat.full(c.limit) {
		c.sat, c.models = newTrie(), nil
	}
	c.sat.insert(conds, len(c.models))
	c.models = append(c.models, m)
	c.recent = slices.Insert(c.recent, 0, m)
	if len(c.recent) > recentModels {
		c.recent = c.recent[:recentModels]
	}
}

func (c *cache) addUnsat(core []expr.ID) {
	if c.unsat.full(c.limit) {
		c.unsat = newTrie()
	}
	core = slices.Clone(core)
	slices.Sort(core)
	c.unsat.insert(core, 0)
}

func (c *cache) exact(conds []expr.ID) (expr.Model, bool) {
	if v := c.sat.get(conds); v >= 0 {
		return c.models[v], true
	}
	return expr.Model{}, false
}

func (c *cache) hasUnsatSubset(conds []expr.ID) bool {
	found := false
	c.unsat.subsets(conds, func(int) bool {
		found = true
		return false
	})
	return found
}

func (c *cache) satSuperset(conds []expr.ID) (expr.Model, bool) {
	if v := c.sat.superset(conds); v >= 0 {
		return c.models[v], true
	}
	return expr.Model{}, false
}

// satSubsets is models of fewer conditions that may happen to satisfy all.
func (c *cache) satSubsets(conds []expr.ID) []expr.Model {
	var out []expr.Model
	c.sat.subsets(conds, func(v int) bool {
		out = append(out, c.models[v])
		return len(out) < subsetTries
	})
	return out
}

// trie holds sets as paths of ascending conditions. Node 0 is the root.
type trie struct {
	nodes []trieNode
	sets  int
}

type trieNode struct {
	value int // of the set that ends here, or -1
	keys  []expr.ID
	kids  []int32
}

// full: many sets, or such long ones with so little in common that their nodes are too many.
func (t *trie) full(limit int) bool { return t.sets >= limit || len(t.nodes) >= 8*limit }

func newTrie() trie { return trie{nodes: []trieNode{{value: -1}}} }

func (t *trie) insert(set []expr.ID, value int) {
	at := int32(0)
	for _, id := range set {
		i, ok := slices.BinarySearch(t.nodes[at].keys, id)
		if !ok {
			kid := int32(len(t.nodes))
			t.nodes = append(t.nodes, trieNode{value: -1})
			n := &t.nodes[at]
			n.keys = slices.Insert(n.keys, i, id)
			n.kids = slices.Insert(n.kids, i, kid)
		}
		at = t.nodes[at].kids[i]
	}
	if t.nodes[at].value < 0 {
		t.sets++
	}
	t.nodes[at].value = value
}

func (t *trie) get(set []expr.ID) int {
	at := int32(0)
	for _, id := range set {
		i, ok := slices.BinarySearch(t.nodes[at].keys, id)
		if !ok {
			return -1
		}
		at = t.nodes[at].kids[i]
	}
	return t.nodes[at].value
}

// subsets calls yield with the value of each non-empty set whose members are all in set, until it returns false.
func (t *trie) subsets(set []expr.ID, yield func(value int) bool) {
	steps := searchSteps
	var walk func(at int32, rest []expr.ID) bool
	walk = func(at int32, rest []expr.ID) bool {
		n := &t.nodes[at]
		if at != 0 && n.value >= 0 && !yield(n.value) {
			return false
		}
		for i, j := 0, 0; i < len(n.keys) && j < len(rest); {
			if steps--; steps < 0 {
				return false
			}
			switch {
			case n.keys[i] < rest[j]:
				i++
			case n.keys[i] > rest[j]:
				j++
			default:
				if !walk(n.kids[i], rest[j+1:]) {
					return false
				}
				i, j = i+1, j+1
			}
		}
		return true
	}
	walk(0, set)
}

// superset is the value of some set that has all members of set, or -1.
func (t *trie) superset(set []expr.ID) int {
	steps := searchSteps
	var walk func(at int32, rest []expr.ID) int
	walk = func(at int32, rest []expr.ID) int {
		n := &t.nodes[at]
		if len(rest) == 0 && n.value >= 0 {
			return n.value
		}
		for i, key := range n.keys {
			if steps--; steps < 0 {
				return -1
			}
			if len(rest) > 0 && key > rest[0] {
				break
			}
			left := rest
			if len(rest) > 0 && key == rest[0] {
				left = rest[1:]
			}
			if v := walk(n.kids[i], left); v >= 0 {
				return v
			}
		}
		return -1
	}
	return walk(0, set)
}
