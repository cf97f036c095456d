package core

import (
	"testing"

	"motehound/examples"
	"motehound/firmware/image"
	"motehound/mote"
	"motehound/mote/board"
	"motehound/mote/chip"
	"motehound/mote/digest"
	"motehound/world"
	"motehound/world/medium"
)

func kindOfExample(t testing.TB, f examples.Firmware) *mote.Kind {
	t.Helper()
	im, err := image.Parse(f.File(), f.ELF())
	if err != nil {
		t.Fatal(err)
	}
	b := board.Bare(&chip.ATmega128, 8_000_000)
	if f.Board != "" {
		if b, err = board.Find(f.Board); err != nil {
			t.Fatal(err)
		}
	}
	k, err := mote.NewKind(b, im, nil)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// eachExample visits the examples; few of them if time is short.
func eachExample(t *testing.T, visit func(t *testing.T, k *mote.Kind)) {
	for i, f := range examples.All {
		if testing.Short() && i%12 != 0 {
			continue
		}
		t.Run(f.Name+"-"+f.Board+f.Chip, func(t *testing.T) { visit(t, kindOfExample(t, f)) })
	}
}

// TestNetworksNoDiff runs networks of every example with the symbolic core following each instruction, and without. Not a bit may
// differ.
func TestNetworksNoDiff(t *testing.T) {
	eachExample(t, func(t *testing.T, k *mote.Kind) {
		sum := func(follow bool) digest.Sum {
			net, err := medium.New(2, medium.Line(2, -60, 0))
			if err != nil {
				t.Fatal(err)
			}
			cfg := &world.Config{Net: net, Stagger: 100_000, Drift: 20}
			for i := range 2 {
				cfg.Motes = append(cfg.Motes, world.MoteConfig{Kind: k, ID: uint16(i)})
			}
			w, err := world.New(cfg, world.Natural{Seed: 5})
			if err != nil {
				t.Fatal(err)
			}
			if follow {
				x := explorer(t, Config{})
				for i, m := range w.Motes() {
					attach(t, x, i, k, m)
				}
			}
			w.RunUntil(second / 2)
			return w.Hash()
		}
		if with, without := sum(true), sum(false); with != without {
			t.Errorf("the world's state is %s, and without the symbolic core %s", with, without)
		}
	})
}

// attach has a mote of a world followed, every instruction of it.
func attach(t *testing.T, x *Explorer, i int, k *mote.Kind, m *mote.Mote) {
	t.Helper()
	s, err := x.New(Mote{Index: i, Kind: k})
	if err != nil {
		t.Fatal(err)
	}
	r := s.rig
	r.m = m
	m.SetShadow(r)
	m.Core().Bus = bus{m.Machine, r}
	r.sparse = r.full
	m.Core().Program = r.program()
}

// TestStatesNoDiff runs every example as a state, with forks on the way, and as a mote of its own.
func TestStatesNoDiff(t *testing.T) {
	eachExample(t, func(t *testing.T, k *mote.Kind) {
		const end = second / 4
		sum := func(m *mote.Mote) digest.Sum {
			d := digest.New()
			m.AppendState(&d)
			return d.Sum()
		}
		alone := k.New(3, 0, &rig{conf: &Mote{}})
		alone.RunUntil(end)
		want := sum(alone)
		x := explorer(t, Config{})
		s, err := x.New(Mote{Kind: k, ID: 3})
		if err != nil {
			t.Fatal(err)
		}
		s.RunUntil(end / 3)
		early := s.Fork()
		s.RunUntil(end / 2)
		late := s.Fork()
		for name, s := range map[string]*State{"the first state": s, "an early copy": early, "a late copy": late} {
			s.RunUntil(end)
			if got := sum(s.Machine()); got != want {
				t.Errorf("%s is %s, the mote by itself %s", name, got, want)
			}
		}
		if n := x.Stats().Lifted; n != 0 {
			t.Errorf("%d instructions were lifted, though nothing is symbolic", n)
		}
	})
}
