// Command bench measures speed as ratios against a peer in the same run, and what snapshots and motes cost. It prints
// each number beside what it must reach, and exits with 1 if one does not.
package main

import (
	"fmt"
	"math"
	"os"
	"runtime"
	"sort"
	"syscall"
	"time"

	"motehound/examples"
	"motehound/firmware/image"
	"motehound/internal/peer/simavr"
	"motehound/mote"
	"motehound/mote/board"
	"motehound/mote/mcu"
	"motehound/world"
)

// result is one line of the report.
type result struct {
	what  string
	got   float64
	unit  string
	bound string // "at least" or "at most"
	want  float64
}

func (r result) ok() bool {
	switch r.bound {
	case "at least":
		return r.got >= r.want
	case "at most":
		return r.got <= r.want
	}
	return true
}

func main() {
	var results []result
	for _, measure := range []func() ([]result, error){cpuBound, blinking, snapshots, memory} {
		r, err := measure()
		if err != nil {
			fmt.Fprintln(os.Stderr, "bench:", err)
			os.Exit(2)
		}
		results = append(results, r...)
		for _, r := range r {
			verdict := ""
			if r.bound != "" {
				verdict = fmt.Sprintf("   %s %g: ok", r.bound, r.want)
				if !r.ok() {
					verdict = fmt.Sprintf("   %s %g: MISSED", r.bound, r.want)
				}
			}
			fmt.Printf("%-58s %10.2f %-9s%s\n", r.what, r.got, r.unit, verdict)
		}
	}
	for _, r := range results {
		if !r.ok() {
			os.Exit(1)
		}
	}
}

// rounds is how often each thing is measured; the median counts. Ours and the peer's take turns.
const rounds = 5

// cpuBound runs three programs of more than 100 million instructions here and in simavr's own runner.
func cpuBound() ([]result, error) {
	h, err := simavr.Compile()
	if err != nil {
		return nil, err
	}
	peer := &simavr.BenchRunner{Harness: h, MCU: "atmega128", Frequency: 7_372_800}
	var out []result
	product := 1.0
	programs := []string{"cpu-sort", "cpu-crypt", "cpu-arith"}
	for _, name := range programs {
		f, _ := examples.Find(name, "atmega128")
		path, err := writeELF(f)
		if err != nil {
			return nil, err
		}
		defer os.Remove(path)
		k, err := kindOf(f, &board.MicaZ)
		if err != nil {
			return nil, err
		}
		var ours, theirs []float64
		var instructions uint64
		for range rounds {
			d, err := peer.Stock(path)
			if err != nil {
				return nil, err
			}
			theirs = append(theirs, d.Seconds())
			w, err := worldOf(k, 1)
			if err != nil {
				return nil, err
			}
			before := cpuTime()
			w.RunUntil(60 * world.Second)
			ours = append(ours, (cpuTime() - before).Seconds())
			m := w.Motes()[0]
			if m.Stopped() != mcu.StopDeadSleep {
				return nil, fmt.Errorf("%s did not end: %v", name, m.Stopped())
			}
			instructions = m.Core().Instructions
		}
		ratio := median(theirs) / median(ours)
		product *= ratio
		out = append(out,
			result{what: name + ": million instructions per second, ours", got: float64(instructions) / median(ours) / 1e6, unit: "M/s"},
			result{what: name + ": ... simavr's runner", got: float64(instructions) / median(theirs) / 1e6, unit: "M/s"},
			result{what: name + ": ratio", got: ratio, unit: "times"})
	}
	return append(out, result{"geometric mean over the three, peripherals attached", math.Pow(product, 1.0/3), "times", "at least", 4}), nil
}

// blinking is a mote that sleeps most of the time.
func blinking() ([]result, error) {
	f, _ := examples.Find("blink", "micaz")
	k, err := kindOf(f, &board.MicaZ)
	if err != nil {
		return nil, err
	}
	var ratios []float64
	for range rounds {
		w, err := worldOf(k, 1)
		if err != nil {
			return nil, err
		}
		const virtual = 1000
		before := cpuTime()
		w.RunUntil(virtual * world.Second)
		ratios = append(ratios, virtual/(cpuTime()-before).Seconds())
	}
	return []result{{"blink on micaz: virtual time / CPU time", median(ratios), "times", "at least", 5000}}, nil
}

// snapshots clones and restores an ATmega128 mote in the middle of a run.
func snapshots() ([]result, error) {
	f, _ := examples.Find("serial", "micaz")
	k, err := kindOf(f, &board.MicaZ)
	if err != nil {
		return nil, err
	}
	w, err := worldOf(k, 1)
	if err != nil {
		return nil, err
	}
	w.RunUntil(1500 * world.Millisecond)
	const n = 20_000
	each := func(f func()) float64 {
		var times []float64
		for range rounds {
			runtime.GC()
			before := cpuTime()
			for range n {
				f()
			}
			times = append(times, (cpuTime()-before).Seconds()/n*1e6)
		}
		return median(times)
	}
	// A search keeps many snapshots: so does this, which also keeps the collector from running all the time.
	kept := make([]*world.World, 4096)
	i := 0
	clone := each(func() { kept[i%len(kept)] = w.Clone(); i++ })
	restore := each(func() { kept[i%len(kept)].CopyFrom(w); i++ })
	hash := each(func() { w.Hash() })
	return []result{
		{"clone of an ATmega128 mote, garbage collection included", clone, "us", "at most", 3},
		{"restore of an ATmega128 mote", restore, "us", "at most", 3},
		{what: "hash of an ATmega128 mote", got: hash, unit: "us"},
	}, nil
}

// memory is what a further mote with the same image costs.
func memory() ([]result, error) {
	f, _ := examples.Find("serial", "micaz")
	k, err := kindOf(f, &board.MicaZ)
	if err != nil {
		return nil, err
	}
	const n = 500
	w, err := worldOf(k, 1)
	if err != nil {
		return nil, err
	}
	before := heap()
	many, err := worldOf(k, n)
	if err != nil {
		return nil, err
	}
	many.RunUntil(1500 * world.Millisecond)
	per := float64(heap()-before) / n / 1024
	runtime.KeepAlive(w)
	runtime.KeepAlive(many)
	return []result{{"memory of a further mote with the same image", per, "KiB", "at most", 64}}, nil
}

func heap() uint64 {
	runtime.GC()
	runtime.GC()
	var s runtime.MemStats
	runtime.ReadMemStats(&s)
	return s.HeapAlloc
}

func kindOf(f examples.Firmware, b *board.Board) (*mote.Kind, error) {
	im, err := image.Parse(f.File(), f.ELF())
	if err != nil {
		return nil, err
	}
	return mote.NewKind(b, im, nil)
}

func worldOf(k *mote.Kind, n int) (*world.World, error) {
	cfg := &world.Config{}
	for i := range n {
		cfg.Motes = append(cfg.Motes, world.MoteConfig{Kind: k, ID: uint16(i)})
	}
	return world.New(cfg, world.Natural{})
}

func writeELF(f examples.Firmware) (string, error) {
	t, err := os.CreateTemp("", "*.elf")
	if err != nil {
		return "", err
	}
	defer t.Close()
	_, err = t.Write(f.ELF())
	return t.Name(), err
}

// cpuTime is the processor time that this process has used.
func cpuTime() time.Duration {
	var r syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &r); err != nil {
		panic("BUG: getrusage: " + err.Error())
	}
	return time.Duration(r.Utime.Nano() + r.Stime.Nano())
}

func median(v []float64) float64 {
	sort.Float64s(v)
	return v[len(v)/2]
}
