package main

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"motehound/firmware/kernel"
	"motehound/mote/board"
	"motehound/mote/chip"
	"motehound/show/live"
	"motehound/show/report"
	"motehound/study/harvest"
	"motehound/world"
	"motehound/world/recipe"
)

// minedBuild is one firmware, and what its runs gave. Counters are of blocks and losses of instructions, so builds are not compared with
// each other.
type minedBuild struct {
	name    string
	crop    harvest.Crop
	board   *board.Board
	chip    *chip.Chip
	profile *kernel.Profile
}

// mined is what the runs gave.
type mined struct {
	builds []*minedBuild // in order of appearance
	runs   []report.MinedRun
}

// intervals is how many there are.
func (m *mined) intervals() (n int) {
	for _, b := range m.builds {
		n += len(b.crop.Intervals)
	}
	return n
}

// plannedRun is a run that is to be made, but for its seed.
type plannedRun struct {
	recipe *recipe.Recipe
	open   recipe.Opener
	values []report.MinedValue
}

// plans are the runs that the firmware files or scenarios and the values of --sweep ask for. What is wrong in one of them is said before
// any run.
func (f *mineFlags) plans(names []string, term *terminal) ([]plannedRun, error) {
	sweeps, err := parseSweeps(f.sweeps)
	if err != nil {
		return nil, err
	}
	number := len(names) * f.runs
	for _, s := range sweeps {
		number *= len(s.values)
		if number > maxRuns {
			return nil, fmt.Errorf("--sweep and --runs ask for more than %d runs", maxRuns)
		}
	}
	var all []plannedRun
	given := f.params
	defer func() { f.params = given }()
	for _, name := range names {
		said := term
		for _, values := range combinations(sweeps) {
			f.params = slices.Clip(given)
			for _, v := range values {
				if param, ok := strings.CutPrefix(v.Name, paramPrefix); ok {
					f.params = append(f.params, param+"="+v.Value)
				}
			}
			rec, _, _, err := f.world(name, said)
			if err != nil {
				return nil, err
			}
			set(rec, values)
			if _, err := rec.World(openBeside(name)); err != nil {
				return nil, err
			}
			all = append(all, plannedRun{rec, openBeside(name), values})
			said = newTerminal(f.json, true, nil) // the same notes once
		}
	}
	return all, nil
}

const (
	maxRuns     = 10_000
	paramPrefix = "param." // of what --sweep names, if it is a scenario's parameter
)

// set puts the variables among some values into all motes.
func set(r *recipe.Recipe, values []report.MinedValue) {
	for _, v := range values {
		if strings.HasPrefix(v.Name, paramPrefix) {
			continue
		}
		n, _ := strconv.ParseInt(v.Value, 0, 64) // as parseSweeps has
		for i := range r.Motes {
			r.Motes[i].Vars = append(slices.Clip(r.Motes[i].Vars), recipe.Variable{Path: v.Name, Value: n})
		}
	}
}

// sweep is the values that something gets, one after the other.
type sweep struct {
	name   string
	values []string
}

// parseSweeps reads NAME=V1,V2,... for each of some variables and parameters.
func parseSweeps(texts []string) (all []sweep, err error) {
	for _, text := range texts {
		name, list, ok := strings.Cut(text, "=")
		if !ok || name == "" || name == paramPrefix {
			return nil, fmt.Errorf("--sweep %q: write a variable and its values, as period=20,40,60, or a scenario's parameter, as %speriod=20,40,60", text, paramPrefix)
		}
		if slices.ContainsFunc(all, func(s sweep) bool { return s.name == name }) {
			return nil, fmt.Errorf("--sweep %s: it is given twice; write all its values behind one", name)
		}
		s := sweep{name: name}
		for _, v := range strings.Split(list, ",") {
			v = strings.TrimSpace(v)
			if slices.Contains(s.values, v) {
				return nil, fmt.Errorf("--sweep %q: the value %s is there twice", text, v)
			}
			if _, err := strconv.ParseInt(v, 0, 64); err != nil && !strings.HasPrefix(name, paramPrefix) {
				return nil, fmt.Errorf("--sweep %q: a variable's values are whole numbers, which %q is not", text, v)
			}
			s.values = append(s.values, v)
		}
		all = append(all, s)
	}
	return all, nil
}

// combinations are all ways to choose a value of each sweep, the last one's values changing first. Without sweeps there is one.
func combinations(sweeps []sweep) [][]report.MinedValue {
	all := [][]report.MinedValue{nil}
	for _, s := range sweeps {
		var more [][]report.MinedValue
		for _, values := range all {
			for _, v := range s.values {
				more = append(more, append(slices.Clip(values), report.MinedValue{Name: s.name, Value: v}))
			}
		}
		all = more
	}
	return all
}

// gatherAll makes the runs: those of each seed together.
func (f *mineFlags) gatherAll(ctx context.Context, plans []plannedRun, term *terminal) (*mined, error) {
	m := new(mined)
	for n := range f.runs {
		for _, p := range plans {
			if ctx.Err() != nil {
				return m, nil
			}
			r := *p.recipe
			r.Seed += uint64(n)
			r.Motes = slices.Clone(r.Motes)
			if err := f.gather(ctx, &r, p, term, m); err != nil {
				return nil, err
			}
		}
	}
	return m, nil
}

// gather makes one run and keeps its intervals.
func (f *mineFlags) gather(ctx context.Context, r *recipe.Recipe, p plannedRun, term *terminal, m *mined) error {
	w, err := r.World(p.open)
	if err != nil {
		return err
	}
	opt, i, err := f.options(w, r.Until)
	if err != nil {
		return err
	}
	b, err := m.build(w, i, r.Motes[i].Firmware)
	if err != nil {
		return err
	}
	opt.Ledger = b.crop.Ledger
	for _, text := range f.vectors {
		v, err := b.chip.Vector(text)
		if err != nil {
			return fmt.Errorf("--vector: %w", err)
		}
		opt.Vectors = append(opt.Vectors, uint16(v))
	}
	h, err := b.crop.Field.Watch(w, len(m.runs), opt, b.crop.Keep)
	if err != nil {
		return err
	}
	b.profile = h.Profile()
	session := &live.Session{World: w, Progress: term.progress(time.Now(), r.Until)}
	if err := session.Run(ctx, r.Until); err != nil {
		return err
	}
	h.Close()
	run := report.MinedRun{Firmware: b.name, Seed: r.Seed, Values: p.values}
	if outside := h.Outside(); len(outside) > 0 {
		run.Outside = len(outside)
		term.note("%d instructions ran outside of every basic block, the first at %#x in %s: each is counted by itself (see run --blocks)", len(outside),
			outside[0].PC, outside[0].Function)
	}
	r.Finish(w)
	run.Hash, run.TimeS = r.Hash, float64(w.Now())/world.Second
	m.runs = append(m.runs, run)
	return nil
}

// options are what to gather in a world, and the index of the mote whose firmware is mined: that of --node, or else the first.
func (f *mineFlags) options(w *world.World, until uint64) (opt harvest.Options, of int, err error) {
	skip := f.skip
	if skip < 0 {
		skip = min(2*time.Second, time.Duration(until/1000)/5)
	}
	opt = harvest.Options{Skip: uint64(skip.Nanoseconds()) * 1000, Timeline: f.html != ""}
	if f.node == "all" {
		return opt, 0, nil
	}
	var id int
	if _, err := fmt.Sscan(f.node, &id); err != nil {
		return opt, 0, fmt.Errorf("--node %q: give a node id, or all", f.node)
	}
	if of, err = findMote(w, id); err != nil {
		return opt, 0, fmt.Errorf("--node: %w", err)
	}
	opt.Motes = []int{of}
	return opt, of, nil
}

// build finds the build that a mote runs, by what is in the file.
func (m *mined) build(w *world.World, i int, name string) (*minedBuild, error) {
	kind := w.Motes()[i].Kind
	for _, b := range m.builds {
		if b.crop.Field.Image.Hash == kind.Image.Hash && b.board.Name == kind.Board.Name && b.board.Hertz == kind.Board.Hertz {
			return b, nil
		}
	}
	b := &minedBuild{name: name, board: kind.Board, chip: w.Motes()[i].Chip()}
	var err error
	if b.crop.Field, err = harvest.NewField(kind); err != nil {
		return nil, err
	}
	b.crop.Ledger = harvest.NewLedger(b.crop.Field)
	m.builds = append(m.builds, b)
	return b, nil
}
