package main

import (
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"motehound/job"
)

func traceCommand() *cobra.Command {
	return family(&cobra.Command{
		Use:   "trace",
		Short: "Build firmware that records its path, and read the record back",
		Long: `Builds firmware that records its own control flow, interrupts and tasks included, in its flash (Lightweight Tracing). After a
fault the log shows which procedures ran, on which paths, in which source lines. docs/tracing.md explains it.`,
	}, traceCCCommand(), traceComponentCommand(), traceInstrumentCommand(), traceDecodeCommand(), tracePullCommand(), traceStatsCommand(), traceReplayCommand())
}

// registerChoice adds the flags that say what to instrument.
func registerChoice(fl *pflag.FlagSet, c *job.TraceChoice) {
	fl.SortFlags = false
	fl.StringSliceVar(&c.Components, "component", nil, about("component"))
	fl.StringSliceVar(&c.Sources, "file", nil, about("file"))
	fl.StringSliceVar(&c.Functions, "function", nil, about("function"))
	fl.StringSliceVar(&c.Kinds, "kind", nil, "only functions of this `kind`: interrupt, task or plain (repeatable)")
	fl.StringSliceVar(&c.Exclude, "exclude", nil, about("exclude"))
	fl.StringSliceVar(&c.Silent, "silent", nil, "functions in other files that call nothing traced and do not change the interrupt flag")
	fl.BoolVar(&c.SinglePath, "single-path", false, "also trace single-path functions, whose execution callers' paths already imply")
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
