package guide

import (
	"math/rand/v2"
	"slices"
	"sync"
)

// Entry is a state that is worth going on from.
type Entry[T any] struct {
	State    T
	Cost     int       // how much work leads there
	Features []Feature // that were new when it came
	Holds    []Feature // that are so in it, new or not
	Picked   int       // how often an exploration went on from it
	Yield    int       // how many entries were reached from it

	owns   int    // features that no other entry shows with less work
	energy energy // when that was last worked out
}

// Archive is a bounded list of entries. One goroutine at a time changes it. Known may be asked by others meanwhile.
type Archive[T any] struct {
	most    int
	entries []*Entry[T]
	seen    *Counts

	mu    sync.RWMutex
	known map[Feature]known[T]
}

// known is what is known of a feature.
type known[T any] struct {
	ways  []way     // each much cheaper than the one before
	owner *Entry[T] // nil if it was dropped
}

// way is a step in which a state showed a feature, and how much work led to the state.
type way struct{ step, cost int }

// worse reports whether a state that so much work led to is a much better one to show the feature than those before a step.
func (k *known[T]) worse(cost, step int) bool {
	for n := len(k.ways) - 1; n >= 0; n-- {
		if k.ways[n].step < step {
			return cost*cheaper < k.ways[n].cost
		}
	}
	return true
}

// New makes an archive of at most so many entries. Others say how often features are seen.
func New[T any](most int, seen *Counts) *Archive[T] {
	return &Archive[T]{most: max(1, most), seen: seen, known: make(map[Feature]known[T])}
}

// Len is how many entries there are.
func (a *Archive[T]) Len() int { return len(a.entries) }

// Features is how many features are known.
func (a *Archive[T]) Features() int {
	a.mu.RLock()
	defer a.mu.RUnlock()
	return len(a.known)
}

// cheaper says how much less work counts as better: to replace an entry for less is not worth the effort.
const cheaper = 4

// Known reports whether a feature is no news for a state that so much work led to, as far as the steps below a number are concerned.
func (a *Archive[T]) Known(f Feature, cost, step int) bool {
	a.mu.RLock()
	defer a.mu.RUnlock()
	k := a.known[f]
	return !k.worse(cost, step)
}

// Add offers a state in some step. It is kept, and the new entry returned, if one of its features is new, or needs much less work here than
// where it was seen before; else the result is nil. Steps never become smaller.
func (a *Archive[T]) Add(state T, cost int, features []Feature, step int) *Entry[T] {
	e := &Entry[T]{State: state, Cost: cost}
	a.mu.Lock()
	for _, f := range features {
		k := a.known[f]
		if k.worse(cost, step+1) {
			if k.owner != nil {
				k.owner.owns--
			}
			k.ways, k.owner = append(k.ways, way{step, cost}), e
			e.owns++
			e.Features = append(e.Features, f)
		}
		a.known[f] = k
	}
	a.mu.Unlock()
	if e.owns == 0 {
		return nil
	}
	a.entries = append(a.entries, e)
	a.trim()
	return e
}

// trim drops entries that own nothing, and if there are too many, a part of them, those with the least energy.
func (a *Archive[T]) trim() {
	a.entries = slices.DeleteFunc(a.entries, func(e *Entry[T]) bool { return e.owns == 0 })
	if len(a.entries) <= a.most {
		return
	}
	totals := a.weigh()
	shares := make([]float64, len(a.entries))
	for i, e := range a.entries {
		shares[i] = e.energy.share(&totals)
	}
	slices.Sort(shares)
	drop := 1 + a.most/8
	least := shares[drop]
	a.entries = slices.DeleteFunc(a.entries, func(e *Entry[T]) bool {
		weak := drop > 0 && e.energy.share(&totals) < least
		if weak {
			drop--
			a.disown(e)
		}
		return weak
	})
	for len(a.entries) > a.most { // all are equally good
		a.disown(a.entries[0])
		a.entries = slices.Delete(a.entries, 0, 1)
	}
}

// Heed counts features as often as others have seen them.
func (a *Archive[T]) Heed(features []Feature, times []int) {
	for i := range min(len(features), len(times)) {
		a.seen.heed(features[i], times[i])
	}
}

// disown takes all features from an entry. They stay known.
func (a *Archive[T]) disown(e *Entry[T]) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, f := range e.Features {
		if k := a.known[f]; k.owner == e {
			k.owner = nil
			a.known[f] = k
		}
	}
	e.owns = 0
}

// Book books that an exploration went on from an entry so many times, and that so many of the states that it reached were kept.
func (a *Archive[T]) Book(e *Entry[T], times, yield int) {
	e.Picked += times
	e.Yield += yield
}

// energy is how promising an entry is, by the kinds of its features.
type energy [kinds]float64

// share is which part of the energy of all kinds an entry has.
func (e *energy) share(totals *energy) (sum float64) {
	for kind, x := range e {
		if x > 0 {
			sum += x / totals[kind]
		}
	}
	return sum
}

// rarity is what a feature counts for an entry that was picked so often.
func (a *Archive[T]) rarity(f Feature, picked int) float64 {
	return 1 / float64(a.seen.Of(f)+worthOfPick*picked+1)
}

// weigh works out the energy of all entries, and the sums of it. Features count that an entry owns or that are so in it, rare ones more; what it was picked for
// without anything coming of it counts against it.
func (a *Archive[T]) weigh() (totals energy) {
	for _, e := range a.entries {
		e.energy = energy{}
		for _, f := range e.Features {
			if k := a.known[f]; k.owner == e {
				e.energy[f.kind()] += a.rarity(f, e.Picked)
			}
		}
		for _, f := range e.Holds {
			e.energy[f.kind()] += a.rarity(f, e.Picked)
		}
		for kind := range e.energy {
			e.energy[kind] = min(e.energy[kind], mostRare) * (1 + float64(e.Yield)/float64(1+e.Picked))
			totals[kind] += e.energy[kind]
		}
	}
	return totals
}

// worthOfPick is how often its features count as seen if an entry is picked once.
const worthOfPick = 16

// mostRare bounds what rarity counts: the first states of all show much, and are nothing special.
const mostRare = 8

// View is the entries of an archive at one moment, for many who pick from it.
type View[T any] struct {
	Entries []*Entry[T]
	sums    [kinds][]float64 // of energies, up to and with each entry
	kinds   []int            // that there are
}

// View is what there is now. It does not change.
func (a *Archive[T]) View() *View[T] {
	v := &View[T]{Entries: slices.Clone(a.entries)}
	totals := a.weigh()
	for kind := range totals {
		if totals[kind] == 0 {
			continue
		}
		v.kinds = append(v.kinds, kind)
		sum := 0.0
		for _, e := range a.entries {
			sum += e.energy[kind]
			v.sums[kind] = append(v.sums[kind], sum)
		}
	}
	return v
}

// Pick draws an entry: a kind of features first, then by energy; nil if there is none.
func (v *View[T]) Pick(rng *rand.Rand) *Entry[T] {
	if len(v.kinds) == 0 {
		return nil
	}
	return v.PickBy(v.kinds[rng.IntN(len(v.kinds))], rng)
}

// PickBy draws an entry by its features of one kind; nil if none has any.
func (v *View[T]) PickBy(kind int, rng *rand.Rand) *Entry[T] {
	sums := v.sums[kind]
	if len(sums) == 0 {
		return nil
	}
	n, _ := slices.BinarySearch(sums, rng.Float64()*sums[len(sums)-1])
	return v.Entries[min(n, len(v.Entries)-1)]
}
