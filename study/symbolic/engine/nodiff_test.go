package engine

import (
	"bytes"
	"testing"

	"motehound/examples"
	"motehound/firmware/image"
	"motehound/mote"
	"motehound/mote/board"
	"motehound/study/symbolic/core"
	"motehound/study/symbolic/expr"
	"motehound/study/symbolic/solver"
	"motehound/world"
	"motehound/world/medium"
)

func example(t testing.TB, f examples.Firmware) *mote.Kind {
	t.Helper()
	im, err := image.Parse(f.File(), f.ELF())
	if err != nil {
		t.Fatal(err)
	}
	b, err := board.Find(f.Board)
	if err != nil {
		t.Fatal(err)
	}
	k, err := mote.NewKind(b, im, nil)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// line is a line of motes that run a firmware.
func lineOf(t testing.TB, k *mote.Kind, n int) *world.Config {
	t.Helper()
	net, err := medium.New(n, medium.Line(n, -60, 0))
	if err != nil {
		t.Fatal(err)
	}
	cfg := &world.Config{Net: net}
	for i := range n {
		cfg.Motes = append(cfg.Motes, world.MoteConfig{Kind: k, ID: uint16(i), BootFrom: uint64(i) * 7 * world.Millisecond, Drift: int32(i)})
	}
	return cfg
}

// TestNoDiff runs networks of the examples without symbolic inputs in the engine, and in package world: every mote's CPU and
// memory must end the same.
func TestNoDiff(t *testing.T) {
	for i, f := range examples.All {
		if f.Board != "micaz" && f.Board != "mica2" || testing.Short() && i%10 != 0 {
			continue
		}
		t.Run(f.Name+"-"+f.Board, func(t *testing.T) {
			const until = 700 * world.Millisecond
			cfg := lineOf(t, example(t, f), 3)
			w, err := world.New(cfg, world.Ordinary{})
			if err != nil {
				t.Fatal(err)
			}
			w.RunUntil(until)
			pool := expr.NewPool()
			e, err := New(Config{World: cfg, Until: until, Core: core.Config{Pool: pool,
				Solver: queries.Solver(pool, solver.Config{})}})
			if err != nil {
				t.Fatal(err)
			}
			if err := e.Run(); err != nil {
				t.Fatal(err)
			}
			if len(e.nodes) != 3 {
				t.Fatalf("%d states, though nothing is symbolic", len(e.nodes))
			}
			for i, n := range e.nodes {
				// What is planned for a mote's radio is kept in other places, so not all of its state is compared.
				a, b := n.s.Machine().Core(), w.Motes()[i].Core()
				if a.Digested() != b.Digested() || !bytes.Equal(a.RAM, b.RAM) || n.s.Machine().LEDs() != w.Motes()[i].LEDs() {
					t.Errorf("mote %d is at %d with %d instructions, in package world at %d with %d", i,
						n.s.Time(), n.s.Machine().Core().Instructions, w.Motes()[i].Time(), w.Motes()[i].Core().Instructions)
				}
			}
		})
	}
}
