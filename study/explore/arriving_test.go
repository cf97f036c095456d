package explore_test

import (
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"motehound/mote/board"
	"motehound/study/check"
	"motehound/study/explore"
	"motehound/study/finding"
	"motehound/world"
	"motehound/world/medium"
)

// streaming is two motes that hear each other's frames byte by byte.
func streaming(t *testing.T, flags ...string) *explore.System {
	t.Helper()
	kernel := filepath.Join("..", "..", "examples", "kernel")
	for _, name := range []string{"main", "scheduler", "sleep", "timer", "leds", "random", "adc", "mica/micro", "mica/clock", "mica/platform",
		"mica2/cc1000_bus", "mica2/cc1000_control", "mica2/cc1000_csma"} {
		flags = append(flags, filepath.Join(kernel, name+".c"))
	}
	for _, dir := range []string{"../counter", ".", "mica", "mica2"} {
		flags = append(flags, "-I"+filepath.Join(kernel, dir))
	}
	k := configOn(t, &board.Mica2, "bytes", append(flags, "-std=gnu99")...).Motes[0].Kind
	net, err := medium.New(2, []medium.Link{{From: 0, To: 1, GainDB: -60}, {From: 1, To: 0, GainDB: -60}})
	if err != nil {
		t.Fatal(err)
	}
	s, err := explore.New(&world.Config{Motes: []world.MoteConfig{{Kind: k, ID: 0}, {Kind: k, ID: 1}}, Net: net}, explore.Options{Preempt: 2})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// The interrupt for a byte in the middle of a frame comes into a task, and what is lost there is found.
func TestByteRace(t *testing.T) {
	t.Parallel()
	r, err := check.Walks(streaming(t), check.WalkOptions{Walks: 10, Events: 3000, First: true})
	if err != nil {
		t.Fatal(err)
	}
	const want = "race: lost update of shared"
	if len(r.Findings) != 1 || !strings.HasPrefix(r.Findings[0].Property, want) || r.Findings[0].Line != buggy(t, "bytes") {
		t.Fatalf("walks find %+v, not %s", r.Findings, want)
	}
	// Who proves that a section helps would see it if it did not.
	w, err := streaming(t).With([]explore.Section{{}})
	if err != nil {
		t.Fatal(err)
	}
	trace := r.Findings[0].Trace
	for _, e := range trace[:len(trace)-1] {
		fire(t, w, e)
	}
	// A copy that nobody has run yet tells the race, too.
	w.Enabled(nil)
	raced, err := w.Clone().(*explore.System).Raced(trace[len(trace)-1], func(finding.Violation, string) bool { return true })
	if err != nil || raced == nil || !strings.HasSuffix(want, raced.Variable) {
		t.Errorf("a copy tells %+v, %v, not %s", raced, err, want)
	}
	found, err := check.Search(w, check.SearchOptions{Depth: 1, Reduce: check.Dynamic})
	if err != nil || len(found.Findings) == 0 || !strings.HasPrefix(found.Findings[0].Property, want) {
		t.Errorf("a search for a repair finds %+v, %v, not %s", found.Findings, err, want)
	}
	r, err = check.Walks(streaming(t, "-DFIXED"), check.WalkOptions{Walks: 5, Events: 3000})
	if err != nil || len(r.Findings) > 0 {
		t.Errorf("fixed, walks find %+v, %v", r.Findings, err)
	}
}

// A frame into which a task comes is taken to its end: by the same events in every clone, and by a mote that is then where it can hear the next one.
func TestTaskInFrame(t *testing.T) {
	t.Parallel()
	s := streaming(t)
	rng := rand.New(rand.NewPCG(1, 1))
	came, heardOn := 0, 0
	for n := 0; came < 20 && n < 20_000; n++ {
		list := s.Enabled(nil)
		e := list[rng.IntN(len(list))]
		x, ok := s.Intrude(e, rng)
		if !ok || x.Class != check.Frame {
			fire(t, s, e)
			continue
		}
		came++
		if title := s.Title(x); !strings.Contains(title, "frame from mote") || !strings.Contains(title, "interrupt SPI_STC in the middle of") {
			t.Errorf("it is called %q", title)
		}
		c := s.Clone().(*explore.System)
		whole := s.Clone().(*explore.System)
		heard := s.Heard(int(x.Mote))
		for _, sys := range []*explore.System{s, c} {
			fire(t, sys, x)
			for _, title := range []string{"goes on", "rest of the frame"} {
				next := sys.Enabled(nil)
				if len(next) != 1 || sys.Title(next[0]) != title {
					t.Fatalf("then come %v, not %s", next, title)
				}
				fire(t, sys, next[0])
			}
		}
		if s.Hash() != c.Hash() || s.Mid() {
			t.Errorf("%s leads to two states, or does not end", s.Title(x))
		}
		fire(t, whole, check.Event{Mote: x.Mote, Class: check.Frame, Source: x.Source})
		got, want := s.Heard(int(x.Mote)), whole.Heard(int(x.Mote))
		if got != want {
			t.Errorf("%d frames were heard, and %d if no task comes into the last one", got, want)
		}
		if want > heard {
			heardOn++
		}
	}
	if came < 20 || heardOn < came/2 {
		t.Errorf("it came %d times, and the frame was heard %d times", came, heardOn)
	}
}

// An ordinary search does not try the bytes of a frame in the middle of tasks. It says so where there is such a task, and only there.
func TestCut(t *testing.T) {
	t.Parallel()
	s := streaming(t)
	searched := func(s *explore.System) bool {
		if r, err := check.Search(s, check.SearchOptions{Depth: 1, Reduce: check.Dynamic}); err != nil || len(r.Findings) > 0 {
			t.Fatalf("a search finds %+v, %v", r.Findings, err)
		}
		return s.Cut()
	}
	if searched(s.Clone().(*explore.System)) {
		t.Error("bytes were left out, where nobody has sent anything")
	}
	rng := rand.New(rand.NewPCG(1, 1))
	for range 20_000 {
		list := s.Enabled(nil)
		e := list[rng.IntN(len(list))]
		if x, ok := s.Intrude(e, rng); ok && x.Class == check.Frame {
			if !searched(s) {
				t.Errorf("nothing was left out, where there is %s", s.Title(x))
			}
			return
		}
		fire(t, s, e)
	}
	t.Error("there is no such task")
}
