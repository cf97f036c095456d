package record_test

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"testing"

	"motehound/firmware/image"
	"motehound/mote"
	"motehound/mote/board"
	"motehound/study/pathtrace/record"
	"motehound/study/pathtrace/runtime"
	"motehound/world"
)

// rests builds testdata/rests.c, with TinyOS' clock for the log's.
func rests(t *testing.T, period, last int) *world.World {
	t.Helper()
	dir := t.TempDir()
	if err := runtime.Write(dir); err != nil {
		t.Fatal(err)
	}
	elf := filepath.Join(dir, "rests.elf")
	args := []string{"-std=gnu99", "-Os", "-Wall", "-Werror", "-mmcu=atmega128", "-I" + dir, "-DMH_TRACE_PROCS=8", "-DMH_TRACE_TICKS",
		fmt.Sprintf("-DPERIOD=%d", period), fmt.Sprintf("-DLAST=%d", last), "-o", elf, "testdata/rests.c", filepath.Join(dir, runtime.AT45DB)}
	for _, f := range runtime.Core {
		args = append(args, filepath.Join(dir, f))
	}
	if out, err := exec.Command("avr-gcc", args...).CombinedOutput(); err != nil {
		t.Fatalf("this test needs gcc-avr and avr-libc: %v\n%s", err, out)
	}
	im, err := image.Load(elf)
	if err != nil {
		t.Fatal(err)
	}
	k, err := mote.NewKind(&board.MicaZ, im, nil)
	if err != nil {
		t.Fatal(err)
	}
	w, err := world.New(&world.Config{Motes: []world.MoteConfig{{Kind: k}}}, world.Natural{})
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// inFlash is how many events the flash has, in how many pieces of pages.
func inFlash(t *testing.T, w *world.World) (events, chunks int) {
	t.Helper()
	tr := &traced{w: w, pages: 64}
	log := read(t, tr.log(w.Motes()[0].ExternalFlash()))
	for _, e := range log.Events() {
		switch {
		case e.Kind <= record.Leave:
			events++
		case e.Kind.Gap():
			t.Fatalf("after %d events: %v", events, e.Kind)
		}
	}
	for _, p := range log.Pages {
		chunks += p.Chunks
	}
	return events, chunks
}

// What a mote traced is in the flash when it has rested, though it is far less than a page: what it did when it started at once, and later
// what it did last.
func TestRestIsSaved(t *testing.T) {
	const first, each = 2, 5
	for _, c := range []struct {
		seconds uint64
		events  int
	}{{1, first}, {30, first}, {70, first + 3*each}, {600, first + 3*each}} {
		w := rests(t, 5, 3)
		w.RunUntil(c.seconds * world.Second)
		if events, _ := inFlash(t, w); events != c.events {
			t.Errorf("after %d s: %d events, want %d", c.seconds, events, c.events)
		}
	}
}

// The flash does not wear out: a mote that rests again and again is saved once a minute at most, one that never rests for long every
// ten minutes, and each time takes one piece of a page.
func TestRestWears(t *testing.T) {
	for _, c := range []struct{ period, atLeast, atMost, behind int }{{10, 50, 62, 62}, {1, 6, 20, 602}} {
		w := rests(t, c.period, 1<<15)
		w.RunUntil(3600 * world.Second)
		events, chunks := inFlash(t, w)
		t.Logf("every %d s: %d events in %d pieces", c.period, events, chunks)
		if want := 5 * (3600 - c.behind) / c.period; chunks < c.atLeast || chunks > c.atMost || events < want {
			t.Errorf("every %d s: %d events, want %d; %d pieces", c.period, events, want, chunks)
		}
	}
}
