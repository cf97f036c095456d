package main

import (
	"context"
	"os"

	"github.com/spf13/cobra"
	"github.com/vbauerster/mpb/v8/cwriter"

	"motehound/job"
	"motehound/job/document"
	"motehound/job/phrase"
	"motehound/show/text"
)

// traceDecodeFlags are the flags of trace decode.
type traceDecodeFlags struct {
	logFlags
	asked job.TraceDecode
	json  bool
	quiet bool
}

func traceDecodeCommand() *cobra.Command {
	f := traceDecodeFlags{asked: job.NewTraceDecode("")}
	cmd := &cobra.Command{
		Use:   "decode [flags] LOG",
		Short: "Show a mote's trace as procedures, paths and source lines",
		Long: `Shows what ran on a traced mote, from its log: the file that trace pull wrote, or a copy of its flash. It shows the procedures, the path
that each took through its source lines, and by indentation who interrupted whom. Missing parts (pages overwritten or damaged,
events for which the mote had no room) are marked where they are missing. --firmware checks that the map belongs to the firmware.
--lifecycle takes the clock and the names of interrupts from --board. Exit status: 0 the log is complete, 1 something is missing.`,
		Args: exactlyOne("log", "trace.bin"),
		RunE: func(cmd *cobra.Command, args []string) error { return f.decode(cmd.Context(), args[0]) },
	}
	fl := cmd.Flags()
	f.register(fl)
	fl.StringVar(&f.asked.Firmware, "firmware", "", about("firmware"))
	fl.StringVar(&f.asked.Proc, "proc", "", about("proc"))
	fl.IntVar(&f.asked.Boot, "boot", f.asked.Boot, about("boot"))
	fl.IntVar(&f.asked.Last, "last", 0, "show only this many `lines`, the last ones")
	fl.StringVar(&f.asked.Lifecycle, "lifecycle", "", about("lifecycle"))
	fl.StringVar(&f.asked.Board, "board", f.asked.Board, about("board"))
	registerOutput(fl, &f.json, &f.quiet)
	return cmd
}

func (f *traceDecodeFlags) decode(ctx context.Context, name string) error {
	term := newTerminal(f.json, f.quiet, nil)
	r := f.asked
	r.Log, r.Trace = f.Log, name
	d, err := r.Do(term.host())
	if err != nil {
		return err
	}
	if !cwriter.IsTerminal(int(os.Stdout.Fd())) { // else the lines are there
		term.doing("decoding %s", phrase.Counted(d.Document.Pages, "page"))
	}
	if f.json {
		err = d.Document.Write(stdout, func(give func(document.TraceLine) error) error { return d.Each(ctx, give) })
	} else {
		err = text.Trace(ctx, stdout, d)
	}
	term.clear()
	if err != nil {
		return err
	}
	if d.Document.Gaps > 0 || d.Document.Unread > 0 {
		term.note("%d gaps in %d pages; %d parts of the flash are not log pages", d.Document.Gaps, d.Document.Pages, d.Document.Unread)
		return errFound
	}
	return nil
}
