package main

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"motehound/firmware/kernel"
	"motehound/mote"
	"motehound/mote/board"
	"motehound/mote/chip"
	"motehound/show/live"
	"motehound/show/report"
	"motehound/study/builds"
	"motehound/study/mining"
	"motehound/world"
	"motehound/world/recipe"
)

// minedBuild is one firmware on its board, and what its runs gave. Counters are of blocks and losses of instructions, so builds are not
// compared with each other.
type minedBuild struct {
	name    string
	crop    mining.Crop
	kind    *mote.Kind
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
		n += b.crop.Len()
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
			rec, w, _, err := f.world(name, said)
			if err != nil {
				return nil, err
			}
			if err := set(rec, w, values); err != nil {
				return nil, err
			}
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

// set puts the variables among some values into the motes: 1.NAME into mote 1, and NAME into each whose firmware has it.
func set(r *recipe.Recipe, w *world.World, values []report.MinedValue) error {
	network := builds.Of(w)
	for _, v := range values {
		if strings.HasPrefix(v.Name, paramPrefix) {
			continue
		}
		n, _ := strconv.ParseInt(v.Value, 0, 64) // as parseSweeps has
		motes, path, err := network.Variable(v.Name)
		if err != nil {
			return fmt.Errorf("--sweep %s: %w", v.Name, err)
		}
		for _, i := range motes {
			r.Motes[i].Vars = append(slices.Clip(r.Motes[i].Vars), recipe.Variable{Path: path, Value: n})
		}
	}
	return nil
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
			return nil, fmt.Errorf("--sweep %q: write a variable and its values, such as period=20,40,60, or a scenario's parameter, such as %speriod=20,40,60", text, paramPrefix)
		}
		if slices.ContainsFunc(all, func(s sweep) bool { return s.name == name }) {
			return nil, fmt.Errorf("--sweep %s is given twice; write all values in one", name)
		}
		s := sweep{name: name}
		for _, v := range strings.Split(list, ",") {
			v = strings.TrimSpace(v)
			if slices.Contains(s.values, v) {
				return nil, fmt.Errorf("--sweep %q: the value %s is given twice", text, v)
			}
			if _, err := strconv.ParseInt(v, 0, 64); err != nil && !strings.HasPrefix(name, paramPrefix) {
				return nil, fmt.Errorf("--sweep %q: the values of a variable are whole numbers, and %q is not", text, v)
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

// gather makes one run and keeps its intervals, those of each build by themselves.
func (f *mineFlags) gather(ctx context.Context, r *recipe.Recipe, p plannedRun, term *terminal, m *mined) error {
	w, err := r.World(p.open)
	if err != nil {
		return err
	}
	motes, err := chosenMotes(w, f.node)
	if err != nil {
		return err
	}
	watched, err := f.watch(w, builds.Of(w).Among(motes), r.Until, m)
	if err != nil {
		return err
	}
	session := &live.Session{World: w, Progress: term.progress(time.Now(), r.Until)}
	if err := session.Run(ctx, r.Until); err != nil {
		return err
	}
	run := report.MinedRun{Seed: r.Seed, Values: p.values}
	for i, x := range watched {
		x.harvester.Close()
		if i == 0 {
			run.Firmware = x.build.name
		} else {
			run.Also = append(run.Also, x.build.name)
		}
		if outside := x.harvester.Outside(); len(outside) > 0 {
			run.Outside += len(outside)
			term.note("%s: %d instructions ran outside of all basic blocks, the first at %#x in %s: each is counted separately (see run --blocks)", x.build.name,
				len(outside), outside[0].PC, outside[0].Function)
		}
	}
	r.Finish(w)
	run.Hash, run.TimeS = r.Hash, float64(w.Now())/world.Second
	m.runs = append(m.runs, run)
	return nil
}

// watchedBuild is a build in a run.
type watchedBuild struct {
	build     *minedBuild
	harvester *mining.Harvester
}

// watch begins to gather the intervals of some builds in a world.
func (f *mineFlags) watch(w *world.World, of []*builds.Build, until uint64, m *mined) (all []watchedBuild, err error) {
	if err := f.checkVectors(of); err != nil {
		return nil, err
	}
	for _, x := range of {
		vectors := f.vectorsOf(x)
		if f.vectors != nil && vectors == nil {
			continue // its chip has none of them
		}
		b, err := m.build(x)
		if err != nil {
			return nil, err
		}
		opt := mining.Options{Skip: f.skipped(until), Timeline: f.html != "", Motes: x.Motes, Vectors: vectors, Ledger: b.crop.Ledger}
		h, err := b.crop.Field.Watch(w, len(m.runs), opt, b.crop.Keep)
		if err != nil {
			return nil, err
		}
		b.profile = h.Profile()
		all = append(all, watchedBuild{b, h})
	}
	return all, nil
}

// checkVectors refuses an interrupt that no chip of some builds has.
func (f *mineFlags) checkVectors(of []*builds.Build) error {
	for _, text := range f.vectors {
		var first error
		for _, x := range of {
			_, err := vectorNumber(x.Kind.Board.Chip, "vector", text)
			if err == nil {
				first = nil
				break
			}
			first = cmp.Or(first, err)
		}
		if first != nil {
			return first
		}
	}
	return nil
}

// vectorsOf are the interrupts of --vector that the chip of a build has, by its own names and numbers; nil if there are none.
func (f *mineFlags) vectorsOf(x *builds.Build) (list []uint16) {
	for _, text := range f.vectors {
		if v, err := x.Kind.Board.Chip.Vector(text); err == nil {
			list = append(list, uint16(v))
		}
	}
	return list
}

// skipped is how long after a mote's start intervals are left out, in picoseconds.
func (f *mineFlags) skipped(until uint64) uint64 {
	skip := f.skip
	if skip < 0 {
		skip = min(2*time.Second, time.Duration(until/1000)/5)
	}
	return uint64(skip.Nanoseconds()) * 1000
}

// nameFor is a name for a build that no other has: where one file runs on several boards, with its board.
func (m *mined) nameFor(x *builds.Build) string {
	name := x.Name()
	for _, more := range []string{" on " + x.Kind.Board.Name, fmt.Sprintf(" at %d Hz", x.Kind.Board.Hertz)} {
		if slices.ContainsFunc(m.builds, func(b *minedBuild) bool { return b.name == name }) {
			name += more
		}
	}
	return name
}

// build finds what was mined of a build in the runs before.
func (m *mined) build(x *builds.Build) (*minedBuild, error) {
	for _, b := range m.builds {
		if b.kind.SameBuild(x.Kind) {
			return b, nil
		}
	}
	b := &minedBuild{name: m.nameFor(x), kind: x.Kind, board: x.Kind.Board, chip: x.Kind.Board.Chip}
	var err error
	if b.crop.Field, err = mining.NewField(x.Kind); err != nil {
		return nil, err
	}
	b.crop.Ledger = mining.NewLedger(b.crop.Field)
	m.builds = append(m.builds, b)
	return b, nil
}
