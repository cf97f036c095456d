package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"motehound/job"
	"motehound/job/document"
	"motehound/job/phrase"
	"motehound/show/export"
	"motehound/show/report"
)

// mineFlags are the flags of mine.
type mineFlags struct {
	worldFlags
	field   fieldFlags
	asked   job.Mine
	csv     string
	parquet string
	html    string
	json    bool
	quiet   bool
}

func mineCommand() *cobra.Command {
	f := mineFlags{asked: job.NewMine()}
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

Detectors: ` + phrase.List(job.Detectors(), func(d job.Detector) string { return d.Name + " (" + d.About + ")" }),
		Args: atLeastOne("firmware file", "example:sense"),
		RunE: func(cmd *cobra.Command, args []string) error { return f.mine(cmd.Context(), args) },
	}
	fl := cmd.Flags()
	fl.SortFlags = false
	f.worldFlags.register(fl)
	f.field.register(fl)
	f.mining(fl)
	fl.StringVar(&f.csv, "csv", "", "write all intervals with their counters to this `file`")
	fl.StringVar(&f.parquet, "parquet", "", "the same as a Parquet `file`")
	fl.StringVar(&f.html, "html", "", about("html"))
	registerOutput(fl, &f.json, &f.quiet)
	return cmd
}

// mining registers what says what is ranked, and how.
func (f *mineFlags) mining(fl *pflag.FlagSet) {
	fl.StringSliceVar(&f.asked.Node, "node", f.asked.Node, about("node"))
	fl.StringArrayVar(&f.asked.Vectors, "vector", nil, about("vector"))
	fl.StringArrayVar(&f.asked.Tasks, "task", nil, "rank only intervals with a task of this `name` (* matches any text; repeatable)")
	fl.StringVar(&f.asked.Pool, "pool", job.PoolAll, "rank the intervals of all motes together, or of each mote separately (`all|mote`)")
	fl.StringVar(&f.asked.Detector, "detector", f.asked.Detector, "how to find unusual intervals, see above")
	fl.IntVar(&f.asked.Top, "top", f.asked.Top, about("top"))
	fl.IntVar(&f.asked.Runs, "runs", f.asked.Runs, about("runs"))
	fl.StringArrayVar(&f.asked.Sweeps, "sweep", nil, "run with each of these values of a variable (1.NAME: mote 1's) or a scenario's parameter (param.NAME) (`NAME=V1,V2,...`, repeatable)")
	fl.DurationVar(&f.asked.Skip, "skip", f.asked.Skip, "leave out intervals that begin this soon after a mote's start (default 2s, at most a fifth of --time)")
}

func (f *mineFlags) mine(ctx context.Context, names []string) error {
	term := newTerminal(f.json, f.quiet, nil)
	r := f.asked
	r.World, r.Field, r.Files, r.Page = f.request(), f.field.request(), names, f.html != ""
	found, failed := r.Do(ctx, term.host())
	term.clear()
	if found != nil && len(found.Builds) > 0 {
		if err := f.keepCounters(found); err != nil {
			return err
		}
	}
	if failed != nil {
		return failed
	}
	if f.html != "" {
		if err := job.WriteFile("--html", f.html, report.MinePage(found, f.asked.Top, pageOf(strings.Join(names, ", "))).Write); err != nil {
			return err
		}
	}
	if err := f.print(term, found.Document); err != nil {
		return err
	}
	if found.Document.Found() {
		return errFound
	}
	return nil
}

// print prints the rankings.
func (f *mineFlags) print(term *terminal, doc document.Rankings) error {
	if f.json {
		return document.Write(stdout, doc)
	}
	printRankings(term.text, doc.Rankings)
	return nil
}

func printRankings(to io.Writer, docs []*document.Mine) {
	several := slices.ContainsFunc(docs, func(d *document.Mine) bool { return d.Firmware != docs[0].Firmware })
	for _, d := range docs {
		if several {
			fmt.Fprintf(to, "\n%s:", d.Firmware)
		}
		printMine(to, d)
	}
}

// keepCounters writes the files of --csv and --parquet.
func (f *mineFlags) keepCounters(m *job.Mined) error {
	if f.csv == "" && f.parquet == "" {
		return nil
	}
	c := export.CountersOf(m)
	return errors.Join(job.WriteFile("--csv", f.csv, c.WriteCSV), job.WriteFile("--parquet", f.parquet, c.WriteParquet))
}
