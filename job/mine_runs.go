package job

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"motehound/job/document"
	"motehound/mote"
	"motehound/mote/board"
	"motehound/mote/chip"
	"motehound/study/builds"
	"motehound/study/mining"
	"motehound/world"
	"motehound/world/recipe"
)

// MinedBuild is one firmware on its board, and what its runs gave. Counters are of blocks and losses of instructions, so builds are not
// compared with each other.
type MinedBuild struct {
	Name       string // unlike those of the others
	Collection mining.Collection
	Board      *board.Board
	Chip       *chip.Chip
	Task       func(id uint16) string // f.Files tasks
	kind       *mote.Kind
}

// intervals is how many there are.
func (m *Mined) intervals() (n int) {
	for _, b := range m.Builds {
		n += b.Collection.Len()
	}
	return n
}

// plannedRun is a run that is to be made, except for its seed.
type plannedRun struct {
	recipe *recipe.Recipe
	open   recipe.Opener
	values []document.MinedValue
}

// plans are the runs that the firmware files or scenarios and the values of --sweep ask for. What is wrong in one of them is said before
// any run.
func (f *Mine) plans(h Host) ([]plannedRun, error) {
	sweeps, err := parseSweeps(f.Sweeps)
	if err != nil {
		return nil, err
	}
	number := len(f.Files) * f.Runs
	for _, s := range sweeps {
		number *= len(s.values)
		if number > maxRuns {
			return nil, fmt.Errorf("--sweep and --runs ask for more than %d runs", maxRuns)
		}
	}
	var all []plannedRun
	with := f.World
	for _, name := range f.Files {
		said := h
		for _, values := range combinations(sweeps) {
			with.Params = slices.Clip(f.Params)
			for _, v := range values {
				if param, ok := strings.CutPrefix(v.Name, paramPrefix); ok {
					with.Params = append(with.Params, param+"="+v.Value)
				}
			}
			rec, w, _, err := with.Make(name, said)
			if err != nil {
				return nil, err
			}
			if err := set(rec, w, values); err != nil {
				return nil, err
			}
			if _, err := rec.World(OpenBeside(name)); err != nil {
				return nil, err
			}
			all = append(all, plannedRun{rec, OpenBeside(name), values})
			said = h.quiet() // the same notes once
		}
	}
	return all, nil
}

const (
	maxRuns     = 10_000
	paramPrefix = "param." // of what --sweep f.Files, if it is a scenario's parameter
)

// set puts the variables among some values into the motes: 1.NAME into mote 1, and NAME into each whose firmware has it.
func set(r *recipe.Recipe, w *world.World, values []document.MinedValue) error {
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
func combinations(sweeps []sweep) [][]document.MinedValue {
	all := [][]document.MinedValue{nil}
	for _, s := range sweeps {
		var more [][]document.MinedValue
		for _, values := range all {
			for _, v := range s.values {
				more = append(more, append(slices.Clip(values), document.MinedValue{Name: s.name, Value: v}))
			}
		}
		all = more
	}
	return all
}

// gatherAll makes the runs: those of each seed together.
func (f *Mine) gatherAll(ctx context.Context, plans []plannedRun, h Host) (*Mined, error) {
	m := new(Mined)
	for n := range f.Runs * len(plans) {
		if ctx.Err() != nil {
			return m, nil
		}
		if err := f.gather(ctx, plans, n, h, m); err != nil {
			return nil, err
		}
	}
	return m, nil
}

// begin makes the world of a run, and begins to watch it. Runs are numbered by their seeds first.
func (f *Mine) begin(plans []plannedRun, n int, h Host, m *Mined) (r recipe.Recipe, w *world.World, watched []watchedBuild, err error) {
	p := plans[n%len(plans)]
	r = *p.recipe
	r.Seed += uint64(n / len(plans))
	r.Motes = slices.Clone(r.Motes)
	if err = f.redraw(&r, h); err != nil {
		return r, nil, nil, err
	}
	if w, err = r.World(p.open); err != nil {
		return r, nil, nil, err
	}
	motes, err := ChosenMotes(w, f.Node)
	if err != nil {
		return r, nil, nil, err
	}
	watched, err = f.watch(w, builds.Of(w).Among(motes), r.Until, m)
	return r, w, watched, err
}

// gather makes one run and keeps its intervals, those of each build by themselves.
func (f *Mine) gather(ctx context.Context, plans []plannedRun, n int, h Host, m *Mined) error {
	r, w, watched, err := f.begin(plans, n, h, m)
	if err != nil {
		return err
	}
	drive(ctx, w, r.Until, 0, h.running(r.Until))
	run := document.MinedRun{Seed: r.Seed, Values: plans[n%len(plans)].values}
	for i, x := range watched {
		x.collector.Close()
		if i == 0 {
			run.Firmware = x.build.Name
		} else {
			run.Also = append(run.Also, x.build.Name)
		}
		if outside := x.collector.Outside(); len(outside) > 0 {
			run.Outside += len(outside)
			h.note("%s: %d instructions ran outside of all basic blocks, the first at %#x in %s: each is counted separately (see run --blocks)", x.build.Name,
				len(outside), outside[0].PC, outside[0].Function)
		}
	}
	r.Finish(w)
	run.Hash, run.TimeS = r.Hash, float64(w.Now())/world.Second
	m.Runs = append(m.Runs, run)
	return nil
}

// watchedBuild is a build in a run.
type watchedBuild struct {
	build     *MinedBuild
	collector *mining.Collector
}

// watch begins to gather the intervals of some builds in a world.
func (f *Mine) watch(w *world.World, of []*builds.Build, until uint64, m *Mined) (all []watchedBuild, err error) {
	if err := f.checkVectors(of); err != nil {
		return nil, err
	}
	for _, x := range of {
		vectors := f.vectorsOf(x)
		if f.Vectors != nil && vectors == nil {
			continue // its chip has none of them
		}
		b, err := m.build(x)
		if err != nil {
			return nil, err
		}
		opt := mining.Options{Skip: f.skipped(until), Timeline: f.Page, Motes: x.Motes, Vectors: vectors, Losses: b.Collection.Losses}
		h, err := b.Collection.Firmware.Watch(w, len(m.Runs), opt, b.Collection.Keep)
		if err != nil {
			return nil, err
		}
		b.Task = h.Profile().TaskName
		all = append(all, watchedBuild{b, h})
	}
	return all, nil
}

// checkVectors refuses an interrupt that no chip of some builds has.
func (f *Mine) checkVectors(of []*builds.Build) error {
	for _, text := range f.Vectors {
		var first error
		for _, x := range of {
			_, err := VectorNumber(x.Kind.Board.Chip, "vector", text)
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

// vectorsOf are the interrupts of --vector that the chip of a build has, by its own f.Files and numbers; nil if there are none.
func (f *Mine) vectorsOf(x *builds.Build) (list []uint16) {
	for _, text := range f.Vectors {
		if v, err := x.Kind.Board.Chip.Vector(text); err == nil {
			list = append(list, uint16(v))
		}
	}
	return list
}

// skipped is how long after a mote's start intervals are left out, in picoseconds.
func (f *Mine) skipped(until uint64) uint64 {
	skip := f.Skip
	if skip < 0 {
		skip = min(2*time.Second, time.Duration(until/1000)/5)
	}
	return uint64(skip.Nanoseconds()) * 1000
}

// nameFor is a name for a build that no other has: where one file runs on several boards, with its board.
func (m *Mined) nameFor(x *builds.Build) string {
	name := x.Name()
	for _, more := range []string{" on " + x.Kind.Board.Name, fmt.Sprintf(" at %d Hz", x.Kind.Board.Hertz)} {
		if slices.ContainsFunc(m.Builds, func(b *MinedBuild) bool { return b.Name == name }) {
			name += more
		}
	}
	return name
}

// build finds what was mined of a build in the runs before.
func (m *Mined) build(x *builds.Build) (*MinedBuild, error) {
	for _, b := range m.Builds {
		if b.kind.SameBuild(x.Kind) {
			return b, nil
		}
	}
	b := &MinedBuild{Name: m.nameFor(x), kind: x.Kind, Board: x.Kind.Board, Chip: x.Kind.Board.Chip}
	var err error
	if b.Collection.Firmware, err = mining.NewFirmware(x.Kind); err != nil {
		return nil, err
	}
	b.Collection.Losses = mining.NewLossTracker(b.Collection.Firmware)
	m.Builds = append(m.Builds, b)
	return b, nil
}
