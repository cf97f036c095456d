package main

import (
	"context"
	"os"
	"runtime/debug"

	"github.com/spf13/cobra"

	"motehound/job"
	"motehound/job/document"
	"motehound/show/text"
)

// checkFlags are those of check.
type checkFlags struct {
	worldFlags
	asked  job.Check
	events int
	json   bool
	quiet  bool
	full   bool
}

func checkCommand() *cobra.Command {
	f := checkFlags{asked: job.NewCheck("")}
	cmd := &cobra.Command{
		Use:   "check [flags] FIRMWARE|SCENARIO",
		Short: "Look for orders of events, losses and reboots that break a property",
		Long: `Explores what the motes can do, in other orders than the natural one: which interrupt comes first, when a task runs, when a frame
arrives or whether it does, when a mote reboots, as far as the scenario allows that. In each state it checks that memory is used
rightly and that nothing goes wrong in the kernel, which needs no annotation, and the properties of the scenario.

--mode search looks at every order up to --depth events, --mode walk goes at random, and --mode both, the default, searches first
and walks on from there. A finding is made short, replayed, and shown as a chart with one column per mote; --out DIR
keeps it as a recipe for 'motehound replay', and a log from which --resume goes on. It stops with the first walk that finds
something; --all goes on.

Hardware does not make every order. While a mote sleeps, no interrupt and no task of it waits, and a frame arrives when it is sent, or as
much later as the channel can be busy. What is found only if something waits longer is shown behind what is found without, says what
has to wait, and is no violation, unless --any-order is given. Nor is a goal that may only be late: see --threshold, and within of
"eventually".

The verdict is "violated"; "holds", up to so many events, if every order of these was looked at and nothing was left out; or "unknown", with
what was left out. Exit status 1 means that something is violated.`,
		Args: exactlyOne("firmware file or scenario", "example:counter"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return f.check(cmd.Context(), args[0])
		},
	}
	fl := cmd.Flags()
	f.register(fl, "time", "drift", "stagger", "pcap")
	fl.StringArrayVar(&f.asked.Kernels, "kernel", nil, about("kernel"))
	fl.StringVar(&f.asked.Mode, "mode", f.asked.Mode, "walk, search or both")
	fl.StringVar(&f.asked.Reduce, "reduce", f.asked.Reduce, "leave out orders that make no difference: none, static or dynamic")
	fl.DurationVar(&f.asked.Budget, "budget", f.asked.Budget, about("budget"))
	fl.DurationVar(&f.asked.Skew, "skew", 0, "how much too early a mote may do something, by its own clock; 0 for no limit")
	fl.BoolVar(&f.asked.AnyOrder, "any-order", false, "findings count in whatever order of events, even if something has to wait longer than hardware makes it")
	fl.IntVar(&f.events, "events", job.UsualEvents, "the most events of a walk; by default fewer if the budget is small")
	fl.Uint64Var(&f.asked.Total, "total", 0, "events of all walks together, after which no other begins; 0 for no limit")
	fl.IntVar(&f.asked.Depth, "depth", f.asked.Depth, "events of the longest order that is searched")
	fl.IntVar(&f.asked.Walks, "walks", f.asked.Walks, "how many walks")
	fl.IntVar(&f.asked.Threads, "threads", f.asked.Threads, "how many to run at once")
	fl.IntVar(&f.asked.Threshold, "threshold", f.asked.Threshold, "events for which an \"eventually\" property may not hold")
	fl.IntVar(&f.asked.Prefix, "prefix", f.asked.Prefix, "the most events before something may fail in a walk")
	fl.IntVar(&f.asked.Steady, "steady", 0, "events at random before the search starts")
	fl.BoolVar(&f.asked.Heal, "heal", false, "walks: things fail at first, then no more, and every \"eventually\" property must come to hold")
	fl.BoolVar(&f.asked.Stateless, "stateless", false, "search orders, not states: less memory, more work")
	fl.BoolVar(&f.asked.All, "all", false, about("all"))
	fl.BoolVar(&f.asked.NoMemory, "no-memory", false, about("no-memory"))
	fl.BoolVar(&f.asked.Unwritten, "unwritten", false, "also report reads of RAM that nothing wrote")
	fl.BoolVar(&f.asked.FailedPosts, "failed-posts", false, "also report posts that are refused because the task waits already")
	fl.StringArrayVar(&f.asked.Failures, "failure", nil, about("failure"))
	fl.StringVar(&f.asked.Out, "out", "", about("out"))
	fl.BoolVar(&f.asked.Bundle, "bundle", false, about("bundle"))
	fl.BoolVar(&f.asked.Resume, "resume", false, about("resume"))
	fl.BoolVar(&f.json, "json", false, about("json"))
	fl.BoolVarP(&f.quiet, "quiet", "q", false, about("quiet"))
	fl.BoolVar(&f.full, "full", false, "show whole traces")
	return cmd
}

func (f *checkFlags) check(ctx context.Context, name string) error {
	term := newTerminal(f.json, f.quiet, nil)
	r := f.asked
	r.World, r.File = f.request(), name
	if f.changed("events") {
		r.Events = &f.events
	}
	host := term.host()
	if os.Getenv("GOGC") == "" {
		host.Collect = debug.SetGCPercent
	}
	found, err := r.Do(ctx, host)
	if err != nil {
		return err
	}
	if f.json {
		if err := document.Write(stdout, found.Document); err != nil {
			return err
		}
	} else {
		text.Check(term.text, found, f.full, r.Out != "")
	}
	if found.Document.Verdict == document.Violated {
		return errFound
	}
	return nil
}
