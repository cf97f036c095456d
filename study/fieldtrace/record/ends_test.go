package record_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"motehound/firmware/image"
	"motehound/firmware/pathtrace/runtime"
	"motehound/internal/need"
	"motehound/mote"
	"motehound/mote/board"
	"motehound/study/fieldtrace/record"
	"motehound/world"
)

// A program without a clock: what it traced goes to the flash when it fails or stops, when it is asked, and after the watchdog's reset.
// Only if its power goes, what was in memory is gone, too.
func TestEndsWithoutClock(t *testing.T) {
	const nothing, fault, query, watchdog, stop = 0, 1, 2, 3, 4
	dir := t.TempDir()
	if err := runtime.Write(dir, os.WriteFile); err != nil {
		t.Fatal(err)
	}
	for end, want := range map[int]int{nothing: 0, fault: 16, query: 16, watchdog: 16, stop: 16} {
		elf := filepath.Join(dir, fmt.Sprint(end, ".elf"))
		args := []string{"-std=gnu99", "-Os", "-Wall", "-Werror", "-mmcu=atmega128", "-I" + dir, "-DMH_TRACE_PROCS=8", fmt.Sprintf("-DEND=%d", end),
			"-o", elf, "testdata/ends.c", filepath.Join(dir, runtime.AT45DB)}
		for _, f := range append(runtime.Core, runtime.Query...) {
			args = append(args, filepath.Join(dir, f))
		}
		if out, err := need.Command(t, "avr-gcc", args...).CombinedOutput(); err != nil {
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
		w.RunUntil(world.Second)
		tr := &traced{w: w, pages: 8}
		events, faults, resets := 0, 0, 0
		log := read(t, tr.log(w.Motes()[0].ExternalFlash()))
		for at, e := range log.Events() {
			switch {
			case e.Kind <= record.Leave && at.Boot == 0:
				events++
			case e.Kind == record.Fault:
				faults += int(e.Arg)
			case e.Kind == record.Reset:
				resets++
			}
		}
		if events != want || (faults == 3) != (end == fault) || resets == 0 {
			t.Errorf("end %d: %d events, want %d; fault %d, %d resets", end, events, want, faults, resets)
		}
	}
}
