package main

import (
	"fmt"
	"math"
	"os"

	"motehound/examples"
	"motehound/internal/motes"
	"motehound/internal/peer/simavr"
	"motehound/mote/board"
	"motehound/mote/mcu"
	"motehound/world"
)

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
		k, err := motes.Kind(name, &board.MicaZ)
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
			before := motes.CPUTime()
			w.RunUntil(60 * world.Second)
			ours = append(ours, (motes.CPUTime() - before).Seconds())
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
	k, err := motes.Kind("blink", &board.MicaZ)
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
		before := motes.CPUTime()
		w.RunUntil(virtual * world.Second)
		ratios = append(ratios, virtual/(motes.CPUTime()-before).Seconds())
	}
	return []result{{"blink on micaz: virtual time / CPU time", median(ratios), "times", "at least", 5000}}, nil
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
