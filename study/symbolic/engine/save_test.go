package engine

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"motehound/study/symbolic/expr"
	"motehound/study/symbolic/solver"
	"motehound/world"
)

// resumable makes an engine whose solver has a tape: that of what is resumed, if something is.
func resumable(t *testing.T, cfg Config) (*Engine, error) {
	t.Helper()
	pool := expr.NewPool()
	tape := new(solver.Tape)
	if cfg.Resume != nil {
		tape = cfg.Resume.Tape
	}
	cfg.Core.Pool, cfg.Core.Solver = pool, queries.Solver(pool, solver.Config{Tape: tape})
	return New(cfg)
}

// tell is all that an exploration has come to.
func tell(e *Engine) string {
	var b strings.Builder
	s := e.Stats()
	fmt.Fprintf(&b, "%+v\n%+v\n", s, e.Explorer().Stats())
	list, more := e.Outcomes(1000, noHurry)
	for _, sc := range list {
		fmt.Fprintln(&b, sc.States, sc.Model, sc.Answers, sc.Ends)
	}
	for _, f := range e.Findings() {
		fmt.Fprintln(&b, f.Message, f.States, f.At, f.Model, f.Answers)
	}
	for i := range e.cfg.World.Motes {
		fmt.Fprintln(&b, e.Reached(i))
	}
	fmt.Fprintln(&b, more, e.Left())
	return b.String()
}

// TestResume: an exploration that was stopped and saved, once or twice, at whatever moment, comes to the same as one that was not.
func TestResume(t *testing.T) {
	k := compile(t, "ports.c")
	const until = 300 * world.Millisecond
	for _, searcher := range []string{"path"} {
		cfg := Config{World: ports(t, k, onWire(world.Lose, 2), onWire(world.Corrupt, 3)), Until: until, Searcher: searcher, Together: 40, Seed: 3}
		straight, err := resumable(t, cfg)
		if err != nil {
			t.Fatal(err)
		}
		if err := straight.Run(); err != nil {
			t.Fatal(err)
		}
		queries := len(straight.solver.Tape().Answers)
		if queries < 3*solver.Epoch {
			t.Fatalf("only %d queries reach the backend: this shows nothing", queries)
		}
		want, windows := tell(straight), straight.Stats().Windows
		for _, stops := range [][]int{{windows / 3}, {windows / 2, windows * 3 / 4}, {windows - 2}} {
			var saved *Saved
			for _, at := range stops {
				saved = stopAt(t, cfg, saved, at)
			}
			c := cfg
			c.Resume = saved
			e, err := resumable(t, c)
			if err != nil {
				t.Fatal(err)
			}
			before := len(saved.Tape.Answers)
			if err := e.Run(); err != nil {
				t.Fatal(err)
			}
			if got := tell(e); got != want {
				t.Errorf("%s, stopped at %v of %d windows: it came to\n%.2000s\nnot to\n%.2000s", searcher, stops, windows, got, want)
			}
			t.Logf("%s, stopped at %v of %d windows: %d of %d answers were kept", searcher, stops, windows, before, queries)
		}
	}
}

// stopAt goes on, to a window, and saves.
func stopAt(t *testing.T, cfg Config, from *Saved, window int) *Saved {
	t.Helper()
	var e *Engine
	cfg.Resume = from
	cfg.Stop = func() bool { return e.Stats().Windows >= window }
	e, err := resumable(t, cfg)
	if err != nil {
		t.Fatal(err)
	}
	if err := e.Run(); err != nil {
		t.Fatal(err)
	}
	if s := e.Stats(); s.Stopped == "" || s.Windows != window {
		t.Fatalf("stopped %q after %d windows, want %d", s.Stopped, s.Windows, window)
	}
	var file bytes.Buffer
	if err := e.Save(&file); err != nil {
		t.Fatal(err)
	}
	s, err := Load(&file)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestResumeRefused: what cannot go on is refused, with what to do.
func TestResumeRefused(t *testing.T) {
	k := compile(t, "ports.c")
	cfg := Config{World: ports(t, k), Until: 100 * world.Millisecond}
	saved := stopAt(t, cfg, nil, 3)
	other := cfg
	other.Until, other.Resume = 2*cfg.Until, saved
	if _, err := resumable(t, other); err == nil || !strings.Contains(err.Error(), "start again") {
		t.Errorf("%v, want that it is of another setting", err)
	}
	e := explored(t, cfg)
	if err := e.Save(new(bytes.Buffer)); err == nil {
		t.Error("an exploration without a tape is saved")
	}
	for _, text := range []string{"", "{", `{"version":99}`, `{"version":1,"windows":-1}`, `{"version":1,"tape":{"answers":[{"result":1,"vars":[1]}]}}`} {
		if _, err := Load(strings.NewReader(text)); err == nil {
			t.Errorf("%q is loaded", text)
		}
	}
}

// FuzzLoad: whatever is in a file, it is refused, or it is a tape of some answers.
func FuzzLoad(f *testing.F) {
	f.Add([]byte(`{"version":1,"config":"","windows":3,"tape":{"answers":[{"key":7,"result":1,"vars":[1],"values":[2]}]}}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		s, err := Load(bytes.NewReader(text))
		if err == nil && (s.Tape == nil || len(s.Tape.Answers)%solver.Epoch != 0) {
			t.Errorf("loaded %+v", s)
		}
	})
}

// TestResumeDamaged: a tape of another exploration is noticed, though the Config is the same.
func TestResumeDamaged(t *testing.T) {
	k := compile(t, "ports.c")
	cfg := Config{World: ports(t, k, onWire(world.Lose, 2), onWire(world.Corrupt, 2)), Until: 300 * world.Millisecond}
	whole, err := resumable(t, cfg)
	if err != nil {
		t.Fatal(err)
	}
	if err := whole.Run(); err != nil {
		t.Fatal(err)
	}
	saved := stopAt(t, cfg, nil, whole.Stats().Windows-1)
	if len(saved.Tape.Answers) == 0 {
		t.Fatal("nothing is kept: this shows nothing")
	}
	saved.Tape.Answers[3].Key++
	cfg.Resume = saved
	e, err := resumable(t, cfg)
	if err != nil {
		t.Fatal(err)
	}
	if err := e.Run(); err == nil || !strings.Contains(err.Error(), "start again") {
		t.Errorf("%v, want that the tape is of another exploration", err)
	}
}
