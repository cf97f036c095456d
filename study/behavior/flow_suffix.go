package behavior

// suffixes is a suffix array with what is needed to walk the tree of repeated substrings: rank is its inverse, and lcp[i]
// how long the prefix is that suffixes i-1 and i share.
type suffixes struct {
	sa, rank, lcp []int32
}

// newSuffixes sorts the suffixes of a text over 0..alphabet-1 in linear time.
func newSuffixes(text []int32, alphabet int) *suffixes {
	s := &suffixes{sa: induced(text, alphabet), rank: make([]int32, len(text)), lcp: make([]int32, len(text)+1)}
	for i, p := range s.sa {
		s.rank[p] = int32(i)
	}
	// Kasai: the prefix shared with the neighbour shrinks by at most one from a suffix to the next.
	h := 0
	for i := range text {
		r := s.rank[i]
		if r == 0 {
			h = 0
			continue
		}
		j := int(s.sa[r-1])
		for i+h < len(text) && j+h < len(text) && text[i+h] == text[j+h] {
			h++
		}
		s.lcp[r] = int32(h)
		if h > 0 {
			h--
		}
	}
	return s
}

// induced is the suffix array by induced sorting (Nong, Zhang and Chan, 2009).
func induced(text []int32, alphabet int) []int32 {
	n := len(text)
	sa := make([]int32, n)
	switch n {
	case 0, 1:
		return sa
	}
	small := make([]bool, n) // S-type: smaller than the suffix after it
	for i := n - 2; i >= 0; i-- {
		small[i] = text[i] < text[i+1] || text[i] == text[i+1] && small[i+1]
	}
	leftmost := func(i int) bool { return i > 0 && small[i] && !small[i-1] }
	b := newBuckets(text, alphabet)
	var lms []int32
	for i := range n {
		if leftmost(i) {
			lms = append(lms, int32(i))
		}
	}
	b.induce(text, sa, small, lms)
	if len(lms) < 2 {
		return sa
	}
	sorted := make([]int32, 0, len(lms))
	for _, p := range sa {
		if leftmost(int(p)) {
			sorted = append(sorted, p)
		}
	}
	names, count := nameSubstrings(text, sorted, lms, leftmost)
	var order []int32
	if count == len(lms) {
		order = make([]int32, len(lms))
		for i, name := range names {
			order[name] = int32(i)
		}
	} else {
		order = induced(names, count)
	}
	for i, o := range order {
		sorted[i] = lms[o]
	}
	b.induce(text, sa, small, sorted)
	return sa
}

// nameSubstrings numbers the substrings between leftmost S-type positions by their order, equal ones alike.
func nameSubstrings(text, sorted, lms []int32, leftmost func(int) bool) (names []int32, count int) {
	n := len(text)
	name := make([]int32, n) // by position
	last := -1
	for i, p := range sorted {
		if i > 0 && !sameSubstring(text, last, int(p), leftmost) {
			count++
		}
		name[p] = int32(count)
		last = int(p)
	}
	names = make([]int32, len(lms))
	for i, p := range lms {
		names[i] = name[p]
	}
	return names, count + 1
}

func sameSubstring(text []int32, a, b int, leftmost func(int) bool) bool {
	n := len(text)
	for d := 0; ; d++ {
		if a+d == n || b+d == n || text[a+d] != text[b+d] {
			return false
		}
		if d > 0 && (leftmost(a+d) || leftmost(b+d)) {
			return leftmost(a+d) && leftmost(b+d)
		}
	}
}

// buckets are where suffixes of each first symbol go.
type buckets struct {
	start []int32 // by symbol, and the end
	at    []int32
}

func newBuckets(text []int32, alphabet int) *buckets {
	b := &buckets{start: make([]int32, alphabet+1), at: make([]int32, alphabet)}
	for _, c := range text {
		b.start[c+1]++
	}
	for i := range alphabet {
		b.start[i+1] += b.start[i]
	}
	return b
}

// induce sorts all suffixes from the order of the leftmost S-type ones.
func (b *buckets) induce(text, sa []int32, small []bool, lms []int32) {
	for i := range sa {
		sa[i] = -1
	}
	copy(b.at, b.start[1:])
	for i := len(lms) - 1; i >= 0; i-- {
		c := text[lms[i]]
		b.at[c]--
		sa[b.at[c]] = lms[i]
	}
	copy(b.at, b.start)
	n := len(text)
	b.put(text, sa, n-1) // the last suffix is L-type: it precedes what begins with its symbol
	for _, p := range sa {
		if p > 0 && !small[p-1] {
			b.put(text, sa, int(p-1))
		}
	}
	copy(b.at, b.start[1:])
	for i := n - 1; i >= 0; i-- {
		if p := sa[i]; p > 0 && small[p-1] {
			c := text[p-1]
			b.at[c]--
			sa[b.at[c]] = p - 1
		}
	}
}

func (b *buckets) put(text, sa []int32, p int) {
	c := text[p]
	sa[b.at[c]] = int32(p)
	b.at[c]++
}
