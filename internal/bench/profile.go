package main

import (
	"flag"
	"os"
	"runtime/pprof"

	"motehound/mote/board"
	"motehound/world"
)

var profileTo = flag.String("profile", "", "run what users run, and write a CPU profile for the compiler to this `file`")

// profiled is for how long each is simulated: with few samples, what is inlined is a matter of luck.
const profiled = 300 * world.Second

// profile runs what users run while the profiler looks on. The compiler inlines what is hot in it, and calls methods directly
// that are nearly always of one type.
func profile(file string) error {
	f, err := os.Create(file)
	if err != nil {
		return err
	}
	if err := pprof.StartCPUProfile(f); err != nil {
		return err
	}
	for _, b := range []*board.Board{&board.Mica2, &board.MicaZ} {
		for _, app := range []string{"counter", "collect"} {
			w, err := network(app, b, 16, "full")
			if err != nil {
				return err
			}
			w.RunUntil(profiled)
		}
	}
	for _, name := range []string{"cpu-sort", "cpu-crypt", "cpu-arith"} {
		w, err := alone(name)()
		if err != nil {
			return err
		}
		w.RunUntil(profiled)
	}
	if _, err := miningCost(); err != nil {
		return err
	}
	pprof.StopCPUProfile()
	return f.Close()
}
