// Command guided compares walks that learn from each other with walks that do not: how many events it takes until something is found, for
// several seeds. It is given scenarios, or names of T-Check's bugs among the examples. Run it from the root of the module.
package main

import (
	"cmp"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"motehound/internal/cases"
	"motehound/study/check"
	"motehound/study/explore"
	"motehound/study/property"
	"motehound/world/scenario"
)

func main() {
	seeds := flag.Uint64("seeds", 10, "how many seeds")
	first := flag.Uint64("first", 1, "the first seed")
	total := flag.Uint64("total", 1_500_000, "events of a run in which nothing is found")
	motes := flag.Int("motes", 2, "motes of an example")
	which := flag.String("walks", "both", "guided, unguided or both")
	mode := flag.String("mode", "walk", "walk or both (search, then walk), as in motehound check")
	cause := flag.String("cause", "", "only findings whose text contains this count")
	curve := flag.Bool("curve", false, "print how much is seen after how many events, instead")
	plot := flag.String("plot", "", "draw that, too: the SVG `file`")
	flag.Parse()
	if *curve {
		if err := curves(flag.Args(), *motes, *seeds, *total, *plot); err != nil {
			fmt.Fprintln(os.Stderr, "guided:", err)
			os.Exit(2)
		}
		return
	}
	for _, name := range flag.Args() {
		if err := compare(name, *motes, *first, *seeds, *total, *which, check.Mode(*mode), *cause); err != nil {
			fmt.Fprintln(os.Stderr, "guided:", err)
			os.Exit(2)
		}
	}
}

// compare prints a line for each way to walk.
func compare(name string, motes int, first, seeds, total uint64, which string, mode check.Mode, cause string) error {
	base, err := system(name, motes)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	for _, guided := range []bool{true, false} {
		if which == "guided" && !guided || which == "unguided" && guided {
			continue
		}
		var all []uint64
		var what []string
		found, began, fired := 0, time.Now(), uint64(0)
		for seed := first; seed < first+seeds; seed++ {
			n, text, err := run(base, guided, seed, total, mode, cause)
			if err != nil {
				return err
			}
			fired += n
			if text == "" {
				n = total
			} else {
				found++
				what = append(what, text)
			}
			all = append(all, n)
		}
		slices.Sort(what)
		fmt.Printf("%-16s guided=%-5t found %d of %d, median %8d  %v  %.0f/s %s\n", label(name), guided, found, seeds, median(all), all,
			float64(fired)/time.Since(began).Seconds(), strings.Join(slices.Compact(what), "; "))
	}
	return nil
}

// label is the name of a scenario without its folder.
func label(name string) string { return strings.TrimSuffix(filepath.Base(name), ".star") }

func median(list []uint64) uint64 {
	list = slices.Clone(list)
	slices.Sort(list)
	return list[len(list)/2]
}

// run walks until something is found, and returns after how many events that was, and what it is.
func run(base check.System, guided bool, seed, total uint64, mode check.Mode, cause string) (uint64, string, error) {
	o := cases.Defaults()
	o.Mode, o.Seed, o.Meter = mode, seed, new(check.Meter)
	o.Walk.Total, o.Walk.Unguided, o.Walk.First = total, !guided, cause == ""
	text, at := "", uint64(0)
	o.Found = func(f *check.Finding) {
		if tell := f.Tell(base); text == "" && strings.Contains(tell, cause) {
			text, at = tell, o.Meter.Stats().Events
			if f.Strain == 0 {
				text = "NATURAL " + text
			}
		}
	}
	o.Stop = func() bool { return text != "" || o.Meter.Stats().Events > total }
	r, err := check.Run(base, o)
	if err != nil {
		return 0, "", err
	}
	if n := strings.Index(text, ": "); n >= 0 {
		text, _, _ = strings.Cut(text, " on mote")
	}
	return cmp.Or(at, r.Stats.Events), text, nil
}

// system makes what is named ready to be explored.
func system(name string, motes int) (check.System, error) {
	for _, b := range cases.Bugs {
		if b.Name == name {
			s, err := cases.System(os.DirFS("examples"), b.File, cases.Network{Board: "micaz", Build: b.Build, Motes: motes, AnyOrder: true})
			if err != nil {
				return nil, err
			}
			return s.Clone(), nil
		}
	}
	s, err := scenario.Load(name, scenario.Options{})
	if err != nil {
		return nil, err
	}
	r, err := s.Recipe()
	if err != nil {
		return nil, err
	}
	w, err := s.World(r, os.ReadFile)
	if err != nil {
		return nil, err
	}
	plan, err := property.Prepare(w.Config(), s, property.Options{Explore: true})
	if err != nil {
		return nil, err
	}
	x, err := explore.New(w.Config(), explore.Options{Plan: plan, Preempt: explore.UsualPreempt})
	if err != nil {
		return nil, err
	}
	return x.Clone(), nil
}
