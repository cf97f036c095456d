// Package testkit makes what many tests run: examples on their boards, and small worlds of them.
//
// Invariants: only tests import it; what cannot be made ends the test; the same arguments make the same world. It knows nothing above
// package world, so that tests on every floor above that can use it.
package testkit

import (
	"testing"

	"motehound/examples"
	"motehound/firmware/image"
	"motehound/internal/motes"
	"motehound/mote"
	"motehound/mote/board"
	"motehound/mote/chip"
	"motehound/world"
	"motehound/world/medium"
)

// Example is a kind of motes that run an example on a board.
func Example(t testing.TB, app, boardName string) *mote.Kind {
	t.Helper()
	f, ok := examples.Find(app, boardName)
	if !ok {
		t.Fatalf("there is no example %s for %s", app, boardName)
	}
	return Kind(t, f)
}

// Kind is an example on its board. One that has none gets a bare ATmega128.
func Kind(t testing.TB, f examples.Firmware) *mote.Kind {
	t.Helper()
	im, err := image.Parse(f.File(), f.ELF())
	if err != nil {
		t.Fatal(err)
	}
	if f.Board == "" {
		return Bare(t, im)
	}
	b, err := board.Find(f.Board)
	if err != nil {
		t.Fatal(err)
	}
	return On(t, b, im)
}

// On is a firmware on a board.
func On(t testing.TB, b *board.Board, im *image.Image) *mote.Kind {
	t.Helper()
	k, err := mote.NewKind(b, im, nil)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// Bare is a firmware on an ATmega128 with nothing around it but the crystal of the Micas.
func Bare(t testing.TB, im *image.Image) *mote.Kind {
	t.Helper()
	return On(t, board.Bare(&chip.ATmega128, 7_372_800), im)
}

// World makes a world.
func World(t testing.TB, cfg *world.Config, choose world.Chooser) *world.World {
	t.Helper()
	w, err := world.New(cfg, choose)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// Alone is one mote with an id, and a seed of 1.
func Alone(t testing.TB, k *mote.Kind, id uint16) *world.World {
	t.Helper()
	return World(t, &world.Config{Motes: []world.MoteConfig{{Kind: k, ID: id}}}, world.Natural{Seed: 1})
}

// Network is n motes of a kind, with ids from 0 on, and their links. Cfg is what else there is to say.
func Network(t testing.TB, k *mote.Kind, n int, links []medium.Link, cfg world.Config, seed uint64) *world.World {
	t.Helper()
	var err error
	if cfg.Net, err = medium.New(n, links); err != nil {
		t.Fatal(err)
	}
	cfg.Motes = motes.Of(k, n)
	return World(t, &cfg, world.Natural{Seed: seed})
}

// Pair is two motes that hear each other, switched on within a tenth of a second, with a seed of 1.
func Pair(t testing.TB, k *mote.Kind) *world.World {
	t.Helper()
	return Network(t, k, 2, medium.Full(2, medium.DefaultGain, 0), world.Config{Stagger: 100_000}, 1)
}
