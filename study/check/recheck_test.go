package check

import (
	"errors"
	"strings"
	"testing"

	"motehound/study/finding"
)

// What a finding says of its goal is checked again: a critical transition or a cycle that is not one is refused, and the same walks give
// the same answer every time.
func TestRecheck(t *testing.T) {
	p := orphans(true)
	look := func(noLasso bool) *Finding {
		t.Helper()
		r, err := Walks(newToy(p), WalkOptions{Walks: 5, Events: 2000, Threshold: 500, Seed: 1, NoLasso: noLasso, First: true})
		if err != nil || len(r.Findings) != 1 {
			t.Fatal(r.Findings, err)
		}
		f := r.Findings[0]
		f.Critical, err = findCritical(newToy(p), f.Trace[:len(f.Trace)-f.Cycle], p.goals[0].goal, CriticalOptions{Events: 300})
		if err != nil || f.Critical == nil || f.Critical.After < 2 {
			t.Fatal(f.Critical, err)
		}
		return f
	}
	sampled, lasso := look(true), look(false)
	if sampled.Cycle != 0 || lasso.Cycle == 0 {
		t.Fatalf("cycles %d and %d", sampled.Cycle, lasso.Cycle)
	}
	for _, c := range []struct {
		name   string
		of     *Finding
		change func(f *Finding)
		want   string
	}{
		{"sampled", sampled, func(*Finding) {}, ""},
		{"lasso", lasso, func(*Finding) {}, ""},
		{"earlier", sampled, func(f *Finding) { f.Critical.After-- }, "reached from after it"},
		{"later", lasso, func(f *Finding) { f.Critical.After++ }, "not reached from before it either"},
		{"behind the trace", sampled, func(f *Finding) { f.Critical.After = len(f.Trace) + 1 }, "cannot be the critical transition"},
		{"within the cycle", lasso, func(f *Finding) { f.Critical.After = len(f.Trace) }, "cannot be the critical transition"},
		{"before all", sampled, func(f *Finding) { f.Critical.After = -1 }, "cannot be the critical transition"},
		{"longer cycle", lasso, func(f *Finding) { f.Cycle++ }, "cannot repeat for ever"},
		{"a cycle where there is none", sampled, func(f *Finding) { f.Cycle, f.Critical = 1, nil }, "cannot repeat for ever"},
		{"cycle longer than the trace", lasso, func(f *Finding) { f.Cycle = len(f.Trace) + 1 }, "does not fit into a trace"},
		{"no goal", lasso, func(f *Finding) { f.Kind = finding.Safety }, "only a goal has"},
	} {
		f, critical := *c.of, *c.of.Critical
		f.Critical = &critical
		c.change(&f)
		for threads := 1; threads <= 2; threads++ {
			s := newToy(p)
			differs, err := Recheck(s, &f, threads, nil)
			if got := strings.Join(differs, "; "); err != nil || (got == "") != (c.want == "") || !strings.Contains(got, c.want) {
				t.Errorf("%s: %v, %q, want %q", c.name, err, got, c.want)
			}
			s.leaks(t, c.name)
		}
	}
	if _, err := Recheck(newToy(p), sampled, 1, func() bool { return true }); !errors.Is(err, errStopped) {
		t.Errorf("stopped, and says %v", err)
	}
}
