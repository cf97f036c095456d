package main

import (
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"motehound/job"
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

// registerChoice adds the flags that say what to instrument.
func registerChoice(fl *pflag.FlagSet, c *job.TraceChoice) {
	fl.SortFlags = false
	fl.StringSliceVar(&c.Components, "component", nil, about("component"))
	fl.StringSliceVar(&c.Sources, "file", nil, about("file"))
	fl.StringSliceVar(&c.Functions, "function", nil, about("function"))
	fl.StringSliceVar(&c.Kinds, "kind", nil, "only functions of this `kind`: interrupt, task or plain (repeatable)")
	fl.StringSliceVar(&c.Exclude, "exclude", nil, about("exclude"))
	fl.StringSliceVar(&c.Silent, "silent", nil, "functions elsewhere that call nothing which is traced, and leave interrupts as they are")
	fl.BoolVar(&c.SinglePath, "single-path", false, "also functions with a single path, whose execution callers' paths already imply")
	fl.StringVar(&c.Map, "trace-map", job.DefaultMap, about("trace-map"))
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
