package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"maps"
	"math"
	"os"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"motehound/firmware/disk"
	"motehound/show/export"
	"motehound/show/report"
	"motehound/study/mining"
	"motehound/study/outlier"
	"motehound/study/verdict"
)

// mineFlags are the flags of mine.
type mineFlags struct {
	worldFlags
	field    fieldFlags
	node     []string
	vectors  []string
	tasks    []string
	pool     string
	detector string
	top      int
	runs     int
	skip     time.Duration
	sweeps   []string
	csv      string
	parquet  string
	html     string
	json     bool
	quiet    bool
}

func mineCommand() *cobra.Command {
	var f mineFlags
	cmd := &cobra.Command{
		Use:   "mine [flags] FIRMWARE|SCENARIO...",
		Short: "Rank the event-handling intervals that look wrong, and say why",
		Long: `Finds the moments of a run that look wrong. It cuts the run into event-handling intervals (from an interrupt to the end of the last
task it caused), counts what was executed during each, and ranks the intervals of each interrupt: the most unusual first
(Sentomist's symptom mining). Some interval is always the most unusual. An interval stands out if data was lost in it: a value
in a static variable was overwritten, skipped or forgotten, although such values are usually read.

Exit status: 0 nothing stands out, 1 something does.

--html writes the ranking as a page with a scatter plot, timelines and source lines. If several files are given, each is run, with
all values of --sweep and all seeds. Intervals of one firmware are ranked together, also those of several motes that run it.

Detectors: ` + list(outlier.All(), func(d outlier.Detector) string { return d.Name() + " (" + d.About() + ")" }),
		Args: atLeastOne("firmware file", "example:sense"),
		RunE: func(cmd *cobra.Command, args []string) error { return f.mine(cmd.Context(), args) },
	}
	fl := cmd.Flags()
	fl.SortFlags = false
	f.worldFlags.register(fl, "pcap")
	f.field.register(fl)
	fl.StringSliceVar(&f.node, "node", []string{"all"}, about("node"))
	fl.StringArrayVar(&f.vectors, "vector", nil, about("vector"))
	fl.StringArrayVar(&f.tasks, "task", nil, "rank only intervals with a task of this `name` (* matches any text; repeatable)")
	fl.StringVar(&f.pool, "pool", poolAll, "rank the intervals of all motes together, or of each mote separately (`all|mote`)")
	fl.StringVar(&f.detector, "detector", outlier.Default().Name(), "how to find unusual intervals, see above")
	fl.IntVar(&f.top, "top", 10, about("top"))
	fl.IntVar(&f.runs, "runs", 1, about("runs"))
	fl.StringArrayVar(&f.sweeps, "sweep", nil, "run with each of these values of a variable (1.NAME: mote 1's) or a scenario's parameter (param.NAME) (`NAME=V1,V2,...`, repeatable)")
	fl.DurationVar(&f.skip, "skip", -1, "leave out intervals that begin this soon after a mote's start (default 2s, at most a fifth of --time)")
	fl.StringVar(&f.csv, "csv", "", "write all intervals with their counters to this `file`")
	fl.StringVar(&f.parquet, "parquet", "", "the same as a Parquet `file`")
	fl.StringVar(&f.html, "html", "", about("html"))
	fl.BoolVar(&f.json, "json", false, about("json"))
	fl.BoolVarP(&f.quiet, "quiet", "q", false, about("quiet"))
	return cmd
}

func (f *mineFlags) mine(ctx context.Context, names []string) error {
	detector, err := outlier.Find(f.detector)
	if err != nil {
		return fmt.Errorf("--detector: %w", err)
	}
	if f.runs < 1 || f.runs > maxRuns {
		return fmt.Errorf("--runs %d: give 1 to %d", f.runs, maxRuns)
	}
	if f.pool != poolAll && f.pool != poolMote {
		return fmt.Errorf("--pool %q: choose %s or %s", f.pool, poolAll, poolMote)
	}
	for _, pattern := range f.tasks {
		if _, err := path.Match(pattern, ""); err != nil {
			return fmt.Errorf("--task %q: %w", pattern, err)
		}
	}
	term := newTerminal(f.json, f.quiet, nil)
	if f.field.trace != "" {
		return f.mineTrace(names, detector, term)
	}
	var plans []plannedRun
	err = reading(ctx, term, names[0], func() (err error) {
		plans, err = f.plans(names, term)
		return err
	})
	if err != nil {
		return err
	}
	m, err := f.gatherAll(ctx, plans, term)
	if err != nil {
		return err
	}
	term.clear()
	if ctx.Err() != nil && m.intervals() == 0 {
		return unfinished(term)
	}
	if err := f.filter(m); err != nil {
		return err
	}
	if err := f.keepCounters(m); err != nil {
		return err
	}
	docs, err := f.rank(ctx, m, detector, term)
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

// rank ranks the intervals of each build's interrupts, of all motes together or of each, and writes the report of --html.
func (f *mineFlags) rank(ctx context.Context, m *mined, detector outlier.Detector, term *terminal) (docs []*report.Mine, err error) {
	defer term.clear()
	late := patience(ctx)
	var leftOut []string
	const shown = 30 // entries of a report, at least
	page, explained := report.NewPage(m.runs, os.ReadFile), max(f.top, 1)
	if f.html != "" {
		explained = report.Details(f.top)
	}
	for _, b := range m.builds {
		vectors := f.chosen(b)
		built := &report.Built{Name: b.name, Field: b.crop.Field, Board: b.board, Chip: b.chip, Task: b.profile.TaskName}
		for mote, crop := range f.pools(&b.crop) {
			has := crop.Vectors()
			for _, v := range vectors {
				if !slices.Contains(has, v) {
					continue
				}
				name := b.chip.VectorName(uint8(v))
				term.doing("ranking the intervals of %s", name)
				var ranking *mining.Ranking
				err, ok := awaited(late, func() (err error) {
					ranking, err = crop.RankFirst(v, detector, explained, f.listed())
					return err
				})
				if !ok {
					leftOut = append(leftOut, fmt.Sprintf("the intervals of %s: no time was left to rank them", name))
					continue
				}
				if err != nil {
					return nil, err
				}
				doc := report.MineOf(ranking, b.chip, m.runs, f.top, b.profile.TaskName)
				doc.Firmware = b.name
				if f.pool == poolMote {
					doc.Mote = &mote
				}
				docs = append(docs, doc)
				if f.html != "" {
					page.Add(ranking, built, max(f.top, shown))
				}
			}
		}
	}
	if len(docs) == 0 && ctx.Err() != nil {
		return nil, unfinished(term, leftOut...)
	}
	if len(docs) == 0 {
		return nil, fmt.Errorf("no event-handling interval ended in %v: run longer (--time), or look at other interrupts (--vector)", f.time)
	}
	if ctx.Err() != nil {
		leftOut = append(leftOut, verdict.Interrupted)
	}
	for _, d := range docs {
		d.Judge(leftOut...)
	}
	return docs, writeFile("--html", f.html, page.Write)
}

// What --pool takes.
const (
	poolAll  = "all"
	poolMote = "mote"
)

// listed is how many intervals of a ranking are shown. A report for the browser counts all of them.
func (f *mineFlags) listed() int {
	if f.top == 0 || f.html != "" {
		return math.MaxInt
	}
	return f.top
}

// pools is the intervals that are ranked with each other, with the node id of the mote if they are of one.
func (f *mineFlags) pools(crop *mining.Crop) iter.Seq2[uint16, *mining.Crop] {
	return func(yield func(uint16, *mining.Crop) bool) {
		if f.pool != poolMote {
			yield(0, crop)
			return
		}
		for _, id := range crop.IDs() {
			if !yield(id, crop.Only(func(iv *mining.Interval) bool { return iv.ID == id })) {
				return
			}
		}
	}
}

// filter leaves the intervals that have the tasks of --task.
func (f *mineFlags) filter(m *mined) error {
	if f.tasks == nil {
		return nil
	}
	seen, left := map[string]bool{}, 0
	for _, b := range m.builds {
		some := b.crop.Only(func(iv *mining.Interval) bool {
			found := false
			for _, t := range iv.Tasks {
				name := b.profile.TaskName(t.ID)
				seen[name] = true
				for _, pattern := range f.tasks {
					ok, _ := path.Match(pattern, name)
					found = found || ok || strings.HasSuffix(name, "."+pattern)
				}
			}
			return found
		})
		b.crop = *some
		left += some.Len()
	}
	if left == 0 {
		return fmt.Errorf("--task %s: no interval has such a task; there are %s", strings.Join(f.tasks, ", "),
			strings.Join(slices.Sorted(maps.Keys(seen)), ", "))
	}
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
	several := slices.ContainsFunc(docs, func(d *report.Mine) bool { return d.Firmware != docs[0].Firmware })
	for _, d := range docs {
		if several {
			fmt.Fprintf(term.text, "\n%s:", d.Firmware)
		}
		printMine(term.text, d)
	}
	return nil
}

// keepCounters writes the files of --csv and --parquet.
func (f *mineFlags) keepCounters(m *mined) error {
	if f.csv == "" && f.parquet == "" {
		return nil
	}
	var c export.Counters
	for _, r := range m.runs {
		run := export.Run{Seed: r.Seed}
		for _, v := range r.Values {
			run.Values = append(run.Values, [2]string{v.Name, v.Value})
		}
		c.Runs = append(c.Runs, run)
	}
	for _, b := range m.builds {
		c.Crops = append(c.Crops, export.Crop{Firmware: b.name, Crop: &b.crop})
	}
	return errors.Join(writeFile("--csv", f.csv, c.WriteCSV), writeFile("--parquet", f.parquet, c.WriteParquet))
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

// chosen is the interrupts of a build to rank.
func (f *mineFlags) chosen(b *minedBuild) []uint16 {
	seen := b.crop.Vectors()
	if f.vectors != nil {
		return seen
	}
	return slices.DeleteFunc(seen, func(v uint16) bool { return v == 1 }) // what main does before its first task
}
