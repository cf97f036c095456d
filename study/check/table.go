package check

import (
	"encoding/binary"
	"math"
	"slices"
	"sync"
)

// unbounded is how many events are left where there is no bound on depth.
const unbounded = math.MaxInt32

// table is the states that a search knows, by hash, and for each of them what was promised for it: claims. A claim (left, asleep)
// says that every run of at most left events from that state has an equivalent one among those which are explored, except
// for runs equivalent to one that starts with an event asleep. It is made when the exploration of the state starts: by the time
// the search ends, all claims are true. So a state that comes again needs to be explored only as far as no single claim reaches:
// two claims together prove less than it seems, as a run may start with an event asleep in one and with another asleep in
// the other.
type table struct {
	shards [64]shard
}

type shard struct {
	mu     sync.Mutex
	slots  []slot
	used   int
	claims []claim
	sets   [][]uint64 // what is asleep in claims; each set once
	ids    map[string]int32
	open   int // states that have events, none of which was explored: the bound on depth cut them
}

type slot struct {
	a, b  uint64
	first int32 // 1 + index of the first claim; 0 if the slot is free
}

type claim struct {
	left   int32
	asleep int32
	next   int32 // as slot.first
}

// work is what a search has to do in a state.
type work struct {
	fresh bool     // nobody was here before
	known bool     // nothing to do
	only  []uint64 // if not nil, only these events, by key
}

// visit asks what to do in a state with so many events left and these events asleep, by key and in order, and claims that it will
// be done. A stuck state has no events.
func (t *table) visit(h [2]uint64, left int32, asleep []uint64, stuck bool) work {
	if stuck {
		left = unbounded
	}
	if stuck || left == 0 {
		asleep = nil
	}
	s := &t.shards[h[0]>>58]
	s.mu.Lock()
	defer s.mu.Unlock()
	p := s.find(h)
	if p.first == 0 {
		p.first = s.claim(left, asleep, 0)
		if left == 0 {
			s.open++
		}
		s.used++
		return work{fresh: true}
	}
	return s.again(p, left, asleep)
}

// again is visit for a known state.
func (s *shard) again(p *slot, left int32, asleep []uint64) work {
	if left == 0 {
		return work{known: true}
	}
	var only, promised []uint64
	deepest := int32(0)
	for i := p.first; i != 0; i = s.claims[i-1].next {
		c := s.claims[i-1]
		deepest = max(deepest, c.left)
		if c.left < left {
			continue
		}
		missing := minus(s.sets[c.asleep], asleep)
		if len(missing) == 0 {
			return work{known: true}
		}
		if only == nil || len(missing) < len(only) {
			only, promised = missing, s.sets[c.asleep]
		}
	}
	if deepest == 0 {
		s.open--
	}
	if only != nil {
		asleep = both(asleep, promised)
	}
	s.add(p, left, asleep)
	return work{only: only}
}

// add adds a claim, and drops those which it makes superfluous.
func (s *shard) add(p *slot, left int32, asleep []uint64) {
	last := &p.first
	for *last != 0 {
		c := &s.claims[*last-1]
		if c.left <= left && len(minus(asleep, s.sets[c.asleep])) == 0 {
			*last = c.next
			continue
		}
		last = &c.next
	}
	p.first = s.claim(left, asleep, p.first)
}

func (s *shard) claim(left int32, asleep []uint64, next int32) int32 {
	s.claims = append(s.claims, claim{left: left, asleep: s.intern(asleep), next: next})
	return int32(len(s.claims))
}

func (s *shard) intern(set []uint64) int32 {
	text := make([]byte, 0, 64)
	for _, k := range set {
		text = binary.LittleEndian.AppendUint64(text, k)
	}
	if id, ok := s.ids[string(text)]; ok {
		return id
	}
	if s.ids == nil {
		s.ids = make(map[string]int32)
	}
	id := int32(len(s.sets))
	s.sets = append(s.sets, slices.Clone(set))
	s.ids[string(text)] = id
	return id
}

// find gives the slot of a hash, free or not.
func (s *shard) find(h [2]uint64) *slot {
	if 4*(s.used+1) > 3*len(s.slots) {
		old := s.slots
		s.slots = make([]slot, max(64, 2*len(old)))
		for _, o := range old {
			if o.first != 0 {
				*s.probe([2]uint64{o.a, o.b}) = o
			}
		}
	}
	return s.probe(h)
}

func (s *shard) probe(h [2]uint64) *slot {
	mask := uint64(len(s.slots) - 1)
	for i := h[1] & mask; ; i = (i + 1) & mask {
		p := &s.slots[i]
		if p.first == 0 {
			p.a, p.b = h[0], h[1]
			return p
		}
		if p.a == h[0] && p.b == h[1] {
			return p
		}
	}
}

// open tells how many states the bound on depth cut.
func (t *table) open() int {
	n := 0
	for i := range t.shards {
		n += t.shards[i].open
	}
	return n
}

// cut tells whether a state was reached only where no events were left.
func (t *table) cut(h [2]uint64) bool {
	s := &t.shards[h[0]>>58]
	s.mu.Lock()
	defer s.mu.Unlock()
	p := s.find(h)
	for i := p.first; i != 0; i = s.claims[i-1].next {
		if s.claims[i-1].left > 0 {
			return false
		}
	}
	return true
}

// minus gives what is in a but not in b. Both are in order.
func minus(a, b []uint64) []uint64 {
	var m []uint64
	for _, k := range a {
		for len(b) > 0 && b[0] < k {
			b = b[1:]
		}
		if len(b) == 0 || b[0] != k {
			m = append(m, k)
		}
	}
	return m
}

// both gives what is in a and in b. Both are in order.
func both(a, b []uint64) []uint64 {
	var m []uint64
	for _, k := range a {
		if _, ok := slices.BinarySearch(b, k); ok {
			m = append(m, k)
		}
	}
	return m
}
