package engine

import (
	"slices"

	"motehound/study/symbolic/core"
	"motehound/study/symbolic/mapping"
	"motehound/study/symbolic/search"
)

// group is outcomes that are run side by side, to the same moments: states that they share are run once. A state can wait for no other
// group, so the Searcher is free to choose among groups. When there are too many states in one it is parted in two, and what they share is
// copied: that costs some of what the mapping has saved, and is worth it only when not everything can be run to its end.
type group struct {
	id      search.State
	mapping *mapping.Mapping
	nodes   []*node // by id; those that are gone are taken out at the end of a window
	now     uint64
	windows int
	since   uint64 // how many instructions were executed when it last came to new code
	ran     uint64
	done    bool
}

// newGroup makes a group that was parted from another one, or from none: search.Root.
func (e *Engine) newGroup(from search.State) *group {
	g := &group{id: search.State(len(e.groups))}
	e.groups = append(e.groups, g)
	e.search.Add(from, g.id)
	return g
}

// part makes two groups of one, if it has more than one outcome.
func (e *Engine) part(g *group) (*group, bool) {
	m := g.mapping.Part(e.rank()) // copies are in g for now
	if m == nil {
		return nil, false
	}
	h := e.newGroup(g.id)
	h.mapping, h.now, h.windows, h.since, h.ran = m, g.now, g.windows, g.since, g.ran
	e.stats.Groups++
	var stay []*node
	for _, n := range g.nodes {
		if m.Has(n.id) {
			n.g = h
			h.nodes = append(h.nodes, n)
		} else {
			stay = append(stay, n)
		}
	}
	g.nodes = stay
	return h, true
}

// tidy takes nodes out that are gone.
func (g *group) tidy(e *Engine) {
	g.nodes = slices.DeleteFunc(g.nodes, func(n *node) bool { return e.nodes[n.id] != n })
}

// rate tells the searcher what is known of a group. A mote stands where it sleeps nearly always, from where all code is as far: so it is only
// told for how long a group has come to nothing new.
func (e *Engine) rate(g *group) {
	const most = 1 << 31
	e.search.Rate(g.id, search.Rating{Distance: search.Unreachable, Since: uint32(min(g.ran-g.since, most))})
}

// finish ends a group that was run to the end.
func (e *Engine) finish(g *group) {
	g.done = true
	e.search.Remove(g.id)
	if e.cfg.MaxPaths > 0 { // then it matters which of them can be
		for states := range g.mapping.Explode() {
			if _, ok := e.together(states, nil); ok {
				e.stats.Outcomes++
			}
			if e.stats.Outcomes >= e.cfg.MaxPaths {
				return
			}
		}
		return
	}
	const most = 1_000_000_000
	n := g.mapping.Count()
	if !n.IsInt64() || n.Int64() > most {
		n.SetInt64(most)
	}
	e.stats.Outcomes = min(e.stats.Outcomes+int(n.Int64()), most)
}

// kept is how many outcomes are kept of groups whose states are not.
const kept = 1000

// dissolve keeps the outcomes of a group that is done, and gives the memory of its states back. There may be very many that cannot be, so
// it ends when it is enough.
func (e *Engine) dissolve(g *group) {
	for states := range g.mapping.Explode() {
		if len(e.ended) >= kept || e.halts() {
			e.more = true
			break
		}
		if s, ok := e.together(states, nil); ok {
			e.ended = append(e.ended, s)
		}
	}
	e.discard(g)
}

// abandon leaves a group out, and says where its states stood.
func (e *Engine) abandon(g *group, why string) {
	e.leave(g, why)
	e.search.Remove(g.id)
	e.discard(g)
}

func (e *Engine) discard(g *group) {
	for _, n := range g.nodes {
		if e.nodes[n.id] == n {
			e.release(n)
		}
	}
	e.groups[g.id] = nil
}

// release gives the memory of a node back.
func (e *Engine) release(n *node) {
	e.covers(n)
	n.s.Release()
	e.nodes[n.id] = nil
	e.alive--
}

// leave notes the states of a group that are not run to the end.
func (e *Engine) leave(g *group, why string) {
	for _, n := range g.nodes {
		if e.nodes[n.id] != n || n.s.Ended() != core.Going {
			continue
		}
		e.stats.Unfinished++
		x := Left{Standing: n.standing(), Why: why, Count: 1}
		i := slices.IndexFunc(e.left, func(l Left) bool {
			return l.Why == why && l.Mote == x.Mote && l.Place == x.Place
		})
		if i < 0 {
			e.left = append(e.left, x)
		} else {
			e.left[i].Count++
			e.left[i].Time = min(e.left[i].Time, x.Time)
		}
	}
}

// Left is where states stood that were not run to the end, and why: those at the same place together.
func (e *Engine) Left() []Left { return slices.Clone(e.left) }
