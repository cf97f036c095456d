package main

import (
	"context"
	"os"

	"github.com/spf13/cobra"

	"motehound/job"
	"motehound/job/document"
	"motehound/show/text"
)

// traceInstrumentFlags are the flags of trace instrument.
type traceInstrumentFlags struct {
	asked job.TraceInstrument
	list  bool
	json  bool
	quiet bool
}

func traceInstrumentCommand() *cobra.Command {
	var f traceInstrumentFlags
	cmd := &cobra.Command{
		Use:   "instrument [flags] FILE [-- COMPILER ARGS...]",
		Short: "Instrument one C file, for builds that compile it themselves",
		Long: `Writes a C file that records its paths, and the map to read them back. The file includes motehound_trace.h; compile it together with
the sources of the runtime, which --runtime-dir writes. If the file is not preprocessed yet, give the compiler and the arguments
that the file is compiled with.

Exit status: 0 something was instrumented, 1 nothing was.`,
		RunE: func(cmd *cobra.Command, args []string) error {
			files, compiler := afterDash(cmd, args)
			if err := exactlyOne("C file", "app.c -- avr-gcc -mmcu=atmega128")(cmd, files); err != nil {
				return err
			}
			return f.run(cmd.Context(), files[0], compiler)
		},
	}
	fl := cmd.Flags()
	registerChoice(fl, &f.asked.TraceChoice)
	fl.StringVarP(&f.asked.Output, "output", "o", "", about("output"))
	fl.Lookup("output").DefValue = "FILE.traced.c"
	fl.StringVar(&f.asked.Runtime, "runtime-dir", "", "write the sources of the runtime into this `directory`")
	fl.BoolVar(&f.list, "list", false, "list all functions that were not changed, and why")
	registerOutput(fl, &f.json, &f.quiet)
	return cmd
}

func (f *traceInstrumentFlags) run(ctx context.Context, file string, compiler []string) error {
	r := f.asked
	r.File, r.Compiler = file, compiler
	doc, err := r.Do(ctx, job.Host{Stderr: os.Stderr})
	if err != nil {
		return err
	}
	switch {
	case f.json:
		if err := document.Write(stdout, doc); err != nil {
			return err
		}
	case !f.quiet:
		text.Instrumented(stdout, doc, f.list)
	}
	if len(doc.Procs) == 0 {
		return errFound
	}
	return nil
}
