package kernel_test

import (
	"path/filepath"
	"strings"
	"testing"

	"motehound/study/property/builtin"
	"motehound/world"
)

// TestExplore runs all programs as if somebody else had chosen when interrupts come: nothing is found by its time alone, all the
// rest is, and a watchdog that bites a program that was busy all the time.
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
			want := e.kind != "storm" && (e.kind != "watchdog" || !strings.Contains(source, "asleep"))
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
	if timed < 3 {
		t.Errorf("only %d findings are a matter of time", timed)
	}
}
