package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"motehound/firmware/pathtrace/cflow"
	"motehound/firmware/pathtrace/instrument"
	"motehound/job"
	"motehound/job/phrase"
)

func traceCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "trace",
		Short: "Have a deployed mote record the path it takes, and read it back",
		Long: `Builds firmware that records its exact control flow, interrupts and tasks included, in a few bytes for each procedure, in its
own flash (Lightweight Tracing), and turns what it recorded into procedures, paths and source lines. docs/tracing.md has the
whole story.`,
		Args: unknownCommand,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(traceCCCommand(), traceComponentCommand(), traceInstrumentCommand(), traceDecodeCommand(), tracePullCommand(), traceStatsCommand(), traceReplayCommand())
	return cmd
}

// choiceFlags are those that say what to instrument.
type choiceFlags struct {
	components, files, functions, kinds, except, silent []string
	all                                                 bool
	mapFile                                             string
}

func (f *choiceFlags) register(fl *pflag.FlagSet) {
	fl.SortFlags = false
	fl.StringSliceVar(&f.components, "component", nil, about("component"))
	fl.StringSliceVar(&f.files, "file", nil, about("file"))
	fl.StringSliceVar(&f.functions, "function", nil, about("function"))
	fl.StringSliceVar(&f.kinds, "kind", nil, "only functions of this `kind`: interrupt, task or plain (repeatable)")
	fl.StringSliceVar(&f.except, "exclude", nil, about("exclude"))
	fl.StringSliceVar(&f.silent, "silent", nil, "functions elsewhere that call nothing which is traced, and leave interrupts as they are")
	fl.BoolVar(&f.all, "single-path", false, "also functions with a single path, whose execution callers' paths already imply")
	fl.StringVar(&f.mapFile, "trace-map", job.DefaultMap, about("trace-map"))
}

func (f *choiceFlags) choice() (instrument.Choice, error) {
	c := instrument.Choice{Components: f.components, Files: f.files, Functions: f.functions, Except: f.except, All: f.all, Silent: f.silent}
	kinds := []cflow.Kind{cflow.Plain, cflow.Interrupt, cflow.Task}
	for _, name := range f.kinds {
		n := len(c.Kinds)
		for _, k := range kinds {
			if k.String() == name {
				c.Kinds = append(c.Kinds, k)
			}
		}
		if len(c.Kinds) == n {
			return c, fmt.Errorf("--kind %s: give %s", name, phrase.List(kinds, cflow.Kind.String))
		}
	}
	return c, c.Check()
}

// afterDash is the command behind the double dash.
func afterDash(cmd *cobra.Command, args []string) (before, after []string) {
	if at := cmd.ArgsLenAtDash(); at >= 0 {
		return args[:at], args[at:]
	}
	return args, nil
}

// shellWord quotes a word for a shell.
func shellWord(s string) string {
	if s != "" && strings.Trim(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./:,@%") == "" {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
