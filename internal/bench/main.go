// Command bench measures speed as ratios against a peer in the same run, and what snapshots and motes cost. It prints
// each number beside what it must reach, and exits with 1 if one does not.
package main

import (
	"flag"
	"fmt"
	"os"
	"sort"

	"motehound/internal/motes"
	"motehound/mote"
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

// group is measurements that belong together.
type group struct {
	name    string
	measure func() ([]result, error)
}

var groups = []group{
	{"cpu", cpuBound},
	{"blink", blinking},
	{"networks", networks},
	{"thousand", thousand},
	{"snapshots", snapshots},
	{"memory", memory},
	{"mining", miningCost},
	{"hour", hours},
	{"flows", flows},
	{"checks", checks},
	{"calls", calls},
	{"verifying", verifying},
	{"explore", exploring},
	{"frames", frames},
	{"symbolic", symbolic},
	{"waiting", waiting},
	{"travelling", travelling},
	{"workbench", browsing},
	{"campaigns", campaigns},
}

var only = flag.String("only", "", "measure this group only")

func main() {
	flag.Parse()
	for _, alone := range []struct {
		asked bool
		run   func() error
	}{
		{*thousandFlag, runThousand},
		{*hourFlag != "", func() error { return mineAnHour(*hourFlag) }},
		{*symbolicFlag != "", func() error { return runSymbolic(*symbolicFlag) }},
		{*profileTo != "", func() error { return profile(*profileTo) }},
	} {
		if alone.asked {
			if err := alone.run(); err != nil {
				fmt.Fprintln(os.Stderr, "bench:", err)
				os.Exit(2)
			}
			return
		}
	}
	var results []result
	for _, g := range groups {
		if *only != "" && *only != g.name {
			continue
		}
		r, err := g.measure()
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

func worldOf(k *mote.Kind, n int) (*world.World, error) {
	return world.New(&world.Config{Motes: motes.Of(k, n)}, world.Natural{})
}

// slowdown is by how much worlds run longer when they are watched, up to a moment. Preparing that is not part of it.
func slowdown(make func() (*world.World, error), watch func(*world.World) error, until uint64) (float64, error) {
	var plain, watched []float64
	for range rounds {
		for _, watching := range []bool{false, true} {
			w, err := make()
			if err == nil && watching {
				err = watch(w)
			}
			if err != nil {
				return 0, err
			}
			before := motes.CPUTime()
			w.RunUntil(until)
			spent := (motes.CPUTime() - before).Seconds()
			if watching {
				watched = append(watched, spent)
			} else {
				plain = append(plain, spent)
			}
		}
	}
	return median(watched) / median(plain), nil
}

func median(v []float64) float64 {
	sort.Float64s(v)
	return v[len(v)/2]
}
