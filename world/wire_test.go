package world_test

import (
	"os"
	"path/filepath"
	"testing"

	"motehound/firmware/image"
	"motehound/internal/need"
	"motehound/internal/testkit"
	"motehound/mote"
	"motehound/mote/board"
	"motehound/world"
	"motehound/world/medium"
	"motehound/world/reception"
)

// compile builds a test program for a MicaZ.
func compile(t testing.TB, source string) *mote.Kind {
	t.Helper()
	elf := filepath.Join(t.TempDir(), "a.elf")
	cmd := need.Command(t, "avr-gcc", "-mmcu=atmega128", "-Os", "-gdwarf-4", "-o", elf, filepath.Join("testdata", source))
	if out, err := cmd.CombinedOutput(); err != nil {
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
	return testkit.On(t, &board.MicaZ, im)
}

// wired is two motes joined by a wire, with some choices made.
func wired(t testing.TB, k *mote.Kind, framing medium.Framing, loss float64, answers ...world.Answer) *world.World {
	t.Helper()
	net, err := medium.New(2, nil)
	if err != nil {
		t.Fatal(err)
	}
	net.Wires = []medium.Wire{{A: medium.End{Mote: 0}, B: medium.End{Mote: 1}, Framing: framing, Loss: loss}}
	cfg := &world.Config{Motes: []world.MoteConfig{{Kind: k}, {Kind: k, ID: 1}}, Net: net}
	for _, f := range []world.FaultKind{world.Lose, world.Duplicate, world.Corrupt} {
		cfg.Faults = append(cfg.Faults, world.Fault{Kind: f, Max: 2, Mote: world.Everyone, From: world.None, To: world.None, Wire: 0})
	}
	return testkit.World(t, cfg, world.Fixed{Answers: answers, Else: world.Natural{Seed: 3}})
}

// memory lets variables of a mote be read.
type memory struct{ m *mote.Mote }

func (x memory) LoadByte(addr uint32) uint8     { return x.m.Peek(uint16(addr)) }
func (x memory) StoreByte(addr uint32, v uint8) { panic("BUG: a test writes") }

func variable(t testing.TB, m *mote.Mote, path string) image.Value {
	t.Helper()
	ref, err := m.Kind.Image.Lookup(path)
	if err != nil {
		t.Fatal(err)
	}
	v, err := ref.Read(memory{m})
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func counts(t testing.TB, m *mote.Mote) (seen [32]int64, bad int64) {
	t.Helper()
	for i, e := range variable(t, m, "seen").Elems {
		seen[i] = e.Int()
	}
	return seen, variable(t, m, "bad").Int()
}

// A wire carries SLIP frames; losing, duplicating or corrupting the k-th frame by choice does exactly that.
func TestWireCarriesSLIP(t *testing.T) {
	k := compile(t, "slip.c")
	choose := func(mote int, number, fate uint32) world.Answer {
		return world.Answer{Kind: world.ChoiceWire, Mote: mote, Number: number, Answer: fate}
	}
	cases := []struct {
		name    string
		answers []world.Answer
		want    map[int]int64 // frames of mote 1 that are not seen once
		bad     int64
	}{
		{"undisturbed", nil, nil, 0},
		{"frame 7 is lost", []world.Answer{choose(1, 7, uint32(reception.Lost))}, map[int]int64{7: 0}, 0},
		{"frame 4, with an escape, is duplicated", []world.Answer{choose(1, 4, uint32(reception.Duplicated))}, map[int]int64{4: 2}, 0},
		{"frames 0 and 31 are duplicated", []world.Answer{choose(1, 0, uint32(reception.Duplicated)), choose(1, 31, uint32(reception.Duplicated))}, map[int]int64{0: 2, 31: 2}, 0},
		{"frame 9 is corrupted", []world.Answer{choose(1, 9, uint32(reception.Corrupted)),
			{Kind: world.ChoiceCorruption, Mote: 1, Number: 0, Answer: 2*8 + 1}}, map[int]int64{9: 0}, 1},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			w := wired(t, k, medium.SLIP, 0, c.answers...)
			w.RunUntil(200 * world.Millisecond)
			for i, m := range w.Motes() {
				seen, bad := counts(t, m)
				for n, got := range seen {
					want := int64(1)
					if other, ok := c.want[n]; ok && i == 1 {
						want = other
					}
					if got != want {
						t.Errorf("mote %d saw frame %d %d times, not %d", i, n, got, want)
					}
				}
				if want := c.bad * int64(i); bad != want {
					t.Errorf("mote %d saw %d broken frames, not %d", i, bad, want)
				}
			}
		})
	}
}

// With a loss of 0.3 some frames are missing, and none is broken.
func TestWireLoss(t *testing.T) {
	w := wired(t, compile(t, "slip.c"), medium.SLIP, 0.3)
	w.RunUntil(200 * world.Millisecond)
	for i, m := range w.Motes() {
		seen, bad := counts(t, m)
		missing := 0
		for _, n := range seen {
			if n == 0 {
				missing++
			}
		}
		if missing < 3 || missing > 17 || bad != 0 {
			t.Errorf("mote %d: %d of 32 frames missing, %d broken; want about 10 and none", i, missing, bad)
		}
	}
}

// How far motes run ahead of each other makes no difference.
func TestStrideMakesNoDifference(t *testing.T) {
	k := compile(t, "slip.c")
	run := func(stride func(uint64) uint64) string {
		w := wired(t, k, medium.SLIP, 0.3)
		w.SetStride(stride)
		w.RunUntil(150 * world.Millisecond)
		return w.Hash().String()
	}
	want := run(nil)
	for name, stride := range map[string]func(uint64) uint64{
		"small":   func(uint64) uint64 { return 7 * world.Microsecond },
		"varying": func(now uint64) uint64 { return now%91*world.Microsecond/3 + 1000 },
	} {
		if got := run(stride); got != want {
			t.Errorf("%s strides: hash %s, not %s", name, got, want)
		}
	}
}
