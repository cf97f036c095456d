package world_test

import (
	"runtime"
	"testing"

	"motehound/internal/testkit"
	"motehound/world"
)

// listener is a world with one mote to send to.
func listener(t *testing.T, inputs int) *world.Config {
	cfg := &world.Config{Motes: []world.MoteConfig{{Kind: testkit.Example(t, "serial", "uno"), ID: 1}}}
	for i := range inputs {
		cfg.Serial = append(cfg.Serial, world.Serial{At: uint64(i) * world.Millisecond, Bytes: []byte{'a'}})
	}
	return cfg
}

// Four times as much input takes about four times as much memory, not sixteen times.
func TestInputIsLinear(t *testing.T) {
	made := func(n int) uint64 {
		cfg := listener(t, n)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		w, err := world.New(cfg, world.Ordinary{})
		if err != nil {
			t.Fatal(err)
		}
		for range n {
			w.SerialIn(world.Serial{Bytes: []byte{'b'}})
		}
		runtime.ReadMemStats(&after)
		return after.TotalAlloc - before.TotalAlloc
	}
	made(1) // what is made once
	if few, many := made(4000), made(16000); many > 8*few {
		t.Errorf("%d bytes for 4,000 inputs, %d for 16,000", few, many)
	}
}

// What is sent to one of two worlds that were one does not reach the other.
func TestInputOfClones(t *testing.T) {
	w, err := world.New(listener(t, 3), world.Ordinary{})
	if err != nil {
		t.Fatal(err)
	}
	send := func(w *world.World, text string) {
		for _, c := range []byte(text) {
			w.SerialIn(world.Serial{Bytes: []byte{c}})
		}
	}
	send(w, "xyz")
	a, b := w.Clone(), w.Clone()
	for range 3 { // turn by turn, so that each adds where the others have ended
		send(w, "w")
		send(a, "a")
		send(b, "b")
	}
	b.CopyFrom(a)
	send(a, "a")
	send(b, "c")
	for _, c := range []struct {
		w    *world.World
		want string
	}{{w, "aaaxyzwww"}, {a, "aaaxyzaaaa"}, {b, "aaaxyzaaac"}} {
		got := ""
		for _, s := range c.w.Config().Serial {
			got += string(s.Bytes)
		}
		again, err := world.New(c.w.Config(), world.Ordinary{})
		if err != nil {
			t.Fatal(err)
		}
		c.w.RunUntil(100 * world.Millisecond)
		again.RunUntil(100 * world.Millisecond)
		if got != c.want || again.Hash() != c.w.Hash() {
			t.Errorf("got %q, want %q; the same again: %v", got, c.want, again.Hash() == c.w.Hash())
		}
	}
}
