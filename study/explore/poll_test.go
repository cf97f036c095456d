package explore_test

import (
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"motehound/firmware/image"
	"motehound/internal/need"
	"motehound/internal/testkit"
	"motehound/mote/board"
	"motehound/mote/periph"
	"motehound/study/explore"
	"motehound/world"
)

// seen is what a program that polls has noted in all orders of so many events.
func seen(t *testing.T, variant string, depth int, flags ...string) []string {
	t.Helper()
	elf := filepath.Join(t.TempDir(), "polled.elf")
	args := append([]string{"-mmcu=atmega328p", "-Os", "-gdwarf-4", "-DF_CPU=16000000", "-D" + variant, "-o", elf, filepath.Join("testdata", "polled.c")}, flags...)
	if out, err := need.Command(t, "avr-gcc", args...).CombinedOutput(); err != nil {
		t.Fatalf("avr-gcc (packages gcc-avr, avr-libc): %v\n%s", err, out)
	}
	im, err := image.Load(elf)
	if err != nil {
		t.Fatal(err)
	}
	cfg := &world.Config{Motes: []world.MoteConfig{{Kind: testkit.On(t, &board.Uno, im)}}}
	if variant == "BUTTON" || variant == "PRESSES" {
		pin := periph.P('D', 2)
		for n, level := range []periph.Drive{periph.DriveLow, periph.DriveHigh, periph.DriveLow, periph.DriveHigh} {
			cfg.Events = append(cfg.Events, world.Event{At: uint64(n), Kind: world.SetPin, Pin: pin, Drive: level})
		}
	} else {
		cfg.Serial = []world.Serial{{Bytes: []byte("abcdef")}}
	}
	s, err := explore.New(cfg, explore.Options{Preempt: explore.UsualPreempt})
	if err != nil {
		t.Fatal(err)
	}
	list, ok := im.Symbol("seen")
	if !ok {
		t.Fatal("no variable seen")
	}
	at := list.Addr - uint32(board.Uno.Chip.RAMBase)
	known, ends := map[[2]uint64]bool{}, map[string]bool{}
	var visit func(s *explore.System, left int)
	visit = func(s *explore.System, left int) {
		if known[s.Hash()] {
			return
		}
		known[s.Hash()] = true
		events := s.Enabled(nil)
		if left == 0 || len(events) == 0 {
			text, _, _ := strings.Cut(string(s.Mote(0).RAM()[at:at+16]), "\x00")
			ends[text] = true
		}
		for _, e := range events {
			if left == 0 {
				break
			}
			next := s.Clone().(*explore.System)
			step, err := next.Fire(e)
			if err != nil || len(step.Violations) > 0 {
				t.Fatalf("%s: %+v, %v", s.Describe(e), step, err)
			}
			visit(next, left-1)
			next.Release()
		}
	}
	visit(s, depth)
	return slices.Sorted(maps.Keys(ends))
}

// A program that polls, and never allows interrupts, meets its input at any time. What it does by itself is an event, if there is anything.
func TestPolls(t *testing.T) {
	for _, c := range []struct {
		variant string
		depth   int
		want    string
	}{
		{"ECHO", 40, "abcdef"},
		{"TICKS", 3, "... ..a .a. .ab a.. a.b ab. abc"},
		{"BUTTON", 40, "1 101"}, // a press may be over before anybody looks
		{"PRESSES", 40, "1 11"},
		{"SLOW", 40, "abc!ef abc!f abcd!f abcdef"},
		{"RETURNS", 40, "ab"},
		{"FAST", 9, " a ab"},
	} {
		t.Run(c.variant, func(t *testing.T) {
			t.Parallel()
			for _, optimise := range []string{"-Os", "-O2"} {
				if got := strings.Join(seen(t, c.variant, c.depth, optimise), " "); got != c.want {
					t.Errorf("%s: %s, want %s", optimise, got, c.want)
				}
			}
		})
	}
}
