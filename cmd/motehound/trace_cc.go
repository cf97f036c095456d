package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"motehound/firmware/disk"
	"motehound/firmware/pathtrace/driver"
	"motehound/firmware/pathtrace/instrument"
	"motehound/job/phrase"
)

// traceCCFlags are the flags of trace cc.
type traceCCFlags struct {
	choiceFlags
	procs   int
	runtime string
	query   bool
	stack   int
	keep    string
	script  string
	quiet   bool
}

func traceCCCommand() *cobra.Command {
	var f traceCCFlags
	cmd := &cobra.Command{
		Use:   "cc [flags] -- COMPILER ARGS...",
		Short: "Compile with instrumentation and link the runtime, as a drop-in for the compiler",
		Long: `Runs a compiler's command. Where it compiles C, what was preprocessed is instrumented on the way, and the runtime is linked with
the object that has main. All other commands run as they are, and what cannot be instrumented is compiled as it is and listed
in the map.

  make CC="motehound trace cc -- avr-gcc"                        (Contiki, and most makefiles)
  motehound trace cc --script tracing-gcc -- avr-gcc             (a program of one word, for builds that want that)
  make micaz GCC=$PWD/tracing-gcc                                (TinyOS)`,
		RunE: func(cmd *cobra.Command, args []string) error { return f.run(cmd, args) },
	}
	fl := cmd.Flags()
	f.register(fl)
	fl.IntVar(&f.procs, "procs", 0, "an upper bound of the `number` of procedures, the same for all files: up to 64 make for a smaller trace "+
		"(default exact for whole programs, else 16384)")
	fl.StringVar(&f.runtime, "runtime", string(driver.AT45DB), "what to link: "+phrase.List(driver.Runtimes, func(r driver.Runtime) string { return string(r) })+
		" (own: your functions for a flash, see motehound_trace_port.h)")
	fl.BoolVar(&f.query, "query", false, "link the query service, even if the file with main does not call it; with Contiki, also a process that answers")
	fl.IntVar(&f.stack, "stack", driver.LeastStack, "refuse to link if fewer `bytes` of memory are left for the stack")
	fl.StringVar(&f.keep, "keep", "", "keep the instrumented sources in this `directory`")
	fl.StringVar(&f.script, "script", "", "only write a `file` that does the same with the arguments it is given")
	fl.BoolVarP(&f.quiet, "quiet", "q", false, about("quiet"))
	return cmd
}

func (f *traceCCFlags) run(cmd *cobra.Command, args []string) error {
	before, command := afterDash(cmd, args)
	if len(before) > 0 {
		return fmt.Errorf("%s: put the compiler behind --", before[0])
	}
	if len(command) == 0 {
		return fmt.Errorf("which compiler? For example: %s -- avr-gcc -mmcu=atmega128 -Os -o app.elf app.c", cmd.CommandPath())
	}
	o, err := f.options()
	if err != nil {
		return err
	}
	if f.script != "" {
		return f.writeScript(cmd.Flags(), command)
	}
	return f.compile(cmd.Context(), o, command)
}

func (f *traceCCFlags) options() (driver.Options, error) {
	choice, err := f.choice()
	if err != nil {
		return driver.Options{}, err
	}
	if f.procs < 0 || f.procs > instrument.MaxProcs {
		return driver.Options{}, fmt.Errorf("--procs %d: give 1 to %d", f.procs, instrument.MaxProcs)
	}
	if !slices.Contains(driver.Runtimes, driver.Runtime(f.runtime)) {
		return driver.Options{}, fmt.Errorf("--runtime %s: give %s", f.runtime, phrase.List(driver.Runtimes, func(r driver.Runtime) string { return string(r) }))
	}
	o := driver.Options{Choice: choice, Map: f.mapFile, Procs: f.procs, Runtime: driver.Runtime(f.runtime), Query: f.query, Stack: f.stack,
		Keep: f.keep, Note: os.Stderr, Stdout: os.Stdout, Stderr: os.Stderr}
	if f.quiet {
		o.Note = nil
	}
	return o, nil
}

func (f *traceCCFlags) compile(ctx context.Context, o driver.Options, command []string) error {
	switch status, err := driver.Run(ctx, o, command); {
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
		absolute, err := filepath.Abs(f.mapFile)
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
	if err := disk.Write(f.script, []byte(text), 0o777); err != nil {
		return err
	}
	return os.Chmod(f.script, 0o777)
}
