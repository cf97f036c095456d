package main

import (
	"context"
	"fmt"
	"os"
	"runtime/debug"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"motehound/job"
	"motehound/job/document"
	"motehound/show/report"
	"motehound/show/text"
)

// checkFlags are those of check.
type checkFlags struct {
	worldFlags
	asked  job.Check
	events int
	html   string
	json   bool
	quiet  bool
	full   bool
}

func checkCommand() *cobra.Command {
	f := checkFlags{asked: job.NewCheck("")}
	cmd := &cobra.Command{
		Use:   "check [flags] FIRMWARE|SCENARIO",
		Short: "Look for orders of events, losses and reboots that break a property",
		Long: `Looks for an order of events that breaks something. It tries orders that an ordinary run does not show: which interrupt comes first,
when a task runs, when a frame arrives. Interrupts also come in the middle of code, and what is lost by that is a race: it is reported
with the variable and the line, without any property. With a scenario it also tries the faults that the scenario allows, such as lost
frames and reboots. In every state it checks the use of memory and of the kernel, which needs no annotation, and the properties
of the scenario.

--mode search tries every order of up to --depth events. --mode walk tries random orders. --mode both, the default, searches first
and then walks. A finding is shortened, replayed, and shown as a chart with one column per mote. --out DIR keeps its
recipe for 'motehound replay', and a log for --resume. The command stops at the first walk that finds something; --all continues. In a
network with a --budget or --total it continues behind what breaks nothing at once, such as races: they hide nothing.

Real hardware does not produce every order. While a mote sleeps, none of its interrupts and tasks wait, and a frame arrives when it
is sent, or as much later as the channel can be busy. A finding that needs a longer wait is listed last, with what has to wait. It
is not a violation, unless --any-order is given. A goal ("eventually") that may only be late is not a violation either: see
--threshold, and 'within' in docs/scenarios.md.

The verdict is "violated"; "holds" up to a number of events, if every order was tried and nothing was left out; or "unknown", with
what was left out. Exit status: 1 something is violated, 0 nothing is.`,
		Args: exactlyOne("firmware file or scenario", "example:counter"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return f.check(cmd.Context(), args[0])
		},
	}
	fl := cmd.Flags()
	f.walking(fl)
	f.ordering(fl)
	fl.IntVar(&f.asked.Walks, "walks", f.asked.Walks, "number of walks")
	fl.IntVar(&f.asked.Steady, "steady", 0, "random events before the search starts")
	return cmd
}

// ordering registers what says which orders are tried.
func (f *checkFlags) ordering(fl *pflag.FlagSet) {
	f.events = job.UsualEvents
	for _, x := range []struct {
		number      *int
		name, about string
	}{
		{&f.asked.Depth, "depth", "longest order that the search tries, in events"},
		{&f.events, "events", "longest walk, in events; shorter by default if the budget is small"},
		{&f.asked.Threshold, "threshold", "events after which an \"eventually\" property that never held is suspicious"},
		{&f.asked.Prefix, "prefix", "longest start of a walk without faults, in events"},
		{&f.asked.Preempt, "preempt", "how many interrupts in the middle of code a trace may have, or 100 events of a walk; 0 for none"},
	} {
		fl.IntVar(x.number, x.name, *x.number, x.about)
	}
	for _, x := range []struct {
		given       *bool
		name, about string
	}{
		{&f.asked.Unguided, "unguided", "walks: do not go on from states that showed something new"},
		{&f.asked.Heal, "heal", "walks: faults happen only at first; then every \"eventually\" property must hold"},
		{&f.asked.AnyOrder, "any-order", "count findings in every order, also if hardware hardly produces it"},
		{&f.asked.Stateless, "stateless", "do not store states: less memory, more work"},
	} {
		fl.BoolVar(x.given, x.name, false, x.about)
	}
	fl.StringVar(&f.asked.Mode, "mode", f.asked.Mode, "walk, search or both")
	fl.StringVar(&f.asked.Reduce, "reduce", f.asked.Reduce, "skip orders that make no difference: none, static or dynamic")
	fl.DurationVar(&f.asked.Skew, "skew", 0, "how far ahead of its natural time an event may happen; 0 for no limit")
	fl.StringArrayVar(&f.asked.Benign, "benign", nil, "do not report races of this `variable` (repeatable)")
}

// walking registers what check and fuzz have in common.
func (f *checkFlags) walking(fl *pflag.FlagSet) {
	f.register(fl, "time", "drift", "stagger", "serial-at", "serial-baud", "serial-pause")
	registerOutput(fl, &f.json, &f.quiet)
	fl.StringVar(&f.html, "html", "", about("html"))
	fl.BoolVar(&f.full, "full", false, "show whole traces")
	fl.StringVar(&f.asked.Out, "out", "", about("out"))
	fl.IntVar(&f.asked.Threads, "threads", f.asked.Threads, "number of threads")
	fl.BoolVar(&f.asked.Bundle, "bundle", false, about("bundle"))
	fl.DurationVar(&f.asked.Budget, "budget", f.asked.Budget, about("budget"))
	if f.asked.Budget == job.UsualBudget {
		fl.Lookup("budget").DefValue = "25s; 1m for a network"
	}
	fl.BoolVar(&f.asked.Resume, "resume", false, about("resume"))
	fl.StringArrayVar(&f.asked.Kernels, "kernel", nil, about("kernel"))
	fl.BoolVar(&f.asked.All, "all", false, about("all"))
	fl.Uint64Var(&f.asked.Total, "total", 0, "start no more walks after this many events in all; 0 for no limit")
	f.checking(fl)
}

// checking registers what says what is looked for.
func (f *checkFlags) checking(fl *pflag.FlagSet) {
	fl.Uint64Var(&f.asked.Shorten, "shorten", f.asked.Shorten, "events to spend on making each finding short")
	fl.BoolVar(&f.asked.NoMemory, "no-memory", false, about("no-memory"))
	fl.BoolVar(&f.asked.Unwritten, "unwritten", false, "also report reads of RAM that was never written")
	fl.StringArrayVar(&f.asked.Failures, "failure", nil, about("failure"))
	fl.BoolVar(&f.asked.FailedPosts, "failed-posts", false, "also report posts refused because the task already waits")
}

// walkingHost is the host of a job that explores.
func walkingHost(term *terminal) job.Host {
	host := term.host()
	if os.Getenv("GOGC") == "" {
		host.Collect = debug.SetGCPercent
	}
	return host
}

// pageOf is what a page says besides what a job found.
func pageOf(file string) report.Asked {
	return report.Asked{Motehound: version(), File: file, Read: os.ReadFile}
}

// writePage writes the page of --html, if one was asked for.
func writePage(path string, made func() *report.Findings) error {
	if path == "" {
		return nil
	}
	return job.WriteFile("--html", path, made().Write)
}

func (f *checkFlags) check(ctx context.Context, name string) error {
	term := newTerminal(f.json, f.quiet, nil)
	r := f.asked
	r.World, r.File = f.request(), name
	if f.changed("events") {
		r.Events = &f.events
	}
	if r.Preempt < 0 {
		return fmt.Errorf("--preempt %d: give the number of interrupts in the middle of code, 0 for none", r.Preempt)
	}
	found, err := r.Do(ctx, walkingHost(term))
	if err != nil {
		return err
	}
	if err := writePage(f.html, func() *report.Findings { return report.CheckPage(found, pageOf(name)) }); err != nil {
		return err
	}
	return answer(f.json, found.Document, found.Document.Verdict, func() { text.Check(term.text, found, f.full, r.Out != "") })
}

// answer prints what was found, as JSON or for people, and fails if something is violated.
func answer(asJSON bool, doc any, is document.Verdict, print func()) error {
	if asJSON {
		if err := document.Write(stdout, doc); err != nil {
			return err
		}
	} else {
		print()
	}
	if is == document.Violated {
		return errFound
	}
	return nil
}
