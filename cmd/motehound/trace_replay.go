package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"motehound/job"
	"motehound/job/document"
	"motehound/show/text"
)

// traceReplayFlags are the flags of trace replay.
type traceReplayFlags struct {
	worldFlags
	logFlags
	asked job.TraceReplay
	json  bool
	quiet bool
}

func traceReplayCommand() *cobra.Command {
	f := traceReplayFlags{asked: job.NewTraceReplay("", "")}
	cmd := &cobra.Command{
		Use:   "replay [flags] LOG FIRMWARE|SCENARIO",
		Short: "Look for a run in the emulator that leaves the same trace",
		Long: `Searches for a run in the emulator that leaves the same trace as the mote. It runs the traced firmware and compares every event with
the log. Where they differ, it goes back and tries something else: other sensor readings, frames that are lost or not, inaccurate
crystals (--drift), other boot times, messages from the host (--may-send). The run that matches the whole trace is written as a
recipe for motehound replay. --node is the mote of the log (default: the first whose firmware it is); --boot is the boot to
match (default: the one that the last reset ended).

Exit status: 0 a run was found, 1 none was found within --tries and --budget. The latter proves nothing.`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) != 2 {
				return fmt.Errorf("give a log and its firmware, for example: %s --trace-map trace-map.json trace.bin app.elf", cmd.CommandPath())
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error { return f.replay(cmd.Context(), args[0], args[1]) },
	}
	fl := cmd.Flags()
	fl.SortFlags = false
	fl.StringSliceVar(&f.asked.Node, "node", nil, about("node"))
	fl.IntVar(&f.asked.Boot, "boot", f.asked.Boot, about("boot"))
	fl.StringArrayVar(&f.asked.MaySend, "may-send", nil, "the host may send this active message over the mote's serial line at any time (`TYPE:HEX`, repeatable)")
	fl.IntVar(&f.asked.Tries, "tries", f.asked.Tries, "number of runs, or parts of runs, to try")
	fl.DurationVar(&f.asked.Budget, "budget", f.asked.Budget, about("budget"))
	fl.StringVarP(&f.asked.Output, "output", "o", f.asked.Output, about("output"))
	f.logFlags.register(fl)
	f.worldFlags.register(fl)
	fl.Lookup("time").DefValue = "the length of the log, and somewhat more"
	registerOutput(fl, &f.json, &f.quiet)
	return cmd
}

func (f *traceReplayFlags) replay(ctx context.Context, name, firmware string) error {
	term := newTerminal(f.json, f.quiet, nil)
	r := f.asked
	r.World, r.Log, r.Trace, r.File = f.request(), f.Log, name, firmware
	doc, err := r.Do(ctx, term.host())
	if err != nil {
		return err
	}
	if f.json {
		err = document.Write(stdout, doc)
	} else {
		text.ReplayedTrace(stdout, doc)
	}
	if err == nil && doc.Recipe == "" {
		return errFound
	}
	return err
}
