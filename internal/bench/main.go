// Command bench measures speed as ratios against a peer in the same run, and what snapshots and motes cost. It prints
// each number beside what it must reach, and exits with 1 if one does not.
package main

import (
	"flag"
	"fmt"
	"os"
	"sort"
	"syscall"
	"time"

	"motehound/examples"
	"motehound/firmware/image"
	"motehound/mote"
	"motehound/mote/board"
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
	{"symbolic", symbolic},
	{"waiting", waiting},
}

var only = flag.String("only", "", "measure this group only")

func main() {
	flag.Parse()
	if *thousandFlag {
		if err := runThousand(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(2)
		}
		return
	}
	if *hourFlag != "" {
		if err := mineAnHour(*hourFlag); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(2)
		}
		return
	}
	if *symbolicFlag != "" {
		if err := runSymbolic(*symbolicFlag); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(2)
		}
		return
	}
	if *profileTo != "" {
		if err := profile(*profileTo); err != nil {
			fmt.Fprintln(os.Stderr, "bench:", err)
			os.Exit(2)
		}
		return
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

func kindOf(f examples.Firmware, b *board.Board) (*mote.Kind, error) {
	im, err := image.Parse(f.File(), f.ELF())
	if err != nil {
		return nil, err
	}
	return mote.NewKind(b, im, nil)
}

func worldOf(k *mote.Kind, n int) (*world.World, error) {
	return world.New(&world.Config{Motes: motes(k, n)}, world.Natural{})
}

// motes is n motes of a kind, with ids from 0 on.
func motes(k *mote.Kind, n int) []world.MoteConfig {
	var list []world.MoteConfig
	for i := range n {
		list = append(list, world.MoteConfig{Kind: k, ID: uint16(i)})
	}
	return list
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
