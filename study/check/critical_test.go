package check

import (
	"errors"
	"testing"

	"motehound/study/finding"
)

// The critical transition of the orphans is the death of the parent, wherever it comes in the trace.
func TestCriticalOrphans(t *testing.T) {
	deaths := make(map[int]bool)
	for seed := range uint64(20) {
		p := orphans(true)
		r, err := Walks(newToy(p), WalkOptions{Walks: 5, Events: 2000, Threshold: 500, Seed: seed, NoLasso: true, First: true})
		if err != nil || len(r.Findings) != 1 {
			t.Fatal(r.Findings, err)
		}
		f := r.Findings[0]
		for threads := 1; threads <= 3; threads += 2 {
			c, err := findCritical(newToy(p), f.Trace, p.goals[0].goal, CriticalOptions{Events: 300, Seed: seed, Threads: threads})
			if err != nil || c == nil || !c.Reached {
				t.Fatal(c, err)
			}
			if e := f.Trace[c.After-1]; e.Class != Fault || e.Mote != 1 {
				t.Errorf("seed %d: critical is event %d, %v", seed, c.After, e)
			}
			deaths[c.After] = true
		}
	}
	if len(deaths) < 3 {
		t.Errorf("the deaths come at %v: always the same proves little", deaths)
	}
}

// Against the truth: in small systems it is known which states are dead.
func TestCriticalAgainstGraph(t *testing.T) {
	checked := 0
	for seed := range uint64(250) {
		p := randomProgram(seed)
		g := plain(p)
		if len(g.states) > 30 {
			continue
		}
		r, err := Walks(newToy(p), WalkOptions{Walks: 4, Events: 60, Threshold: 25, Seed: seed})
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range r.Findings {
			if f.Kind != finding.Liveness {
				continue
			}
			goal := 0
			for p.goals[goal].goal.Property != f.Property {
				goal++
			}
			want := deadAfter(t, p, g, f.Trace, goal)
			c, err := findCritical(newToy(p), f.Trace, p.goals[goal].goal, CriticalOptions{Walks: 40, Events: 200, Seed: seed})
			switch {
			case err != nil:
				t.Fatal(err)
			case want < 0 && c != nil, want >= 0 && c == nil, c != nil && c.After != want:
				t.Fatalf("seed %d, %v: critical %+v, want after %d", seed, f, c, want)
			}
			checked++
		}
	}
	if checked < 100 {
		t.Errorf("only %d traces", checked)
	}
}

// deadAfter gives after how many events of the trace the goal cannot be reached any more; -1 if it always can.
func deadAfter(t *testing.T, p *program, g *plainGraph, trace []Event, goal int) int {
	t.Helper()
	alive := make([]bool, len(g.states))
	for i, s := range g.states {
		alive[i] = s.Live(nil)[goal]
	}
	for changed := true; changed; {
		changed = false
		for i := range g.states {
			for _, e := range g.edges[i] {
				if alive[e.to] && !alive[i] {
					alive[i], changed = true, true
				}
			}
		}
	}
	s := newToy(p)
	for n := 0; ; n++ {
		if !alive[g.index[string(s.vars)]] {
			return n
		}
		if n == len(trace) {
			return -1
		}
		if _, err := s.Fire(trace[n]); err != nil {
			t.Fatal(err)
		}
	}
}

func TestCriticalRefuses(t *testing.T) {
	p := orphans(true)
	if _, err := findCritical(newToy(p), nil, finding.Goal{Property: "no such goal", Mote: 0}, CriticalOptions{}); err == nil {
		t.Error("a goal that is not there is taken")
	}
	s := newToy(p)
	s.vars[orphanAlive] = 0
	stop := CriticalOptions{Stop: func() bool { return true }}
	if _, err := findCritical(s, nil, p.goals[0].goal, stop); !errors.Is(err, errStopped) {
		t.Errorf("stopped, and says %v", err)
	}
	c, err := findCritical(s, nil, p.goals[0].goal, CriticalOptions{Walks: 2, Events: 50})
	if err != nil || c == nil || c.After != 0 || c.Reached {
		t.Errorf("dead from the start: %+v %v", c, err)
	}
}
