package core

import (
	"os"
	"path/filepath"
	"testing"

	"motehound/firmware/image"
	"motehound/internal/need"
	"motehound/mote"
	"motehound/mote/board"
	"motehound/study/symbolic/expr"
	"motehound/study/symbolic/solver"
)

// compile builds a program of testdata for a MicaZ.
func compile(t testing.TB, source string, flags ...string) *mote.Kind {
	t.Helper()
	elf := filepath.Join(t.TempDir(), "a.elf")
	args := append([]string{"-mmcu=atmega128", "-Os", "-gdwarf-4", "-I../../../examples", "-o", elf, filepath.Join("testdata", source)}, flags...)
	if out, err := need.Command(t, "avr-gcc", args...).CombinedOutput(); err != nil {
		t.Fatalf("avr-gcc (packages gcc-avr, avr-libc): %v\n%s", err, out)
	}
	data, err := os.ReadFile(elf)
	if err != nil {
		t.Fatal(err)
	}
	im, err := image.Parse(source, data)
	if err != nil {
		t.Fatal(err)
	}
	k, err := mote.NewKind(&board.MicaZ, im, nil)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// explorer makes an explorer.
func explorer(t testing.TB, cfg Config) *Explorer {
	t.Helper()
	cfg.Pool = expr.NewPool()
	cfg.Solver = queries.Solver(cfg.Pool, solver.Config{})
	return New(cfg)
}

const second = 1_000_000_000_000

// explore runs a state and all its forks to a moment, depth first, and returns all of them.
func explore(t testing.TB, s *State, until uint64, bound int) (all []*State) {
	t.Helper()
	todo := []*State{s}
	for len(todo) > 0 {
		s := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for s.Ended() == Going && s.Time() < until {
			forks := s.RunUntil(until)
			todo = append(todo, forks...)
			if err := s.Verify(); err != nil {
				t.Fatal(err)
			}
			if len(todo)+len(all) > bound {
				t.Fatalf("more than %d states", bound)
			}
		}
		all = append(all, s)
	}
	return all
}
