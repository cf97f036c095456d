package explore_test

import (
	"path/filepath"
	"testing"

	"motehound/firmware/image"
	"motehound/internal/need"
	"motehound/internal/testkit"
	"motehound/study/check"
	"motehound/study/explore"
	"motehound/world"
)

// spins is a system of one mote whose kernel never sleeps.
func spins(t *testing.T, flags ...string) (*explore.System, *image.Image) {
	t.Helper()
	elf := filepath.Join(t.TempDir(), "spins.elf")
	args := append([]string{"-mmcu=atmega128", "-Os", "-gdwarf-4", "-I../property/kernel/testdata", "-o", elf, "testdata/spins.c"}, flags...)
	out, err := need.Command(t, "avr-gcc", args...).CombinedOutput()
	if err != nil {
		t.Fatalf("avr-gcc (packages gcc-avr, avr-libc): %v\n%s", err, out)
	}
	im, err := image.Load(elf)
	if err != nil {
		t.Fatal(err)
	}
	s, err := explore.New(&world.Config{Motes: []world.MoteConfig{{Kind: testkit.Bare(t, im)}}}, explore.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return s, im
}

// A kernel that goes round and finds nothing to do rests: its main loop is no event. What an interrupt asks for is one.
func TestKernelSpins(t *testing.T) {
	t.Parallel()
	s, im := spins(t)
	count, ok := im.Symbol("count")
	if !ok {
		t.Fatal("no variable count")
	}
	counted := func() uint8 { return s.Mote(0).RAM()[count.Addr-uint32(s.Mote(0).Chip().RAMBase)] }
	for round := range 5 {
		before := counted()
		for _, want := range []check.Class{check.Interrupt, check.Task} {
			events := s.Enabled(nil)
			if len(events) == 0 || events[len(events)-1].Class != want {
				t.Fatalf("round %d: %+v can happen, want one of class %d", round, events, want)
			}
			if _, err := s.Fire(events[len(events)-1]); err != nil {
				t.Fatal(err)
			}
		}
		if got := counted() - before; got != 1 {
			t.Fatalf("%d polls were handled, want 1", got)
		}
	}
}

// A main loop that always changes something never rests, wherever it is when it has been looked at for long enough.
func TestKernelNeverRests(t *testing.T) {
	t.Parallel()
	s, _ := spins(t, "-DCOUNTS")
	for n := range 600 {
		events := s.Enabled(nil)
		if len(events) == 0 || events[len(events)-1].Class != check.Task {
			t.Fatalf("after %d rounds: %+v can happen, want the main loop", n, events)
		}
		if _, err := s.Fire(events[len(events)-1]); err != nil {
			t.Fatal(err)
		}
	}
}
