package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"motehound/job"
)

// traceCCFlags are the flags of trace cc.
type traceCCFlags struct {
	asked  job.TraceCC
	script string
	quiet  bool
}

func traceCCCommand() *cobra.Command {
	f := traceCCFlags{asked: job.NewTraceCC()}
	cmd := &cobra.Command{
		Use:   "cc [flags] -- COMPILER ARGS...",
		Short: "Compile with instrumentation and link the runtime, as a drop-in for the compiler",
		Long: `Runs a compiler command, and makes the program record its paths. Where the command compiles C, code is added to the preprocessed
source, and the runtime is linked with the object that has main. All other commands run unchanged. What cannot be instrumented
is compiled unchanged and listed in the map.

  make CC="motehound trace cc -- avr-gcc"                        (Contiki, and most makefiles)
  motehound trace cc --script tracing-gcc -- avr-gcc             (a script, for builds that need a one-word compiler name)
  make micaz GCC=$PWD/tracing-gcc                                (TinyOS)`,
		RunE: func(cmd *cobra.Command, args []string) error { return f.run(cmd, args) },
	}
	fl := cmd.Flags()
	registerChoice(fl, &f.asked.TraceChoice)
	fl.IntVar(&f.asked.Procs, "procs", 0, "largest `number` of procedures, the same for all files; up to 64 gives a smaller trace "+
		"(default: exact for whole programs, else 16384)")
	fl.StringVar(&f.asked.Runtime, "runtime", f.asked.Runtime, "what to link: "+strings.Join(job.Runtimes(), ", ")+
		" (own: your own flash functions, see motehound_trace_port.h)")
	fl.BoolVar(&f.asked.Query, "query", false, "link the query service even if main's file does not use it; for Contiki, also a process that answers")
	fl.IntVar(&f.asked.Stack, "stack", f.asked.Stack, "do not link if fewer `bytes` of RAM are left for the stack")
	fl.StringVar(&f.asked.Keep, "keep", "", "keep the instrumented sources in this `directory`")
	fl.StringVar(&f.script, "script", "", "only write a script to this `file` that does the same")
	fl.BoolVarP(&f.quiet, "quiet", "q", false, about("quiet"))
	return cmd
}

func (f *traceCCFlags) run(cmd *cobra.Command, args []string) error {
	before, command := afterDash(cmd, args)
	if len(before) > 0 {
		return fmt.Errorf("%s: write the compiler after --", before[0])
	}
	if len(command) == 0 {
		return fmt.Errorf("the compiler is missing; for example: %s -- avr-gcc -mmcu=atmega128 -Os -o app.elf app.c", cmd.CommandPath())
	}
	if f.script != "" {
		if err := f.asked.Check(); err != nil {
			return err
		}
		return f.writeScript(cmd.Flags(), command)
	}
	r, host := f.asked, job.Host{Stdout: os.Stdout, Stderr: os.Stderr, Notes: os.Stderr}
	if f.quiet {
		host.Notes = nil
	}
	r.Command = command
	switch status, err := r.Do(cmd.Context(), host); {
	case err != nil:
		return err
	case status != 0:
		return errFound // the compiler has said what
	}
	return nil
}

// writeScript writes a shell script for builds that take a compiler's name, but no arguments with it. Names of files in it do not
// depend on where it is run.
func (f *traceCCFlags) writeScript(fl *pflag.FlagSet, command []string) error {
	program, err := os.Executable()
	if err != nil {
		return err
	}
	words := []string{"exec", program, "trace", "cc"}
	fl.Visit(func(x *pflag.Flag) {
		switch value := x.Value.String(); x.Name {
		case "script":
		case "trace-map", "keep":
			absolute, absErr := filepath.Abs(value)
			err = errors.Join(err, absErr)
			words = append(words, "--"+x.Name+"="+absolute)
		default:
			if many, ok := x.Value.(pflag.SliceValue); ok {
				value = strings.Join(many.GetSlice(), ",")
			}
			words = append(words, "--"+x.Name+"="+value)
		}
	})
	if err != nil {
		return err
	}
	if !fl.Changed("trace-map") {
		absolute, err := filepath.Abs(f.asked.Map)
		if err != nil {
			return err
		}
		words = append(words, "--trace-map="+absolute)
	}
	words = append(append(words, "--"), command...)
	for i, w := range words {
		words[i] = shellWord(w)
	}
	text := "#!/bin/sh\n" + strings.Join(words, " ") + " \"$@\"\n"
	if err := job.WriteFile("--script", f.script, func(to io.Writer) error { _, err := io.WriteString(to, text); return err }); err != nil {
		return err
	}
	return os.Chmod(f.script, 0o777)
}
