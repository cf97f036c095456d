package main

import (
	"github.com/spf13/cobra"

	"motehound/job"
	"motehound/job/document"
	"motehound/show/text"
)

// traceStatsFlags are the flags of trace stats.
type traceStatsFlags struct {
	logFlags
	asked job.TraceStats
	json  bool
	quiet bool
}

func traceStatsCommand() *cobra.Command {
	f := traceStatsFlags{asked: job.NewTraceStats("")}
	cmd := &cobra.Command{
		Use:   "stats [flags] LOG",
		Short: "Count procedures, paths and gaps in a mote's trace, and its compression",
		Args:  exactlyOne("log", "trace.bin"),
		RunE:  func(cmd *cobra.Command, args []string) error { return f.stats(args[0]) },
	}
	fl := cmd.Flags()
	f.register(fl)
	fl.IntVar(&f.asked.Top, "top", f.asked.Top, about("top"))
	registerOutput(fl, &f.json, &f.quiet)
	return cmd
}

func (f *traceStatsFlags) stats(name string) error {
	term := newTerminal(f.json, f.quiet, nil)
	r := f.asked
	r.Log, r.Trace = f.Log, name
	s, err := r.Do(term.host())
	if err != nil {
		return err
	}
	if f.json {
		return document.Write(stdout, s)
	}
	text.TraceStats(stdout, s)
	return nil
}
