package main

import (
	"context"
	"io"

	"github.com/spf13/cobra"

	"motehound/job"
	"motehound/show/export"
	"motehound/show/report"
	"motehound/show/text"
)

// fuzzFlags are those of fuzz.
type fuzzFlags struct {
	checkFlags
	corpus string
	replay bool
	lcov   string
}

const fuzzHelp = `Makes up what comes to a mote from outside: bytes on serial lines, frames on the air, readings of sensors. No scenario is needed: it finds
out what the firmware listens to. Input comes when the firmware has room for it, byte by byte. Messages are made from what the motes
send in an ordinary run, from constants and texts in the code, and from formats such as TinyOS active messages, IEEE 802.15.4, SLIP
and lines of text. They are changed by bits, bytes, lengths and fields.

After every event it checks the use of memory and of the kernel, and the properties of the scenario, as 'motehound check' does. A
finding is shortened to few events and few bytes, replayed, and shown. --out DIR keeps its recipe for 'motehound replay', and a log
for --resume. The command stops at the first finding; --all continues.

The verdict is "violated", or "unknown" with what was left out: inputs that were not tried. Exit status: 1 something is violated, 0
nothing is.`

func fuzzCommand() *cobra.Command {
	f := fuzzFlags{checkFlags: checkFlags{asked: job.NewFuzz("").Check}}
	cmd := &cobra.Command{Use: "fuzz [flags] FIRMWARE|SCENARIO", Short: "Make up inputs that break something", Long: fuzzHelp}
	cmd.Args = exactlyOne("firmware file or scenario", "example:overrun")
	cmd.RunE = func(cmd *cobra.Command, args []string) error { return f.fuzz(cmd.Context(), args[0]) }
	f.walking(cmd.Flags())
	cmd.Flags().StringVar(&f.corpus, "corpus", "", "begin with the inputs in this `folder`, one per file")
	cmd.Flags().BoolVar(&f.replay, "replay-corpus", false, "make up nothing: try the inputs of --corpus again")
	cmd.Flags().StringVar(&f.lcov, "lcov", "", about("lcov"))
	return cmd
}

func (f *fuzzFlags) fuzz(ctx context.Context, name string) error {
	term := newTerminal(f.json, f.quiet, nil)
	r := job.Fuzz{Check: f.asked, Corpus: f.corpus, Replay: f.replay}
	r.World, r.File = f.request(), name
	found, err := r.Do(ctx, walkingHost(term))
	if err == nil {
		err = job.WriteFile("--lcov", f.lcov, func(to io.Writer) error { return export.LCOV(to, "fuzz", found.Covered) })
	}
	if err == nil {
		err = writePage(f.html, func() *report.Findings { return report.FuzzPage(found, pageOf(name)) })
	}
	if err != nil {
		return err
	}
	return answer(f.json, found.Document, found.Document.Verdict, func() { text.Fuzz(term.text, found, f.full, r.Out != "") })
}
