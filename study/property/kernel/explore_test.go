package kernel_test

import (
	"path/filepath"
	"strings"
	"testing"

	"motehound/study/property/builtin"
	"motehound/world"
)

// TestExplore runs all programs as if somebody else had chosen when interrupts come: nothing is found by its time alone, all the
// rest is.
func TestExplore(t *testing.T) {
	t.Parallel()
	sources, err := filepath.Glob("testdata/*.c")
	if err != nil || len(sources) == 0 {
		t.Fatal("no programs: ", err)
	}
	timed := 0
	for _, source := range sources {
		k, p := kindFrom(t, source)
		w := alone(t, k)
		watch := attach(t, w, builtin.Options{Explore: true})
		var found []string
		for w.Now() < p.until {
			w.RunUntil(w.Now() + world.Millisecond)
			for _, f := range watch.Take(0) {
				found = append(found, f.Kind.String())
			}
		}
		for _, e := range p.want {
			want := e.kind != "storm" && e.kind != "watchdog"
			if !want {
				timed++
			}
			if has := strings.Contains(strings.Join(found, " "), e.kind); has != want {
				t.Errorf("%s: found %v, want %s: %v", source, found, e.kind, want)
			}
		}
		if len(p.want) == 0 && len(found) > 0 {
			t.Errorf("%s: invented %v", source, found)
		}
	}
	if timed < 5 {
		t.Errorf("only %d findings are a matter of time", timed)
	}
}

// TestWatchdogInStep has a watchdog that the program has reset in the very step in which it bites: that no delay explains.
func TestWatchdogInStep(t *testing.T) {
	t.Parallel()
	k, p := kindFrom(t, "testdata/watchdog_loop.c")
	w := alone(t, k)
	watch := attach(t, w, builtin.Options{Explore: true})
	w.RunUntil(p.until)
	got := watch.Take(0)
	p.judge(t, got)
	if again := watch.Take(0); len(again) > 0 {
		t.Errorf("taken twice: %v", again)
	}
}
