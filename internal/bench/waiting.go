package main

import (
	"embed"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"motehound/firmware/image"
	"motehound/internal/motes"
	"motehound/mote"
	"motehound/mote/board"
	"motehound/mote/cell"
	"motehound/mote/digest"
	"motehound/mote/periph"
	"motehound/world"
)

//go:embed testdata/waiting/*.c
var waitingSources embed.FS

// waiting is programs that wait in a loop: how many instructions are executed, and how long that takes, with and without skipping of its
// iterations. Both runs end in the same state.
func waiting() ([]result, error) {
	var out []result
	for _, p := range []struct {
		name, what string
		board      *board.Board
		bytes      int  // that it receives, over the run
		checked    bool // the built-in checks watch
	}{
		{"delay", "loop() with delay(1000)", &board.Uno, 0, false},
		{"echo", "polled echo, 10 bytes a second", &board.Uno, 100, false},
		{"events", "main loop of an event kernel", &board.MicaZ, 0, false},
		{"events", "the same with built-in checks", &board.MicaZ, 0, true},
		{"send", "full transmit buffer, built-in checks", &board.Uno, 0, true},
	} {
		k, err := compileWaiting(p.name, p.board)
		if err != nil {
			return nil, err
		}
		var executed, seconds [2]float64
		var hash [2]digest.Sum
		for i, skip := range []bool{true, false} {
			w, err := worldOf(k, 1)
			if err != nil {
				return nil, err
			}
			m := w.Motes()[0]
			m.SkipWaits(skip)
			if p.checked {
				if err := attach(w); err != nil {
					return nil, err
				}
			}
			before := motes.CPUTime()
			receive(w, 10*world.Second, p.bytes)
			seconds[i] = (motes.CPUTime() - before).Seconds()
			executed[i] = float64(m.Core().Instructions - m.Skipped())
			hash[i] = w.Hash()
		}
		if hash[0] != hash[1] {
			return nil, fmt.Errorf("%s: skipping changes the state", p.name)
		}
		out = append(out,
			result{p.what + ": instructions / executed", executed[1] / executed[0], "times", "at least", 50},
			result{what: p.what + ": CPU time without / with skipping", got: seconds[1] / seconds[0], unit: "times"})
	}
	return out, nil
}

// receive runs a world with one mote, to which so many bytes come at equal distances.
func receive(w *world.World, until uint64, bytes int) {
	m := w.Motes()[0]
	for i := range bytes {
		w.RunUntil(until * uint64(i+1) / uint64(bytes+1))
		bit, f := m.SerialRate(0)
		m.Receive(0, periph.SerialChar{Data: cell.Of(uint8(i)), Format: f, BitTime: bit})
	}
	w.RunUntil(until)
}

// compileWaiting makes firmware of one of the sources.
func compileWaiting(name string, b *board.Board) (*mote.Kind, error) {
	dir, err := os.MkdirTemp("", "waiting")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	source, err := waitingSources.ReadFile("testdata/waiting/" + name + ".c")
	if err != nil {
		return nil, err
	}
	file, elf := filepath.Join(dir, name+".c"), filepath.Join(dir, name+".elf")
	if err := os.WriteFile(file, source, 0o600); err != nil {
		return nil, err
	}
	if text, err := exec.Command("avr-gcc", "-mmcu="+b.Chip.Name, "-Os", "-std=gnu99", "-Wall", "-Werror", "-o", elf, file).CombinedOutput(); err != nil {
		return nil, fmt.Errorf("%w: %s", err, text)
	}
	data, err := os.ReadFile(elf)
	if err != nil {
		return nil, err
	}
	im, err := image.Parse(elf, data)
	if err != nil {
		return nil, err
	}
	return mote.NewKind(b, im, nil)
}
