package main

import (
	"cmp"
	"context"
	"path/filepath"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"motehound/job"
	"motehound/job/document"
	"motehound/job/findings"
	"motehound/job/hunt"
	"motehound/show/report"
	"motehound/show/text"
)

// huntFlags are those of hunt.
type huntFlags struct {
	worldFlags
	asked hunt.Request
	html  string
	json  bool
	quiet bool
	full  bool

	baseline string
}

const huntHelp = `Looks for everything that can be found in a firmware, without being told anything about it. It guesses the board and the kernel, runs the
firmware alone and in small networks, and finds out what it listens to. Then it shares --budget out over all engines, by what each still gains:

  run       ordinary runs with other seeds, drifting crystals and lossy links, with the built-in checks on
  check     other orders of events, interrupts in the middle of code, and the faults that a scenario allows
  fuzz      bytes, frames and readings that are made up
  symbolic  all inputs that the scenario leaves open, or the first bytes on the serial line, at once
  mine      intervals of ordinary runs in which data was lost
  model     what one mote does and no other mote with the same firmware does

Every finding is replayed before it is shown, and each cause is shown once, with all engines that see it. Violations and races come first.
Symptoms are hints, and are marked as such: they never count for the exit status.

Findings are kept in --store, in the current folder by default, from one hunt to the next: after a change of the firmware, the hunt says what is
new, what is still there and what is fixed. The report, a page for a browser, is written there as well, or to --html. Exit status: 1 a violation or a race was found, 0 none was. What is dismissed, or in --baseline, does not count.`

func huntCommand() *cobra.Command {
	f := &huntFlags{asked: hunt.New("")}
	cmd := &cobra.Command{Use: "hunt [flags] FIRMWARE|SCENARIO", Short: "Look for everything that can be found, with all engines", Long: huntHelp}
	f.spending(cmd.Flags())
	cmd.Args = exactlyOne("firmware file or scenario", "example:ring")
	cmd.RunE = func(cmd *cobra.Command, args []string) error { return f.hunt(cmd.Context(), args[0]) }
	return cmd
}

// spending registers the flags.
func (f *huntFlags) spending(fl *pflag.FlagSet) {
	f.trying(fl)
	r := &f.asked
	fl.Uint64Var(&r.Total, "total", 0, about("total"))
	fl.IntVar(&r.Threads, "threads", r.Threads, "number of threads")
	fl.DurationVar(&r.Budget, "budget", r.Budget, about("budget"))
	fl.StringVar(&r.Store, "store", r.Store, about("store"))
	fl.StringVar(&f.baseline, "baseline", "", about("baseline"))
	fl.StringVar(&r.Out, "out", "", about("out"))
	fl.BoolVar(&f.full, "full", false, "show whole traces")
	fl.StringVar(&f.html, "html", "", about("html"))
	registerOutput(fl, &f.json, &f.quiet)
}

// trying registers what says what is tried.
func (f *huntFlags) trying(fl *pflag.FlagSet) {
	f.register(fl)
	fl.StringArrayVar(&f.asked.Engines, "engine", nil, "use only this `engine` (repeatable; default all)")
	fl.StringArrayVar(&f.asked.Benign, "benign", nil, "do not report races of this `variable` (repeatable)")
}

func (f *huntFlags) hunt(ctx context.Context, name string) error {
	term := newTerminal(f.json, f.quiet, nil)
	r := f.asked
	r.World, r.File, r.Version = f.request(), name, version()
	baseline, err := job.ReadBaseline(f.baseline)
	if err != nil {
		return err
	}
	page := cmp.Or(f.html, filepath.Join(r.Store, "report.html"))
	found, err := r.Do(ctx, walkingHost(term))
	if err == nil {
		err = writePage(page, func() *report.Findings { return report.HuntPage(found, pageOf(name)) })
	}
	if err != nil {
		return err
	}
	if f.json {
		err = document.Write(stdout, found)
	} else {
		text.Hunt(term.text, found, f.full, page)
	}
	var list []findings.Finding
	for _, x := range found.Findings {
		list = append(list, x.Finding)
	}
	if err == nil && len(findings.Fresh(list, baseline)) > 0 {
		err = errFound
	}
	return err
}
