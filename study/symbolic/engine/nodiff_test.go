package engine

import (
	"bytes"
	"testing"

	"motehound/examples"
	"motehound/firmware/image"
	"motehound/mote"
	"motehound/mote/board"
	"motehound/mote/periph"
	"motehound/study/symbolic/core"
	"motehound/study/symbolic/expr"
	"motehound/study/symbolic/solver"
	"motehound/world"
	"motehound/world/medium"
	"motehound/world/scenario"
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
			noDiff(t, lineOf(t, example(t, f), 3), 700*world.Millisecond)
		})
	}
}

// TestNoDiffOutside is the same with frames that no mote has sent, and with a pin that somebody drives: in the middle of code, in sleep, and while the
// mote is not yet on.
func TestNoDiffOutside(t *testing.T) {
	find := func(name, board string) *mote.Kind {
		f, ok := examples.Find(name, board)
		if !ok {
			t.Fatalf("there is no %s for %s", name, board)
		}
		return example(t, f)
	}
	message := scenario.ActiveMessage(6, []byte{0, 7})
	for _, board := range []string{"micaz", "mica2"} {
		cfg := lineOf(t, find("counter", board), 3)
		for i := range 40 {
			cfg.Events = append(cfg.Events, world.Event{Kind: world.HearFrame, Mote: i % 3, Frame: message, At: uint64(i*i)*world.Millisecond + uint64(i)*77_777})
		}
		heard := number(t, noDiff(t, cfg, 2*world.Second).Motes()[0], "CounterC__heard")
		if heard < 20 && board == "micaz" { // on a mica2 these bytes are no message
			t.Errorf("mote 0 has heard %d messages", heard)
		}
	}
	button := periph.P('D', 2)
	cfg := &world.Config{Motes: []world.MoteConfig{{Kind: find("button", "uno"), BootFrom: 5 * world.Millisecond}}}
	for i := range 60 {
		at := uint64(i)*world.Millisecond + uint64(i)*12_345
		cfg.Events = append(cfg.Events, world.Event{Kind: world.SetPin, Pin: button, Drive: periph.Drive(1 + i%2), At: at})
	}
	if w := noDiff(t, cfg, 100*world.Millisecond); number(t, w.Motes()[0], "saved.x") == 0 {
		t.Error("nobody pressed the button")
	}
}

// noDiff runs a network in the engine and in package world.
func noDiff(t *testing.T, cfg *world.Config, until uint64) *world.World {
	t.Helper()
	w, err := world.New(cfg, world.Ordinary{})
	if err != nil {
		t.Fatal(err)
	}
	w.RunUntil(until)
	pool := expr.NewPool()
	e, err := New(Config{World: cfg, Until: until, Core: core.Config{Pool: pool, Solver: queries.Solver(pool, solver.Config{})}})
	if err != nil {
		t.Fatal(err)
	}
	if err := e.Run(); err != nil {
		t.Fatal(err)
	}
	if len(e.nodes) != len(cfg.Motes) {
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
	return w
}
