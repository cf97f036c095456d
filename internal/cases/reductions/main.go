// Command reductions prints, as the paper's Figure 11 does, how a search grows with its depth, without reduction and with each of
// them, on two motes: transitions, different states, and processor time. docs/checking.md shows its table and its plot.
//
// The transitions of a search that keeps no states are counted, not made, where there are too many: all runs that come to one state
// with the same events asleep go on alike, so it is enough to explore one and multiply. Where a real search is made as well, both
// must give the same number, or the command fails.
package main

import (
	"flag"
	"fmt"
	"os"
	"syscall"
	"time"

	"motehound/study/check"
)

func main() {
	depth := flag.Int("depth", 13, "up to which depth")
	steady := flag.Int("steady", -1, "search from the state behind so many events at random; -1 for what is in the table of apps")
	seed := flag.Uint64("seed", 1, "of these events")
	app := flag.String("app", "", "only this one")
	most := flag.Float64("real", 200_000, "make a real search up to so many transitions")
	plot := flag.String("plot", "", "write a plot to this `file` (SVG)")
	flag.Parse()
	if err := run(*depth, *steady, *seed, *app, *most, *plot); err != nil {
		fmt.Fprintln(os.Stderr, "reductions:", err)
		os.Exit(2)
	}
}

// app is firmware that is searched, and from where: a steady state, in which both motes have their radio on.
type app struct {
	name   string
	steady int
	paper  float64 // by how much the paper's reduction speeds up at depth 13
}

var apps = []app{{"readings", 400, 449}, {"counter", 400, 138}}

var reductions = []check.Reduction{check.None, check.Static, check.Dynamic}

func run(depth, steady int, seed uint64, only string, most float64, plot string) error {
	var curves []curve
	for _, a := range apps {
		if only != "" && only != a.name {
			continue
		}
		for _, events := range []int{0, a.steady} {
			if steady >= 0 {
				events = steady
			}
			list, err := a.table(depth, events, seed, most)
			if err != nil {
				return err
			}
			if events > 0 {
				curves = append(curves, list...)
			}
			if steady >= 0 {
				break
			}
		}
	}
	if plot == "" {
		return nil
	}
	return os.WriteFile(plot, []byte(draw(curves, depth)), 0o644)
}

// table prints what is found from one state.
func (a app) table(depth, events int, seed uint64, most float64) ([]curve, error) {
	base, err := network(a.name, 2)
	if err != nil {
		return nil, err
	}
	if err := walk(base, events, seed); err != nil {
		return nil, err
	}
	where := "from boot"
	if events > 0 {
		where = fmt.Sprintf("after %d events (seed %d)", events, seed)
	}
	fmt.Printf("\n%s, two motes, %s: %d events are enabled.\n\n", a.name, where, len(base.Enabled(nil)))
	fmt.Println("| depth | states | transitions: none | static | dynamic | none / static | none / dynamic | CPU: none | static | dynamic |")
	fmt.Println("|---|---|---|---|---|---|---|---|---|---|")
	var counts [3][]level
	for i, r := range reductions {
		if counts[i], err = count(base, r, depth); err != nil {
			return nil, err
		}
	}
	for d := 1; d <= depth; d++ {
		n := [3]float64{counts[0][d-1].transitions, counts[1][d-1].transitions, counts[2][d-1].transitions}
		fmt.Printf("| %d | %d | %.0f | %.0f | %.0f | %.1f | %.1f |", d, counts[0][d-1].states, n[0], n[1], n[2], n[0]/n[1], n[0]/n[2])
		for i, r := range reductions {
			if n[i] > most {
				fmt.Print(" - |")
				continue
			}
			took, err := search(base, r, d, n[i])
			if err != nil {
				return nil, err
			}
			fmt.Printf(" %.2f s |", took.Seconds())
		}
		fmt.Println()
	}
	last := depth - 1
	if depth == 13 {
		fmt.Printf("\nAt depth 13 the dynamic reduction leaves 1/%.0f of the transitions; the paper's, 1/%.0f of the time.\n",
			counts[0][last].transitions/counts[2][last].transitions, a.paper)
	}
	var curves []curve
	for i, r := range reductions {
		c := curve{name: a.name + ", " + r.String()}
		for _, l := range counts[i] {
			c.points = append(c.points, l.transitions)
		}
		curves = append(curves, c)
	}
	return curves, nil
}

// search makes the search that was counted, and gives its processor time.
func search(base check.System, r check.Reduction, depth int, want float64) (time.Duration, error) {
	m := new(check.Meter)
	before := cpuTime()
	if _, err := check.Search(base, check.SearchOptions{Depth: depth, Stateless: true, Reduce: r, Meter: m, Threads: 1}); err != nil {
		return 0, err
	}
	took := cpuTime() - before
	if got := float64(m.Stats().Events); got != want {
		return 0, fmt.Errorf("reduction %v, depth %d: %.0f transitions were counted, but there are %.0f", r, depth, want, got)
	}
	return took, nil
}

func cpuTime() time.Duration {
	var r syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &r); err != nil {
		panic("BUG: getrusage: " + err.Error())
	}
	return time.Duration(r.Utime.Nano() + r.Stime.Nano())
}
