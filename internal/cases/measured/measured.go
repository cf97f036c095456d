// Package measured is what commands that measure have in common: a file that keeps what was measured, a line of JSON for each run, so that they can be
// stopped at any moment and gone on with; and the clock of the CPU.
package measured

import (
	"bufio"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"syscall"
)

// Load reads what earlier runs have kept, by their keys. A line that is not whole was being written, and is left out.
func Load[K comparable, O any](file string, key func(O) K) (map[K]O, error) {
	done := map[K]O{}
	f, err := os.Open(file)
	if errors.Is(err, fs.ErrNotExist) {
		return done, nil
	} else if err != nil {
		return nil, err
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		var o O
		if json.Unmarshal(lines.Bytes(), &o) == nil {
			done[key(o)] = o
		}
	}
	return done, nil
}

// CPUSeconds is the CPU time of this process: runs at the same time count each other's.
func CPUSeconds() float64 {
	var r syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &r); err != nil {
		panic("BUG: getrusage: " + err.Error())
	}
	return float64(r.Utime.Nano()+r.Stime.Nano()) / 1e9
}

// Append keeps one more.
func Append[O any](file string, o O) error {
	f, err := os.OpenFile(file, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	defer f.Close()
	return json.NewEncoder(f).Encode(o)
}
