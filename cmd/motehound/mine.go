package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"motehound/firmware/kernel"
	"motehound/mote/chip"
	"motehound/show/export"
	"motehound/show/live"
	"motehound/show/report"
	"motehound/study/harvest"
	"motehound/study/symptom"
	"motehound/world"
	"motehound/world/disk"
	"motehound/world/recipe"
)

// mineFlags are the flags of mine.
type mineFlags struct {
	worldFlags
	field    fieldFlags
	node     string
	vectors  []string
	tasks    []string
	pool     string
	detector string
	top      int
	runs     int
	skip     time.Duration
	sweep    string
	csv      string
	parquet  string
	html     string
	json     bool
	quiet    bool
}

func mineCommand() *cobra.Command {
	var f mineFlags
	cmd := &cobra.Command{
		Use:   "mine [flags] FIRMWARE|SCENARIO",
		Short: "Rank the event-handling intervals that look wrong, and say why",
		Long: `Runs a firmware, cuts the run into event-handling intervals (from an interrupt to the end of the last task that it caused),
counts what was executed during each, and ranks those of an interrupt by how unlike the others they are: Sentomist's symptom
mining. Some interval is always the most unusual one. One stands out if data was lost in it: a value in a static variable was
overwritten, passed over or forgotten, although such values are usually read. Exit status: 0 nothing stands out, 1 something
does.

Detectors: ` + list(symptom.All(), func(d symptom.Detector) string { return d.Name() + " (" + d.About() + ")" }),
		Args: exactlyOne("firmware file", "example:sense"),
		RunE: func(cmd *cobra.Command, args []string) error { return f.mine(cmd.Context(), args[0]) },
	}
	fl := cmd.Flags()
	fl.SortFlags = false
	f.worldFlags.register(fl)
	f.field.register(fl)
	fl.StringVar(&f.node, "node", "all", "mine the mote with this `id`, or all")
	fl.StringArrayVar(&f.vectors, "vector", nil, "the `interrupt`, by name or by the datasheet's number (repeatable; default all that occur)")
	fl.StringArrayVar(&f.tasks, "task", nil, "rank only intervals with a task of this `name` (* matches any text; repeatable)")
	fl.StringVar(&f.pool, "pool", poolAll, "compare the intervals of all motes, or each mote's own (`all|mote`)")
	fl.StringVar(&f.detector, "detector", symptom.Default().Name(), "how to tell the unusual from the usual")
	fl.IntVar(&f.top, "top", 10, "how many intervals to show of each interrupt; with --json 0 shows all")
	fl.IntVar(&f.runs, "runs", 1, "mine several runs together, with the seeds from --seed on")
	fl.StringVar(&f.sweep, "sweep", "", "make the runs for each value of a variable, set when main is reached (`NAME=V1,V2,...`)")
	fl.DurationVar(&f.skip, "skip", -1, "leave out what began within this time of a mote's start, which is unlike all else (default 2s, at most a fifth of --time)")
	fl.StringVar(&f.csv, "csv", "", "write all intervals with their counters into this `file`")
	fl.StringVar(&f.parquet, "parquet", "", "the same as a Parquet `file`")
	fl.StringVar(&f.html, "html", "", "write a report for the browser into this `file`: ranking, scatter, timelines, source with heat")
	fl.BoolVar(&f.json, "json", false, "print the rankings as JSON (docs/json.md)")
	fl.BoolVar(&f.quiet, "quiet", false, "no notes and no progress")
	return cmd
}

// mined is what the runs gave.
type mined struct {
	crop    harvest.Crop
	world   *world.World // the last one
	chip    *chip.Chip
	runs    []report.MinedRun
	profile *kernel.Profile
}

func (f *mineFlags) mine(ctx context.Context, firmware string) error {
	detector, err := symptom.Find(f.detector)
	if err != nil {
		return fmt.Errorf("--detector: %w", err)
	}
	if f.runs < 1 || f.runs > 10_000 {
		return fmt.Errorf("--runs %d: give 1 to 10000", f.runs)
	}
	if f.pool != poolAll && f.pool != poolMote {
		return fmt.Errorf("--pool %q: choose %s or %s", f.pool, poolAll, poolMote)
	}
	for _, pattern := range f.tasks {
		if _, err := path.Match(pattern, ""); err != nil {
			return fmt.Errorf("--task %q: %w", pattern, err)
		}
	}
	variable, values, err := parseSweep(f.sweep)
	if err != nil {
		return err
	}
	term := newTerminal(f.json, f.quiet, nil)
	if f.field.trace != "" {
		return f.mineTrace(firmware, detector, term)
	}
	rec, _, _, err := f.world(firmware, term)
	if err != nil {
		return err
	}
	var m mined
	for n := range f.runs * len(values) {
		if ctx.Err() != nil {
			break
		}
		r := *rec
		r.Seed = rec.Seed + uint64(n/len(values))
		r.Motes = append([]recipe.Mote(nil), rec.Motes...)
		run := report.MinedRun{Seed: r.Seed}
		if variable != "" {
			value := values[n%len(values)]
			run.Variable, run.Value = variable, &value
			for i := range r.Motes {
				r.Motes[i].Vars = append(append([]recipe.Variable(nil), r.Motes[i].Vars...), recipe.Variable{Path: variable, Value: value})
			}
		}
		if err := f.gather(ctx, &r, run, term, &m); err != nil {
			return err
		}
	}
	term.clear()
	if err := f.filter(&m); err != nil {
		return err
	}
	vectors, err := f.chosen(&m)
	if err != nil {
		return err
	}
	if err := f.keepCounters(&m.crop); err != nil {
		return err
	}
	docs, err := f.rank(&m, vectors, detector, firmware)
	if err != nil {
		return err
	}
	if err := f.print(term, docs); err != nil {
		return err
	}
	for _, d := range docs {
		if d.StandOut > 0 {
			return errFound
		}
	}
	return nil
}

// rank ranks the intervals of each interrupt, of all motes together or of each, and writes the report of --html.
func (f *mineFlags) rank(m *mined, vectors []uint16, detector symptom.Detector, firmware string) (docs []*report.Mine, err error) {
	const shown = 30 // entries of a report, at least
	page, explained := report.PageOf(firmware, m.world, m.runs), max(f.top, 1)
	if f.html != "" {
		explained = report.Details(f.top)
	}
	for _, crop := range f.pools(&m.crop) {
		has := crop.Vectors()
		for _, v := range vectors {
			if !slices.Contains(has, v) {
				continue
			}
			ranking, err := crop.Rank(v, detector, explained)
			if err != nil {
				return nil, err
			}
			doc := report.MineOf(ranking, m.chip, m.runs, f.top, m.profile.TaskName)
			if f.pool == poolMote {
				doc.Mote = &crop.Intervals[0].ID
			}
			docs = append(docs, doc)
			if f.html != "" {
				page.Add(ranking, m.crop.Field, m.chip, max(f.top, shown), m.profile.TaskName)
			}
		}
	}
	if f.html == "" {
		return docs, nil
	}
	page.FindSources(m.crop.Field.Image.Path, os.ReadFile)
	return docs, writeFile("--html", f.html, page.Write)
}

// What --pool takes.
const (
	poolAll  = "all"
	poolMote = "mote"
)

// pools is the intervals that are ranked with each other.
func (f *mineFlags) pools(crop *harvest.Crop) []*harvest.Crop {
	if f.pool != poolMote {
		return []*harvest.Crop{crop}
	}
	var all []*harvest.Crop
	for _, id := range crop.IDs() {
		all = append(all, crop.Only(func(iv *harvest.Interval) bool { return iv.ID == id }))
	}
	return all
}

// filter leaves the intervals that have the tasks of --task.
func (f *mineFlags) filter(m *mined) error {
	if f.tasks == nil {
		return nil
	}
	seen := map[string]bool{}
	some := m.crop.Only(func(iv *harvest.Interval) bool {
		found := false
		for _, t := range iv.Tasks {
			name := m.profile.TaskName(t.ID)
			seen[name] = true
			for _, pattern := range f.tasks {
				ok, _ := path.Match(pattern, name)
				found = found || ok || strings.HasSuffix(name, "."+pattern)
			}
		}
		return found
	})
	if len(some.Intervals) == 0 {
		return fmt.Errorf("--task %s: no interval has such a task; there are %s", strings.Join(f.tasks, ", "),
			strings.Join(slices.Sorted(maps.Keys(seen)), ", "))
	}
	m.crop.Intervals = some.Intervals
	return nil
}

// print prints the rankings.
func (f *mineFlags) print(term *terminal, docs []*report.Mine) error {
	if f.json {
		if len(docs) == 1 {
			return writeJSON(stdout, docs[0])
		}
		return writeJSON(stdout, map[string]any{"rankings": docs})
	}
	for _, d := range docs {
		printMine(term.text, d)
	}
	return nil
}

// gather makes one run and keeps its intervals.
func (f *mineFlags) gather(ctx context.Context, r *recipe.Recipe, run report.MinedRun, term *terminal, m *mined) error {
	w, err := r.World(openFirmware)
	if err != nil {
		return err
	}
	m.world, m.chip = w, w.Motes()[0].Chip()
	if m.crop.Field == nil {
		if m.crop.Field, err = harvest.NewField(w.Motes()[0].Kind); err != nil {
			return err
		}
	}
	skip := f.skip
	if skip < 0 {
		skip = min(2*time.Second, time.Duration(r.Until/1000)/5)
	}
	if m.crop.Ledger == nil {
		m.crop.Ledger = harvest.NewLedger(m.crop.Field)
	}
	opt := harvest.Options{Skip: uint64(skip.Nanoseconds()) * 1000, Ledger: m.crop.Ledger, Timeline: f.html != ""}
	if f.node != "all" {
		var id int
		if _, err := fmt.Sscan(f.node, &id); err != nil {
			return fmt.Errorf("--node %q: give a node id, or all", f.node)
		}
		i, err := findMote(w, id)
		if err != nil {
			return fmt.Errorf("--node: %w", err)
		}
		opt.Motes = []int{i}
	}
	for _, text := range f.vectors {
		v, err := m.chip.Vector(text)
		if err != nil {
			return fmt.Errorf("--vector: %w", err)
		}
		opt.Vectors = append(opt.Vectors, uint16(v))
	}
	h, err := m.crop.Field.Watch(w, len(m.runs), opt, m.crop.Keep)
	if err != nil {
		return err
	}
	m.profile = h.Profile()
	session := &live.Session{World: w, Progress: term.progress(time.Now(), r.Until)}
	if err := session.Run(ctx, r.Until); err != nil {
		return err
	}
	h.Close()
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

// parseSweep reads NAME=V1,V2,...; without one there is a single run for no variable.
func parseSweep(text string) (variable string, values []int64, err error) {
	if text == "" {
		return "", []int64{0}, nil
	}
	name, list, ok := strings.Cut(text, "=")
	for _, v := range strings.Split(list, ",") {
		n, err := strconv.ParseInt(strings.TrimSpace(v), 0, 64)
		if err != nil || !ok || name == "" {
			return "", nil, fmt.Errorf("--sweep %q: write a variable and its values, as period=20,40,60", text)
		}
		values = append(values, n)
	}
	return name, values, nil
}

// keepCounters writes the files of --csv and --parquet.
func (f *mineFlags) keepCounters(crop *harvest.Crop) error {
	return errors.Join(
		writeFile("--csv", f.csv, func(to io.Writer) error { return export.WriteCounters(to, crop) }),
		writeFile("--parquet", f.parquet, func(to io.Writer) error { return export.WriteCountersParquet(to, crop) }))
}

// writeFile writes the file that a flag names, if it names one.
func writeFile(flag, path string, write func(io.Writer) error) error {
	if path == "" {
		return nil
	}
	if err := disk.Replace(path, 0o666, write); err != nil {
		return fmt.Errorf("%s: %w", flag, err)
	}
	return nil
}

// chosen is the interrupts to rank.
func (f *mineFlags) chosen(m *mined) ([]uint16, error) {
	seen := m.crop.Vectors()
	if len(seen) == 0 {
		return nil, fmt.Errorf("no event-handling interval ended in %v: run longer (--time), or look at other interrupts (--vector)", f.time)
	}
	if f.vectors != nil {
		return seen, nil
	}
	var all []uint16
	for _, v := range seen {
		if v != 1 { // what main does before its first task
			all = append(all, v)
		}
	}
	return all, nil
}
