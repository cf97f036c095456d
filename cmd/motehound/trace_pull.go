package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"motehound/job"
	"motehound/job/document"
)

// tracePullFlags are the flags of trace pull.
type tracePullFlags struct {
	worldFlags
	logFlags
	asked job.TracePull
	json  bool
	quiet bool
}

func tracePullCommand() *cobra.Command {
	f := tracePullFlags{asked: job.NewTracePull("")}
	cmd := &cobra.Command{
		Use:   "pull [flags] [FIRMWARE|SCENARIO]",
		Short: "Get a mote's trace over a serial line, TCP, or from an emulated network",
		Long: `Gets the log from a traced mote and writes it to a file, for trace decode and trace stats. It asks the mote with TinyOS active
messages of type 84 in serial frames: over a serial port, or over TCP (for example to motehound run --serial N=tcp:PORT). The line
may lead to the mote itself, or to a base station that forwards messages (example:base, TinyOS's BaseStation). Lost messages are
sent again.

With a firmware or a scenario, it runs that for --time, then asks the mote --node over the serial line of the mote --base, or with
--flash reads the mote's external flash directly. Without --node it asks the only mote, or mote 1. --proc gets only the pages that may
contain that procedure.`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error { return f.pull(cmd.Context(), args) },
	}
	fl := cmd.Flags()
	fl.SortFlags = false
	fl.StringVar(&f.asked.Device, "device", "", "the serial `device`, such as /dev/ttyUSB0")
	fl.IntVar(&f.asked.Baud, "baud", f.asked.Baud, "baud rate of --device")
	fl.StringVar(&f.asked.TCP, "tcp", "", "`address` of a TCP port, such as localhost:9001")
	fl.StringSliceVar(&f.asked.Node, "node", nil, about("node"))
	fl.IntVar(&f.asked.Base, "base", f.asked.Base, "node `id` of the emulated mote whose serial line is used (default: the same mote)")
	fl.BoolVar(&f.asked.Flash, "flash", false, "read the emulated mote's flash directly")
	fl.IntVar(&f.asked.Bytes, "bytes", 0, "get only this many bytes, the newest")
	fl.StringVar(&f.asked.Proc, "proc", "", about("proc"))
	fl.StringVar(&f.asked.Since, "since", "", "get only what is newer than this time of a boot, in seconds (`BOOT:TIME`)")
	fl.DurationVar(&f.asked.Wait, "wait", f.asked.Wait, "how long to wait for an answer")
	fl.StringVarP(&f.asked.Output, "output", "o", f.asked.Output, about("output"))
	f.logFlags.register(fl)
	f.worldFlags.register(fl)
	registerOutput(fl, &f.json, &f.quiet)
	return cmd
}

func (f *tracePullFlags) pull(ctx context.Context, args []string) error {
	term := newTerminal(f.json, f.quiet, nil)
	r := f.asked
	r.World, r.Log = f.request(), f.Log
	if len(args) == 1 {
		r.File = args[0]
	}
	doc, failed := r.Do(ctx, term.host())
	if doc == nil {
		return failed
	}
	if f.json {
		return errors.Join(failed, document.Write(stdout, doc))
	}
	what := ""
	if len(doc.LeftOut) > 0 {
		what = ", not all of them"
	}
	fmt.Fprintf(stdout, "%s: %d pages%s; motehound trace decode shows them\n", doc.File, doc.Pages, what)
	return failed
}
