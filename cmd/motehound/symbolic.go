package main

import (
	"context"
	"io"
	"time"

	"github.com/spf13/cobra"

	"motehound/job"
	"motehound/job/document"
	"motehound/show/export"
	"motehound/show/text"
)

// symbolicFlags are those of symbolic.
type symbolicFlags struct {
	worldFlags
	asked  job.Symbolic
	orders uint32
	delay  time.Duration
	lcov   string
	json   bool
	quiet  bool
}

func symbolicCommand() *cobra.Command {
	f := symbolicFlags{asked: job.NewSymbolic("")}
	cmd := &cobra.Command{
		Use:   "symbolic [flags] SCENARIO|FIRMWARE",
		Short: "Look for inputs and failures for which the motes, together, reach a bad state",
		Long: `Runs the motes for all values of the inputs that the scenario says are symbolic (bytes of frames and of serial input, readings,
variables) and for all failures that it allows (lost, doubled and corrupted frames, reboots, outages), at once. Events come in their
natural order, or with --reorder in others too: then interrupts may wait, so that what comes next is first. Where motes go different ways,
all of them are followed; a scenario is one way of each mote that can be together.

The scenario's properties are looked at for all inputs; the built-in checks of memory and kernel, and what must hold when a function
returns, for one input of each scenario. Each finding is made again by the emulator, without anything symbolic, before it is
shown; a third of --budget is for that. --out DIR keeps it as a recipe for 'motehound replay', and what --resume goes on with if the budget
ends before the work does.

The verdict is "violated", "holds" (all scenarios were followed to the end) or "unknown" (some were not, and it says which). Exit status 1
means that something is violated. docs/symbolic.md explains it with an example.`,
		Args: exactlyOne("scenario or firmware file", "port.star"),
		RunE: func(cmd *cobra.Command, args []string) error { return f.symbolic(cmd.Context(), args[0]) },
	}
	fl := cmd.Flags()
	f.register(fl, "loss", "drift", "stagger", "pcap")
	fl.DurationVar(&f.asked.Budget, "budget", f.asked.Budget, about("budget"))
	fl.IntVar(&f.asked.MaxPaths, "max-paths", 0, "stop when so many scenarios have come to their end; 0 for no limit")
	fl.StringVar(&f.asked.Map, "map", f.asked.Map, "how states are mapped to scenarios: cob, cow or sds")
	fl.StringVar(&f.asked.Solver, "solver", f.asked.Solver, "builtin, or z3 (the program of that name)")
	fl.StringVar(&f.asked.Searcher, "searcher", "", "which scenarios come first: dfs, bfs, oldest, path or coverage")
	fl.StringVar(&f.asked.Memory, "memory", f.asked.Memory, "about how much memory to use; what there is no room for is left out, and told; 0 for no limit")
	fl.BoolVar(&f.asked.NoMemory, "no-memory", false, about("no-memory"))
	fl.StringArrayVar(&f.asked.Failures, "failure", nil, about("failure"))
	fl.BoolVar(&f.asked.Reorder, "reorder", false, "also other orders of events than the natural one: interrupts may wait, so that others come first")
	fl.Uint32Var(&f.orders, "orders", job.UsualOrders, "with --reorder: how many interrupts of a scenario may wait")
	fl.DurationVar(&f.delay, "delay", job.UsualDelay, "with --reorder: for how long an interrupt may wait at most")
	fl.IntVar(&f.asked.Scenarios, "scenarios", f.asked.Scenarios, "how many scenarios to list and to run again")
	fl.StringVar(&f.asked.Out, "out", "", about("out"))
	fl.BoolVar(&f.asked.Bundle, "bundle", false, about("bundle"))
	fl.BoolVar(&f.asked.Resume, "resume", false, about("resume"))
	fl.StringVar(&f.lcov, "lcov", "", "write which lines and functions were reached to this `file`, for genhtml")
	fl.StringVar(&f.asked.Queries, "queries", "", "write every query of the solver to this `file`, as SMT-LIB")
	fl.BoolVar(&f.json, "json", false, about("json"))
	fl.BoolVarP(&f.quiet, "quiet", "q", false, about("quiet"))
	return cmd
}

func (f *symbolicFlags) symbolic(ctx context.Context, name string) error {
	term := newTerminal(f.json, f.quiet, nil)
	r := f.asked
	r.World, r.File, r.Cover = f.request(), name, f.lcov != ""
	if f.changed("orders") {
		r.Orders = &f.orders
	}
	if f.changed("delay") {
		r.Delay = &f.delay
	}
	found, err := r.Do(ctx, term.host())
	if err != nil {
		return err
	}
	if err := job.WriteFile("--lcov", f.lcov, func(to io.Writer) error { return export.LCOV(to, found.Name, found.Covered) }); err != nil {
		return err
	}
	if f.json {
		if err := document.Write(stdout, found.Document); err != nil {
			return err
		}
	} else {
		text.Symbolic(term.text, &r, found.Document)
	}
	if found.Document.Verdict == document.Violated {
		return errFound
	}
	return nil
}
