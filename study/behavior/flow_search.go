package behavior

import (
	"cmp"
	"maps"
	"slices"
)

// How bestRepeat stays near linear. Every repeated substring is a prefix of an inner node of the suffix tree, and all
// substrings that occur at the same places, up to a shift, belong to one maximal repeat: an inner node that can be extended to
// neither side. Of a repeat with the places M, the count at size k depends on M and k only, and falls as k grows. So
// for each maximal repeat the sizes are searched by halving, with the bound size * (count at a smaller size), and only
// while that bound can beat the best so far. Long repetitions, (ab)^n with a disturbance, have one maximal repeat for each
// size; those lie on few paths of the tree, along which counts fall too, so whole paths are searched by halving. Counting
// itself jumps by multiples of the period within a repetition, and else scans or sorts the places.

// repeat is an inner node of the suffix tree.
type repeat struct {
	lo, hi int32 // its suffixes in the suffix array
	depth  int32 // size of its string
	above  int32 // that of its parent's
	heavy  int32 // child with the most suffixes, or -1
	least  int32 // smallest size of a substring of this maximal repeat
	inner  bool  // it is some parent's heavy child
	left   bool  // it cannot be extended to the left: with its right end, a maximal repeat
}

func (r *repeat) occurrences() int32 { return r.hi - r.lo }

// search is one run of bestRepeat.
type search struct {
	*suffixes
	text  []int32
	limit int32
	often int32 // how often a substring must occur
	nodes []repeat

	best     int64 // size * count
	bestSize int32

	path  []int32 // maximal repeats of the path that is searched, shortest first
	fail  []int32 // borders of the path's string, as far as needed
	sites []int32 // sorted places of the node last counted by sorting
	of    int32   // that node

	stretches map[int32][][]stretch // by period
}

// bestRepeat finds the substring of size at least 2 that occurs often, at least twice, and covers the most.
func bestRepeat(text []int32, limit, often int) (at, size, count int) {
	n := len(text)
	if limit <= 0 || limit > n {
		limit = n
	}
	dense, alphabet := compact(text)
	s := &search{suffixes: newSuffixes(dense, alphabet), text: dense, limit: int32(limit), often: int32(min(max(often, 2), n+2)), of: -1}
	s.grow()
	s.classify()
	s.searchPaths()
	if s.best == 0 {
		return 0, 0, 0
	}
	at = s.first()
	return at, int(s.bestSize), int(s.best / int64(s.bestSize))
}

// compact renumbers symbols to 0, 1, ... in their order.
func compact(text []int32) (dense []int32, alphabet int) {
	number := map[int32]int32{}
	for _, c := range text {
		number[c] = 0
	}
	symbols := slices.Sorted(maps.Keys(number))
	for i, c := range symbols {
		number[c] = int32(i)
	}
	dense = make([]int32, len(text))
	for i, c := range text {
		if i > 0 && c == text[i-1] {
			dense[i] = dense[i-1]
			continue
		}
		dense[i] = number[c]
	}
	return dense, len(symbols)
}

// grow makes the inner nodes from the shared prefixes.
func (s *search) grow() {
	type open struct{ depth, lo, heavy, size int32 }
	stack := []open{{heavy: -1}}
	n := int32(len(s.sa))
	for i := int32(1); i <= n; i++ {
		shared := int32(0)
		if i < n {
			shared = s.lcp[i]
		}
		lo, child, size := i-1, int32(-1), int32(0)
		for top := stack[len(stack)-1]; top.depth > shared; top = stack[len(stack)-1] {
			stack = stack[:len(stack)-1]
			under := &stack[len(stack)-1]
			if child >= 0 && size > top.size {
				top.heavy, top.size = child, size
			}
			if top.heavy >= 0 {
				s.nodes[top.heavy].inner = true
			}
			s.nodes = append(s.nodes, repeat{lo: top.lo, hi: i, depth: top.depth, above: max(shared, under.depth), heavy: top.heavy})
			lo, child, size = top.lo, int32(len(s.nodes)-1), i-top.lo
			if under.depth >= shared {
				if size > under.size {
					under.heavy, under.size = child, size
				}
				child, size = -1, 0
			}
		}
		if stack[len(stack)-1].depth < shared {
			stack = append(stack, open{depth: shared, lo: lo, heavy: child, size: size})
		}
	}
}

// classify finds the maximal repeats, and for each its smallest substring.
func (s *search) classify() {
	n := len(s.sa)
	changes := make([]int32, n) // how often the symbol to the left changes up to a suffix
	at := make([]int32, n)      // node of a range, at its left or right end, whichever no other node has
	before := func(i int) int32 {
		if p := s.sa[i]; p > 0 {
			return s.text[p-1]
		}
		return -1
	}
	for i := 1; i < n; i++ {
		changes[i] = changes[i-1]
		if before(i) != before(i-1) {
			changes[i]++
		}
	}
	slot := func(lo, hi int32) int32 {
		if s.lcp[lo] >= s.lcp[hi] {
			return lo
		}
		return hi - 1
	}
	for i := range s.nodes {
		v := &s.nodes[i]
		v.left = changes[v.lo] != changes[v.hi-1]
		v.least = v.above + 1
		at[slot(v.lo, v.hi)] = int32(i)
	}
	// A node that is always preceded by the same symbol belongs to the node one symbol longer. Chains are followed once.
	class := make([]int32, len(s.nodes))
	for i := range class {
		class[i] = -1
	}
	var chain []int32
	for i := range s.nodes {
		v := int32(i)
		chain = chain[:0]
		for class[v] < 0 && !s.nodes[v].left {
			chain = append(chain, v)
			lo := s.rank[s.sa[s.nodes[v].lo]-1]
			v = at[slot(lo, lo+s.nodes[v].occurrences())]
		}
		if class[v] >= 0 {
			v = class[v]
		}
		for _, c := range chain {
			class[c] = v
			s.nodes[v].least = min(s.nodes[v].least, s.nodes[c].least)
		}
	}
}

// searchPaths looks at the path that promises most, and then at all that can beat it.
func (s *search) searchPaths() {
	type path struct {
		top   int32
		bound int64
	}
	var paths []path
	for i := range s.nodes {
		if s.nodes[i].inner {
			continue
		}
		p := path{top: int32(i)}
		for v := p.top; v >= 0; v = s.nodes[v].heavy {
			if r := &s.nodes[v]; r.left {
				p.bound = max(p.bound, s.bound(min(r.depth, s.limit), r.occurrences()))
			}
		}
		paths = append(paths, p)
	}
	if len(paths) == 0 {
		return
	}
	order := func(a, b path) int {
		return cmp.Or(cmp.Compare(b.bound, a.bound), cmp.Compare(s.nodes[a.top].depth, s.nodes[b.top].depth), cmp.Compare(a.top, b.top))
	}
	first := slices.MinFunc(paths, order)
	s.searchPath(first.top)
	worth := paths[:0]
	for _, p := range paths {
		if p.bound >= s.best && p.top != first.top {
			worth = append(worth, p)
		}
	}
	slices.SortFunc(worth, order)
	for _, p := range worth {
		if p.bound < s.best {
			break
		}
		s.searchPath(p.top)
	}
}

// bound is the most that substrings of up to a size can cover.
func (s *search) bound(size, count int32) int64 {
	return min(int64(size)*int64(count), int64(len(s.text)))
}

// promising tells whether sizes from least on, with so many occurrences at most, can beat the best.
func (s *search) promising(least, size, count int32) bool {
	if size < least || count < s.often {
		return false
	}
	b := s.bound(size, count)
	if b != s.best {
		return b > s.best
	}
	needs := (s.best + int64(count) - 1) / int64(count)
	return max(needs, int64(least)) < int64(s.bestSize)
}

func (s *search) searchPath(top int32) {
	s.path, s.fail = s.path[:0], s.fail[:0]
	for v := top; v >= 0; v = s.nodes[v].heavy {
		if s.nodes[v].left {
			s.path = append(s.path, v)
		}
	}
	s.halve(0, len(s.path), int32(len(s.text)))
}

// sizes are those that are to be tried for a maximal repeat.
func (s *search) sizes(v *repeat) (least, most int32) {
	return max(2, min(v.least, v.above+1)), min(v.depth, s.limit)
}

// halve searches the repeats from..to of the path, of which none is counted more than count times at sizes above its parent's.
func (s *search) halve(from, to int, count int32) {
	for from < to {
		worth := false
		for _, i := range s.path[from:to] {
			v := &s.nodes[i]
			least, most := s.sizes(v)
			most = max(most, 0)
			c := v.occurrences()
			if v.least > v.above {
				c = min(c, count)
			}
			if s.promising(least, most, c) {
				worth = true
				break
			}
		}
		if !worth {
			return
		}
		mid := (from + to) / 2
		i := s.path[mid]
		v := &s.nodes[i]
		least, most := s.sizes(v)
		got := count
		if most >= 2 {
			got = s.try(i, most)
			upper := v.occurrences()
			if v.least > v.above {
				upper = min(upper, count)
			}
			s.narrow(i, least, most-1, upper, got)
		}
		s.halve(from, mid, count)
		if most == v.depth { // else it was counted at a size that later ones do not have as a prefix's
			count = min(count, got)
		}
		from = mid + 1
	}
}

// narrow searches a repeat's sizes least..most: the count is at most upper at the smallest, and lower just above the largest.
func (s *search) narrow(i, least, most, upper, lower int32) {
	for upper > lower && s.promising(least, most, upper) {
		mid := least + (most-least)/2
		got := s.try(i, mid)
		s.narrow(i, least, mid-1, upper, got)
		least, upper = mid+1, min(upper, got)
	}
}

// try counts a repeat's places at a size, and keeps what is best.
func (s *search) try(i, size int32) int32 {
	count := s.count(i, size)
	if covered := int64(size) * int64(count); count >= s.often && (covered > s.best || covered == s.best && size < s.bestSize) {
		s.best, s.bestSize = covered, size
	}
	return count
}

// first is where the first substring begins that covers the best, at the best size.
func (s *search) first() int {
	size := s.bestSize
	n := len(s.sa)
	group := make([]int32, n) // of the substring at each place, by the first suffix that has it
	for i, p := range s.sa {
		switch {
		case int(p)+int(size) > n:
			group[p] = -1
		case i > 0 && s.lcp[i] >= size:
			group[p] = group[s.sa[i-1]]
		default:
			group[p] = int32(i)
		}
	}
	counts, free := make([]int32, n), make([]int32, n)
	starts := make([]int32, n)
	best := -1
	for p, g := range group {
		if g < 0 || int32(p) < free[g] {
			continue
		}
		if counts[g] == 0 {
			starts[g] = int32(p)
		}
		counts[g]++
		free[g] = int32(p) + size
		if int64(counts[g])*int64(size) == s.best && (best < 0 || int(starts[g]) < best) {
			best = int(starts[g])
		}
	}
	if best < 0 {
		panic("BUG: a job flow that occurs nowhere")
	}
	return best
}
