package check

import (
	"math/bits"
	"slices"
	"testing"

	"motehound/study/finding"
)

// plainGraph is the graph of a program, made without the code under test.
type plainGraph struct {
	states []*toy
	index  map[string]int
	edges  [][]plainEdge
}

type plainEdge struct {
	to  int
	key uint64
	ok  bool // natural
}

func plain(p *program) *plainGraph {
	g := &plainGraph{index: map[string]int{string(p.initial): 0}, states: []*toy{newToy(p)}}
	for i := 0; i < len(g.states); i++ {
		var out []plainEdge
		for _, e := range g.states[i].Enabled(nil) {
			c := g.states[i].Clone().(*toy)
			step, err := c.Fire(e)
			if err != nil {
				panic(err)
			}
			if finding.Harmful(step.Violations) {
				continue
			}
			to, known := g.index[string(c.vars)]
			if !known {
				to = len(g.states)
				g.index[string(c.vars)] = to
				g.states = append(g.states, c)
			}
			out = append(out, plainEdge{to, e.key(), e.Class != Fault && e.Option == 0})
		}
		g.edges = append(g.edges, out)
	}
	return g
}

// obliges lists what a fair run has to take in a state.
func (g *plainGraph) obliges(i int) []uint64 {
	var keys []uint64
	for _, e := range g.states[i].Enabled(nil) {
		if e.Class != Fault && e.Class != Input && e.Option == 0 {
			keys = append(keys, e.key())
		}
	}
	return keys
}

// violable tells by trying all sets of states whether some fair run never reaches the goal again.
func (g *plainGraph) violable(goal int) bool {
	var without uint
	for i, s := range g.states {
		if !s.Live(nil)[goal] {
			without |= 1 << i
			if len(g.obliges(i)) == 0 {
				return true
			}
		}
	}
	for set := uint(1); set < 1<<len(g.states); set++ {
		if set&^without == 0 && g.fairSet(set) {
			return true
		}
	}
	return false
}

func (g *plainGraph) fairSet(set uint) bool {
	fired := make(map[uint64]bool)
	for i := range g.states {
		for _, e := range g.edges[i] {
			if set>>i&1 == 1 && set>>e.to&1 == 1 && e.ok {
				fired[e.key] = true
			}
		}
	}
	if len(fired) == 0 || !g.connected(set) {
		return false
	}
	for i := range g.states {
		if set>>i&1 == 0 {
			continue
		}
		for _, k := range g.obliges(i) {
			if !fired[k] {
				return false
			}
		}
	}
	return true
}

// connected tells whether every state of the set reaches every other one inside it.
func (g *plainGraph) connected(set uint) bool {
	for i := range g.states {
		if set>>i&1 == 0 {
			continue
		}
		reached, grown := uint(0), uint(1)<<i
		for reached != grown {
			reached = grown
			for j := range g.states {
				for _, e := range g.edges[j] {
					if reached>>j&1 == 1 && set>>e.to&1 == 1 && e.ok {
						grown |= 1 << e.to
					}
				}
			}
		}
		if bits.OnesCount(reached) != bits.OnesCount(set) {
			return false
		}
	}
	return true
}

// A lasso is found if and only if there is one, and what is found is one.
func TestLassoIffExists(t *testing.T) {
	with, without := 0, 0
	for seed := range uint64(3000) {
		p := randomProgram(seed)
		g := plain(p)
		if len(g.states) > 9 {
			continue
		}
		r, err := findLassos(newToy(p), GraphOptions{})
		if err != nil || !r.Whole || r.States != len(g.states) {
			t.Fatalf("seed %d: %v, %d states, want %d", seed, err, r.States, len(g.states))
		}
		for i, goal := range p.goals {
			want := g.violable(i)
			at := slices.IndexFunc(r.Findings, func(f *Finding) bool { return f.Property == goal.goal.Property })
			if want != (at >= 0) {
				t.Fatalf("seed %d, %s: violated %t, found %t", seed, goal.goal.Property, want, at >= 0)
			}
			if !want {
				without++
				continue
			}
			with++
			if err := confirmed(newToy(p), r.Findings[at], nil); err != nil {
				t.Fatalf("seed %d, %s: %v", seed, goal.goal.Property, err)
			}
		}
	}
	if with < 300 || without < 300 {
		t.Errorf("%d goals are violated, %d are not: too few to mean anything", with, without)
	}
}

// What walks call a lasso is one, and a goal for which there is none is never said to have one.
func TestWalkLassos(t *testing.T) {
	found := 0
	for seed := range uint64(600) {
		p := randomProgram(seed)
		g := plain(p)
		if len(g.states) > 9 {
			continue
		}
		r, err := Walks(newToy(p), WalkOptions{Walks: 3, Events: 600, Threshold: 1 << 30, Seed: seed})
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range r.Findings {
			if f.Kind != finding.Liveness {
				continue
			}
			found++
			goal := slices.IndexFunc(p.goals, func(s goalState) bool { return s.goal.Property == f.Property })
			if !g.violable(goal) {
				t.Fatalf("seed %d: %v is not violated", seed, f)
			}
			if err := confirmed(newToy(p), f, nil); err != nil {
				t.Fatalf("seed %d: %v: %v", seed, f, err)
			}
		}
	}
	if found < 50 {
		t.Errorf("only %d lassos", found)
	}
}
