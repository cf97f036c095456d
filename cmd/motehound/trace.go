package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"motehound/firmware/pathtrace/cflow"
	"motehound/firmware/pathtrace/instrument"
)

func traceCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "trace",
		Short: "Build firmware that records its path, and read the record back",
		Long: `Builds firmware that records its own control flow, interrupts and tasks included, in its flash (Lightweight Tracing). After a
fault the log shows which procedures ran, on which paths, in which source lines. docs/tracing.md explains it.`,
		Args: unknownCommand,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(traceCCCommand(), traceComponentCommand(), traceInstrumentCommand(), traceDecodeCommand(), tracePullCommand(), traceStatsCommand(), traceReplayCommand())
	return cmd
}

// defaultMap is the map's file where none is given.
const defaultMap = "trace-map.json"

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
	fl.StringSliceVar(&f.silent, "silent", nil, "functions in other files that call nothing traced and do not change the interrupt flag")
	fl.BoolVar(&f.all, "single-path", false, "also trace single-path functions, whose execution callers' paths already imply")
	fl.StringVar(&f.mapFile, "trace-map", defaultMap, about("trace-map"))
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
			return c, fmt.Errorf("--kind %s: give %s", name, list(kinds, cflow.Kind.String))
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
