package plan

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"motehound/world/scenario"
)

// tinytcp is KleeNet's first case, from the examples.
func tinytcp(t *testing.T, opt Options) (*Result, error) {
	t.Helper()
	const dir = "../../../examples/tinytcp"
	sc, err := scenario.Load(filepath.Join(dir, "port.star"), scenario.Options{})
	if err != nil {
		t.Fatal(err)
	}
	rec, err := sc.Recipe()
	if err != nil {
		t.Fatal(err)
	}
	w, err := sc.World(rec, os.ReadFile)
	if err != nil {
		t.Fatal(err)
	}
	opt.Seed = 1
	p, err := New(sc, rec, w.Config(), opt)
	if err != nil {
		return nil, err
	}
	defer p.Close()
	return p.Explore(os.ReadFile)
}

func (r *Result) shown() string {
	text := fmt.Sprint(r.Verdict(), r.Stats, r.States, r.LeftOut)
	for _, f := range r.Findings {
		text += fmt.Sprint("\n", f.Property, f.At, f.Times, f.Inputs, f.Failures, f.Conditions)
	}
	for _, o := range r.Outcomes {
		text += fmt.Sprint("\n", *o)
	}
	return text
}

// Wherever an exploration is ended without warning, what was kept last goes on to the result of one that nobody has ended.
func TestKeep(t *testing.T) {
	t.Parallel()
	var kept [][]byte
	windows := 0
	whole, err := tinytcp(t, Options{
		Due:  func() bool { windows++; return windows%400 == 0 },
		Keep: func(saved []byte) error { kept = append(kept, saved); return nil },
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(kept) < 4 || len(whole.Findings) == 0 {
		t.Fatalf("kept %d times, %d findings: nothing to compare", len(kept), len(whole.Findings))
	}
	for i, saved := range kept {
		again, err := tinytcp(t, Options{Saved: saved})
		if err != nil {
			t.Fatalf("kept %d: %v", i, err)
		}
		if got, want := again.shown(), whole.shown(); got != want {
			t.Errorf("kept %d:\n got %s\nwant %s", i, got, want)
		}
	}
}

// An exploration that cannot be kept ends with the reason.
func TestKeepFails(t *testing.T) {
	t.Parallel()
	full := errors.New("no space left")
	for _, after := range []int{0, 3} {
		n := 0
		_, err := tinytcp(t, Options{Due: func() bool { return true }, Keep: func([]byte) error {
			if n++; n > after {
				return full
			}
			return nil
		}})
		if !errors.Is(err, full) || n != after+1 {
			t.Errorf("after %d: %v, asked %d times", after, err, n)
		}
	}
}

// One that was cut short, or changed in any byte, is refused.
func TestKeptChecksum(t *testing.T) {
	t.Parallel()
	var first []byte
	_, err := tinytcp(t, Options{Stop: func() bool { return true }, Due: func() bool { return false }, Rest: func() bool { return true },
		Keep: func(saved []byte) error { first = saved; return nil }})
	if err != nil || len(first) == 0 {
		t.Fatal(err, len(first))
	}
	if _, err := load(first, "another"); err == nil || !strings.Contains(err.Error(), "to another scenario") {
		t.Errorf("another identity: %v", err)
	}
	refused := func(what string, data []byte) {
		if _, err := load(data, "another"); err == nil || strings.Contains(err.Error(), "to another scenario") {
			t.Errorf("%s: %v", what, err)
		}
	}
	for i := range first {
		refused(fmt.Sprintf("cut after %d bytes", i), first[:i])
		changed := append([]byte(nil), first...)
		changed[i] ^= 4
		refused(fmt.Sprintf("byte %d changed", i), changed)
	}
}
