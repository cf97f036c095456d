// Command reductions prints, as the paper's Figure 11 does, how a search grows with its depth, without reduction and with each of
// them, on two motes: transitions, different states, and processor time. docs/checking.md shows its table and its plot.
//
// The transitions of a search without reduction are counted where there are too many to make them: of the runs that the static reduction
// leaves it is known in how many orders their events can come. Where a real search is made as well, both must give the same number,
// or the command fails. So it does if two searches do not see equally many states.
package main

import (
	"flag"
	"fmt"
	"os"
	"time"

	"motehound/internal/motes"
	"motehound/study/check"
)

func main() {
	depth := flag.Int("depth", 13, "up to which depth")
	steady := flag.Int("steady", -1, "search from the state behind so many events at random; -1 for what is in the table of apps")
	seed := flag.Uint64("seed", 1, "of these events")
	app := flag.String("app", "", "only this one")
	most := flag.Float64("real", 300_000, "make a real search up to so many transitions")
	starts := flag.Bool("starts", false, "only the factors at the greatest depth, from several states")
	plot := flag.String("plot", "", "write a plot to this `file` (SVG)")
	flag.Parse()
	work := func() error { return run(*depth, *steady, *seed, *app, *most, *plot) }
	if *starts {
		work = func() error { return factors(*depth, *seed, *app) }
	}
	if err := work(); err != nil {
		fmt.Fprintln(os.Stderr, "reductions:", err)
		os.Exit(2)
	}
}

// app is firmware that is searched, and from where: a steady state, in which both motes have their radio on. The factor depends on that
// state: the more events are enabled there, the more orders there are. See -starts.
type app struct {
	name   string
	steady int
	paper  float64 // by how much the paper's reduction speeds up at depth 13
}

var apps = []app{{"readings", 2300, 449}, {"counter", 400, 138}}

var reductions = []check.Reduction{check.None, check.Static, check.Dynamic}

func run(depth, steady int, seed uint64, only string, most float64, plot string) error {
	var curves []curve
	for _, a := range apps {
		if only != "" && only != a.name {
			continue
		}
		events := a.steady
		if steady >= 0 {
			events = steady
		}
		list, err := a.table(depth, events, seed, most)
		if err != nil {
			return err
		}
		curves = append(curves, list...)
	}
	if err := interrupted(steady, seed, only, 8); err != nil || plot == "" {
		return err
	}
	return os.WriteFile(plot, []byte(draw(curves, depth)), 0o644)
}

// table prints what is found from one state.
func (a app) table(depth, events int, seed uint64, most float64) ([]curve, error) {
	base, err := network(a.name, 2, 0)
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
	none, static, dynamic, err := grown(base, depth)
	if err != nil {
		return nil, err
	}
	counts := [3][]float64{none, static.transitions, dynamic.transitions}
	for d := range depth {
		n := [3]float64{counts[0][d], counts[1][d], counts[2][d]}
		fmt.Printf("| %d | %d | %.0f | %.0f | %.0f | %.1f | %.1f |", d+1, dynamic.states[d], n[0], n[1], n[2], n[0]/n[1], n[0]/n[2])
		for i, r := range reductions {
			if n[i] > most {
				fmt.Print(" - |")
				continue
			}
			took, err := search(base, r, d+1, n[i])
			if err != nil {
				return nil, err
			}
			fmt.Printf(" %.2f s |", took.Seconds())
		}
		fmt.Println()
	}
	if depth == 13 {
		fmt.Printf("\nAt depth 13 the dynamic reduction leaves 1/%.0f of the transitions; the paper's, 1/%.0f of the time.\n",
			counts[0][12]/counts[2][12], a.paper)
	}
	var curves []curve
	for i, r := range reductions {
		c := curve{name: a.name + ", " + r.String()}
		c.points = counts[i]
		curves = append(curves, c)
	}
	return curves, nil
}

// interrupted prints what interrupts in the middle of code cost a search that keeps states, as motehound check does.
func interrupted(steady int, seed uint64, only string, deepest int) error {
	fmt.Println("\nTransitions of a search that keeps states, dynamic reduction, with interrupts in the middle of code:")
	fmt.Println("\n| app | depth | `--preempt` 0 | 1 | 2 | 2 / 0 | CPU: 0 | 2 |\n|---|---|---|---|---|---|---|---|")
	for _, a := range apps {
		if only != "" && only != a.name {
			continue
		}
		events := a.steady
		if steady >= 0 {
			events = steady
		}
		for depth := 1; depth <= deepest; depth++ {
			var n [3]uint64
			var took [3]time.Duration
			for preempt := range n {
				base, err := network(a.name, 2, preempt)
				if err != nil {
					return err
				}
				if err := walk(base, events, seed); err != nil {
					return err
				}
				m, before := new(check.Meter), motes.CPUTime()
				if _, err := check.Search(base, check.SearchOptions{Depth: depth, Reduce: check.Dynamic, Meter: m, Threads: 1}); err != nil {
					return err
				}
				n[preempt], took[preempt] = m.Stats().Events, motes.CPUTime()-before
			}
			fmt.Printf("| %s | %d | %d | %d | %d | %.1f | %.2f s | %.2f s |\n", a.name, depth, n[0], n[1], n[2], float64(n[2])/float64(n[0]), took[0].Seconds(), took[2].Seconds())
		}
	}
	return nil
}

// grown tells how searches grow without reduction, and with each.
func grown(base check.System, depth int) (none []float64, static, dynamic *growth, err error) {
	mine, other := base.Clone(), base.Clone()
	failed := make(chan error, 1)
	go func() {
		defer other.Release()
		var err error
		none, err = countTransitions(other, depth)
		failed <- err
	}()
	if static, err = grow(mine, check.Static, depth); err == nil {
		dynamic, err = grow(mine, check.Dynamic, depth)
	}
	mine.Release()
	if e := <-failed; err == nil {
		err = e
	}
	if err == nil {
		for d := range depth {
			if static.states[d] != dynamic.states[d] {
				err = fmt.Errorf("depth %d: one reduction sees %d states, the other %d", d+1, static.states[d], dynamic.states[d])
			}
		}
	}
	return none, static, dynamic, err
}

// factors prints what the dynamic reduction leaves, from several states.
func factors(depth int, seed uint64, only string) error {
	fmt.Printf("| app | events before | enabled | transitions to depth %d: none | dynamic | none / dynamic |\n|---|---|---|---|---|---|\n", depth)
	for _, a := range apps {
		if only != "" && only != a.name {
			continue
		}
		for events := 100; events <= 2500; events += 200 {
			base, err := network(a.name, 2, 0)
			if err != nil {
				return err
			}
			if err := walk(base, events, seed); err != nil {
				return err
			}
			none, _, dynamic, err := grown(base, depth)
			if err != nil {
				return err
			}
			n, r := none[depth-1], dynamic.transitions[depth-1]
			fmt.Printf("| %s | %d | %d | %.0f | %.0f | %.1f |\n", a.name, events, len(base.Enabled(nil)), n, r, n/r)
		}
	}
	return nil
}

// search makes the search that was counted, and gives its processor time.
func search(base check.System, r check.Reduction, depth int, want float64) (time.Duration, error) {
	m := new(check.Meter)
	before := motes.CPUTime()
	if _, err := check.Search(base, check.SearchOptions{Depth: depth, Stateless: true, Reduce: r, Meter: m, Threads: 1}); err != nil {
		return 0, err
	}
	took := motes.CPUTime() - before
	if got := float64(m.Stats().Events); got != want {
		return 0, fmt.Errorf("reduction %v, depth %d: %.0f transitions were counted, but there are %.0f", r, depth, want, got)
	}
	return took, nil
}
