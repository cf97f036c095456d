package check

import (
	"slices"
	"testing"

	"motehound/study/finding"
)

// oneMinimal tells which event can be left out of a safety violation's trace, or -1: each is tried, without the code under test.
func oneMinimal(p *program, f *Finding) int {
	for out := range f.Trace {
		s := newToy(p)
		for i, e := range f.Trace {
			if i == out {
				continue
			}
			for _, x := range s.Enabled(nil) {
				if x.key() != e.key() {
					continue
				}
				step, err := s.Fire(x)
				if err != nil {
					panic(err)
				}
				if slices.ContainsFunc(step.Violations, func(v finding.Violation) bool { return v.Cause() == f.Cause() }) {
					return out
				}
				if finding.Harmful(step.Violations) {
					goto next
				}
				break
			}
		}
	next:
	}
	return -1
}

// Minimised traces still violate, are not longer, and no single event can be left out.
func TestMinimiseRandom(t *testing.T) {
	minimised, shorter := 0, 0
	for seed := range uint64(1200) {
		p := randomProgram(seed)
		r, err := Walks(newToy(p), WalkOptions{Walks: 2, Events: 200, Seed: seed, NoLasso: true})
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range r.Findings {
			if f.Kind != finding.Safety {
				continue
			}
			before := len(f.Trace)
			if err := minimise(newToy(p), f, MinimiseOptions{Seed: seed, Changes: 20}); err != nil {
				t.Fatalf("seed %d: %v", seed, err)
			}
			minimised++
			if len(f.Trace) < before {
				shorter++
			}
			var last Step
			if err := replay(newToy(p), f.Trace, func(_ int, step Step) error { last = step; return nil }); err != nil {
				t.Fatalf("seed %d: %v", seed, err)
			}
			if !slices.Contains(last.Violations, f.Violation) || !slices.Contains(f.Motes, f.Mote) {
				t.Fatalf("seed %d: %+v; its trace ends with %+v", seed, f, last.Violations)
			}
			if f.Before != before || len(f.Trace) > before || !f.Replayed || !f.Minimal {
				t.Fatalf("seed %d: %+v", seed, f)
			}
			if i := oneMinimal(p, f); i >= 0 {
				t.Fatalf("seed %d: event %d of %v is superfluous", seed, i, f.Trace)
			}
			if best := bruteForce(p, before).shortest[f.Property]; len(f.Trace) < best {
				t.Fatalf("seed %d: %d events, shortest is %d", seed, len(f.Trace), best)
			}
		}
	}
	if minimised < 200 || shorter < 50 {
		t.Errorf("%d traces minimised, %d became shorter: too few", minimised, shorter)
	}
}

// A long walk to the race becomes the shortest trace there is: the other motes' events go, and so do the rounds before the last.
func TestMinimiseRace(t *testing.T) {
	p := readings(4, 3)
	for seed := range uint64(5) {
		r, err := Walks(newToy(p), WalkOptions{Walks: 100, Events: 3000, Seed: seed, Prefix: 0, First: true})
		if err != nil || len(r.Findings) == 0 {
			t.Fatal(err)
		}
		f := r.Findings[0]
		if err := minimise(newToy(p), f, MinimiseOptions{Seed: seed}); err != nil {
			t.Fatal(err)
		}
		if len(f.Trace) != 8 || !f.Minimal {
			t.Errorf("seed %d: %d events of %d, minimal %t", seed, len(f.Trace), f.Before, f.Minimal)
		}
	}
}

// Liveness findings of all kinds of evidence become short and stay what they are.
func TestMinimiseLiveness(t *testing.T) {
	p := orphans(true)
	for _, lasso := range []bool{false, true} {
		r, err := Walks(newToy(p), WalkOptions{Walks: 1, Events: 5000, Threshold: 500, Seed: 1, NoLasso: !lasso})
		if err != nil || len(r.Findings) != 1 {
			t.Fatal(r.Findings, err)
		}
		f := r.Findings[0]
		if !lasso {
			if f.Critical, err = findCritical(newToy(p), f.Trace, p.goals[0].goal, CriticalOptions{Events: 300}); err != nil {
				t.Fatal(err)
			}
		}
		if err := minimise(newToy(p), f, MinimiseOptions{Reach: 200}); err != nil {
			t.Fatal(err)
		}
		way := f.Trace[:len(f.Trace)-f.Cycle]
		if len(way) == 0 || len(way) > 4 || !f.Minimal || (f.Evidence == Lasso) != lasso {
			t.Errorf("lasso %t: %d events before the cycle, %+v", lasso, len(way), f)
		}
		if !lasso && (len(way) != 1 || way[0].Class != Fault || f.Critical.After != 1) {
			t.Errorf("not the death alone: %v", way)
		}
	}
	// Stuck: of the losses one is enough.
	e := election(4, 2)
	r, err := Walks(newToy(e), WalkOptions{Walks: 200, Events: 300, Seed: 1, First: true})
	if err != nil || len(r.Findings) != 1 || r.Findings[0].Evidence != Stuck {
		t.Fatal(r.Findings, err)
	}
	f := r.Findings[0]
	if err := minimise(newToy(e), f, MinimiseOptions{}); err != nil || !f.Minimal || !f.Replayed {
		t.Errorf("%+v %v", f, err)
	}
}

// A budget ends it, and what there is by then is a trace that violates.
func TestMinimiseBudget(t *testing.T) {
	p := readings(4, 3)
	r, err := Walks(newToy(p), WalkOptions{Walks: 100, Events: 3000, Seed: 7, First: true})
	if err != nil {
		t.Fatal(err)
	}
	f := r.Findings[0]
	if err := minimise(newToy(p), f, MinimiseOptions{Events: 40}); err != nil || !f.Replayed || f.Minimal {
		t.Errorf("%+v %v", f, err)
	}
	f.Trace = f.Trace[:len(f.Trace)-1]
	if err := minimise(newToy(p), f, MinimiseOptions{Events: 10}); err == nil {
		t.Error("a trace that does not violate is taken")
	}
}

// A trace that shows the same cause on another mote makes it a finding on that mote.
func TestSeenElsewhere(t *testing.T) {
	at := func(mote int16, detail string) finding.Violation {
		return finding.Violation{Property: "p", Kind: finding.Safety, Mote: mote, Function: "f", Line: 3, Detail: detail}
	}
	f := &Finding{Violation: at(0, "old"), Motes: []int16{0, 2}}
	if err := f.about([]finding.Violation{{Property: "q", Kind: finding.Safety}, at(1, "new")}); err != nil || f.Mote != 1 || f.Detail != "new" || !slices.Equal(f.Motes, []int16{0, 1, 2}) {
		t.Errorf("%v, %+v", err, f)
	}
	if err := f.about([]finding.Violation{at(0, "another"), at(1, "own")}); err != nil || f.Mote != 1 || f.Detail != "own" {
		t.Errorf("%v, %+v", err, f)
	}
	if err := f.about([]finding.Violation{{Property: "q", Kind: finding.Safety, Mote: 1}}); err == nil {
		t.Error("another property is taken for it")
	}
}
