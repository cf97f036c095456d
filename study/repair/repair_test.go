package repair_test

import (
	"fmt"
	"path/filepath"
	"testing"

	"motehound/firmware/image"
	"motehound/internal/need"
	"motehound/internal/testkit"
	"motehound/mote/board"
	"motehound/study/check"
	"motehound/study/explore"
	"motehound/study/repair"
	"motehound/world"
)

// racing is a program to which five characters come, and a race of it.
func racing(t *testing.T, file string) (*explore.System, *check.Finding) {
	t.Helper()
	elf := filepath.Join(t.TempDir(), "a.elf")
	if out, err := need.Command(t, "avr-gcc", "-mmcu=atmega328p", "-Os", "-gdwarf-4", "-o", elf, file).CombinedOutput(); err != nil {
		t.Fatalf("avr-gcc (packages gcc-avr, avr-libc): %v\n%s", err, out)
	}
	im, err := image.Load(elf)
	if err != nil {
		t.Fatal(err)
	}
	cfg := &world.Config{Motes: []world.MoteConfig{{Kind: testkit.On(t, &board.Uno, im)}}, Serial: []world.Serial{{Bytes: []byte("hello")}}}
	s, err := explore.New(cfg, explore.Options{Preempt: 2})
	if err != nil {
		t.Fatal(err)
	}
	r, err := check.Search(s, check.SearchOptions{Depth: 10, Deepen: true, Reduce: check.Dynamic})
	if err != nil || len(r.Findings) == 0 {
		t.Fatalf("%+v, %v", r, err)
	}
	return s, r.Findings[0]
}

// The proposed section has the lines of all accesses that belong together, also if they are in a loop, in other functions, or more than
// the two that were interrupted; and with interrupts off there the race is gone.
func TestSections(t *testing.T) {
	for file, want := range map[string]string{
		"testdata/if.c":      "if.c:20-22 in main, 9 cycles",
		"testdata/three.c":   "three.c:22-24 in main, 10 cycles",
		"testdata/calls.c":   "calls.c:29-30 in main and what it calls, 22 cycles",
		"testdata/inlined.c": "inlined.c:29-30 in main and what it calls, 6 cycles",
		"testdata/loop.c":    "loop.c:23-23 in main with the loop, 14 cycles",
		"testdata/rolled.c":  "rolled.c:22-23 in main with the loop, 252 cycles",
	} {
		t.Run(filepath.Base(file), func(t *testing.T) {
			t.Parallel()
			s, f := racing(t, file)
			r, err := repair.Of(s, f.Trace, f.Cause(), repair.Options{})
			if err != nil || r == nil || len(r.Sections) != 1 || !r.Proof.Proven {
				t.Fatalf("%+v, %v", r, err)
			}
			x := &r.Sections[0]
			got := fmt.Sprintf("%s:%d-%d in %s", filepath.Base(x.From.File), x.From.Line, x.To.Line, x.From.Function)
			if x.Across {
				got += " and what it calls"
			}
			if x.Loops {
				got += " with the loop"
			}
			if got += fmt.Sprintf(", %d cycles", r.Proof.Waits); got != want {
				t.Errorf("%s, not %s", got, want)
			}
			if r.Proof.Events < 100 || r.Proof.Depth < 5 {
				t.Errorf("proven by too little: %+v", r.Proof)
			}
		})
	}
}
