package engine

import (
	"maps"
	"strings"
	"testing"

	"motehound/study/symbolic/expr"
	"motehound/study/symbolic/mapping"
	"motehound/study/symbolic/search"
	"motehound/study/symbolic/solver"
	"motehound/world"
)

// TestSearchers: without bounds all searchers come to the same outcomes, however many states they run side by side, with every mapping.
func TestSearchers(t *testing.T) {
	k := compile(t, "ports.c")
	const until = 300 * world.Millisecond
	cfg := Config{World: ports(t, k, onWire(world.Lose, 2), onWire(world.Duplicate, 1)), Until: until}
	want := outcomes(t, explored(t, cfg), until, "state", "served", "tries", "ticks")
	for _, s := range search.Strategies {
		for _, together := range []int{2, 7, 30} {
			for _, a := range mapping.Algorithms {
				c := cfg
				c.Searcher, c.Together, c.Mapping, c.Seed = s.Name, together, a, uint64(together)
				e := explored(t, c)
				if got := outcomes(t, e, until, "state", "served", "tries", "ticks"); !maps.Equal(got, want) {
					t.Errorf("%s, %d states together, %s: outcomes end as %v, not as %v", s.Name, together, a.Name, got, want)
				}
				if e.Stats().Groups < 3 {
					t.Errorf("%s, %d states together, %s: %d groups, want the outcomes to be parted", s.Name, together, a.Name, e.Stats().Groups)
				}
			}
		}
	}
}

// bounded explores up to a bound.
func bounded(t *testing.T, cfg Config) *Engine {
	t.Helper()
	pool := expr.NewPool()
	cfg.Core.Pool, cfg.Core.Solver = pool, queries.Solver(pool, solver.Config{})
	e, err := New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	if err := e.Run(); err != nil {
		t.Fatal(err)
	}
	return e
}

// TestMaxPaths: with a bound on outcomes, depth-first search runs some to their end and says where the others are.
func TestMaxPaths(t *testing.T) {
	k := compile(t, "ports.c")
	const until = 300 * world.Millisecond
	cfg := Config{World: ports(t, k, onWire(world.Lose, 3)), Until: until}
	all, _ := explored(t, cfg).Outcomes(1000, noHurry)
	cfg.MaxPaths, cfg.Searcher = 3, "dfs"
	e := bounded(t, cfg)
	list, more := e.Outcomes(1000, noHurry)
	if len(list) < 3 || more || len(list) > len(all)/2 {
		t.Errorf("%d outcomes of %d, more is %v, want a few", len(list), len(all), more)
	}
	if s := e.Stats(); !strings.Contains(s.Stopped, "explored to their end") || s.Unfinished == 0 {
		t.Errorf("%+v, want that it says why it stopped", s)
	}
	left, states := e.Left(), 0
	for _, l := range left {
		states += l.Count
		if l.Function == "" || l.Why == "" || l.Time == 0 || l.Time >= until {
			t.Errorf("left out: %s at %d", l, l.Time)
		}
	}
	if states != e.Stats().Unfinished {
		t.Errorf("%d states are left out, %d are unfinished", states, e.Stats().Unfinished)
	}
	for _, s := range list {
		for _, end := range s.Ends {
			if end.Time < until {
				t.Errorf("an outcome of which mote %d is at %d", end.Mote, end.Time)
			}
		}
	}
	outcomes(t, e, until, "state", "served", "tries", "ticks")
}
