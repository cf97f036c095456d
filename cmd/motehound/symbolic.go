package main

import (
	"context"
	"io"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"motehound/job"
	"motehound/show/export"
	"motehound/show/report"
	"motehound/show/text"
)

// symbolicFlags are those of symbolic.
type symbolicFlags struct {
	worldFlags
	asked  job.Symbolic
	orders uint32
	delay  time.Duration
	lcov   string
	html   string
	json   bool
	quiet  bool
}

func symbolicCommand() *cobra.Command {
	f := symbolicFlags{asked: job.NewSymbolic("")}
	cmd := &cobra.Command{
		Use:   "symbolic [flags] SCENARIO|FIRMWARE",
		Short: "Look for inputs and failures that lead the motes into a bad state",
		Long: `Looks for inputs and failures that lead the motes into a bad state. It runs them for all values of the scenario's symbolic inputs
(bytes of frames and of serial input, sensor readings, variables) and for all failures that the scenario allows (lost, doubled and
corrupted frames, reboots, outages). It lists the outcomes: an outcome is one feasible combination of paths, one per mote. Events
come in their natural order; with --reorder, interrupts may also wait, so that other events come first.

Properties of the scenario are checked for all inputs. The built-in checks of memory and kernel, and properties at a function's
return, are checked for one input of each outcome. Each finding is confirmed by an ordinary run in the emulator before it is shown;
a third of --budget is for that. --out DIR keeps its recipe for 'motehound replay', and data for --resume if the budget ends early.

The verdict is "violated"; "holds", if all outcomes were followed to their end; or "unknown", with what was left out.
Exit status: 1 something is violated, 0 nothing is. docs/symbolic.md explains it with an example.`,
		Args: exactlyOne("scenario or firmware file", "port.star"),
		RunE: func(cmd *cobra.Command, args []string) error { return f.symbolic(cmd.Context(), args[0]) },
	}
	fl := cmd.Flags()
	f.register(fl, "loss", "drift", "stagger")
	fl.DurationVar(&f.asked.Budget, "budget", f.asked.Budget, about("budget"))
	fl.IntVar(&f.asked.MaxPaths, "max-paths", 0, "stop after this many outcomes; 0 for no limit")
	f.exploring(fl)
	fl.StringVar(&f.asked.Out, "out", "", about("out"))
	fl.BoolVar(&f.asked.Bundle, "bundle", false, about("bundle"))
	fl.BoolVar(&f.asked.Resume, "resume", false, about("resume"))
	fl.StringVar(&f.lcov, "lcov", "", about("lcov"))
	fl.StringVar(&f.asked.Queries, "queries", "", "write every query of the solver to this `file`, as SMT-LIB")
	fl.StringVar(&f.html, "html", "", about("html"))
	registerOutput(fl, &f.json, &f.quiet)
	return cmd
}

// exploring registers what says what is explored, and how.
func (f *symbolicFlags) exploring(fl *pflag.FlagSet) {
	fl.StringVar(&f.asked.Map, "map", f.asked.Map, "how states are shared by outcomes: cob, cow or sds")
	fl.StringVar(&f.asked.Solver, "solver", f.asked.Solver, "builtin, or z3 (the program of that name)")
	fl.StringVar(&f.asked.Searcher, "searcher", "", "which states to run first: dfs, bfs, oldest, path or coverage")
	fl.StringVar(&f.asked.Memory, "memory", f.asked.Memory, "approximate memory limit; what does not fit is reported; 0 for no limit")
	fl.BoolVar(&f.asked.NoMemory, "no-memory", false, about("no-memory"))
	fl.StringArrayVar(&f.asked.Failures, "failure", nil, about("failure"))
	fl.BoolVar(&f.asked.Reorder, "reorder", false, "also try other orders of events: interrupts may wait")
	fl.Uint32Var(&f.orders, "orders", job.UsualOrders, "with --reorder: how many interrupts of an outcome may wait")
	fl.DurationVar(&f.delay, "delay", job.UsualDelay, "with --reorder: the longest time an interrupt may wait")
	fl.IntVar(&f.asked.Outcomes, "outcomes", f.asked.Outcomes, "number of outcomes to list and to run again")
}

// requested is what the flags ask for.
func (f *symbolicFlags) requested(name string) job.Symbolic {
	r := f.asked
	r.World, r.File = f.request(), name
	if f.changed("orders") {
		r.Orders = &f.orders
	}
	if f.changed("delay") {
		r.Delay = &f.delay
	}
	return r
}

func (f *symbolicFlags) symbolic(ctx context.Context, name string) error {
	term := newTerminal(f.json, f.quiet, nil)
	r := f.requested(name)
	r.Cover = f.lcov != ""
	found, err := r.Do(ctx, term.host())
	if err != nil {
		return err
	}
	if err := job.WriteFile("--lcov", f.lcov, func(to io.Writer) error { return export.LCOV(to, found.Name, found.Covered) }); err != nil {
		return err
	}
	if err := writePage(f.html, func() *report.Findings { return report.SymbolicPage(found, &r, pageOf(name)) }); err != nil {
		return err
	}
	return answer(f.json, found.Document, found.Document.Verdict, func() { text.Symbolic(term.text, &r, found.Document) })
}
