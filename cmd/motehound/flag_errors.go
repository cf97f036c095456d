package main

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"motehound/job/phrase"
)

// flagError says what is wrong with a flag, and what to write instead.
func flagError(cmd *cobra.Command, err error) error {
	unknown, invalid, missing := new(pflag.NotExistError), new(pflag.InvalidValueError), new(pflag.ValueRequiredError)
	switch {
	case errors.As(err, &unknown):
		if unknown.GetSpecifiedShortnames() != "" {
			return fmt.Errorf("%s has no flag -%s", cmd.CommandPath(), unknown.GetSpecifiedName())
		}
		return unknownFlag(cmd, unknown.GetSpecifiedName())
	case errors.As(err, &invalid):
		f := invalid.GetFlag()
		return fmt.Errorf("--%s %s: %s", f.Name, invalid.GetValue(), wantedValue(f, invalid.GetValue(), errors.Unwrap(invalid)))
	case errors.As(err, &missing):
		f := missing.GetFlag()
		name, about := pflag.UnquoteUsage(f)
		return fmt.Errorf("--%s needs a value (%s): %s", f.Name, name, about)
	}
	return err
}

// wantedValue says what a flag takes.
func wantedValue(f *pflag.Flag, given string, cause error) string {
	_, notNumber := strconv.ParseFloat(given, 64)
	switch f.Value.Type() {
	case "duration":
		if notNumber == nil {
			return fmt.Sprintf("the unit is missing: write %ss for seconds or %sms for milliseconds", given, given)
		}
		return "write a time with its unit, such as 10s, 20ms or 1m30s"
	case "int", "uint32", "uint64":
		return "give a whole number"
	case "float64":
		return "give a number"
	case "bool":
		return "write true or false, or no value"
	}
	return cause.Error()
}

// renamed is the flags that had another name, or another meaning under theirs, and what to write now.
var renamed = map[string]map[string]string{
	"mine":             {"map": "trace-map"},
	"model mine":       {"map": "trace-map"},
	"model verify":     {"map": "trace-map"},
	"symbolic":         {"skew": "delay", "scenarios": "outcomes"},
	"trace cc":         {"map": "trace-map", "all": "single-path", "except": "exclude"},
	"trace instrument": {"map": "trace-map", "all": "single-path", "except": "exclude", "out": "output", "runtime": "runtime-dir"},
	"trace decode":     {"map": "trace-map"},
	"trace stats":      {"map": "trace-map"},
	"trace pull":       {"map": "trace-map", "mote": "node", "serial": "device", "out": "output"},
	"trace replay":     {"map": "trace-map", "mote": "node", "out": "output"},
}

// refused is why commands do not have a flag that others like them have.
var refused = map[string]map[string]string{
	"check": {
		"time":    "it explores orders of events, not a span of time; limit it with --depth, --events or --budget",
		"drift":   "its motes have no common clock, so it already explores every order that drifting clocks could cause",
		"stagger": "it already explores every order in which the motes can boot",
		"pcap":    "it makes many runs; 'run --pcap' writes the frames of one",

		"serial-at":    anyMoment,
		"serial-pause": anyMoment,
		"serial-baud":  "characters arrive at the firmware's own rate",
	},
	"fuzz": {
		"time":    "it makes up inputs, for no span of time; limit it with --total or --budget",
		"drift":   "its motes have no common clock",
		"stagger": "its motes have no common clock",
		"pcap":    "it makes many runs; 'run --pcap' writes the frames of one",

		"serial-at":    anyMoment,
		"serial-pause": anyMoment,
		"serial-baud":  "characters arrive at the firmware's own rate",
	},
	"symbolic": {
		"loss":    "it follows every choice instead of drawing one; write in a scenario how many frames may be lost: faults = [lose(max = 2)]",
		"drift":   "its clocks are exact; give single motes a drift in a scenario: mote(drift = 20)",
		"stagger": "its motes boot at fixed times; set them in a scenario: mote(boot = \"20ms\")",
		"pcap":    "it makes many runs; 'run --pcap' writes the frames of one",
	},
	"mine":         {"pcap": sameRun},
	"model mine":   {"pcap": sameRun},
	"model verify": {"pcap": sameRun},
	"trace pull":   {"pcap": sameRun},
	"trace replay": {"pcap": "it makes many runs; 'run --pcap' writes the frames of one"},
}

const anyMoment = "it already explores when each character of --serial-in comes"

const sameRun = "'run --pcap' with the same flags makes the same run and writes its frames"

// unknownFlag is what to say of a flag that a command does not have: what it is called now, why there is none, where it works, or what may
// have been meant.
func unknownFlag(cmd *cobra.Command, name string) error {
	command := commandName(cmd)
	if now := renamed[command][name]; now != "" {
		return fmt.Errorf("%s has no --%s: the flag is --%s now (%s)", cmd.CommandPath(), name, now, plain(cmd.Flag(now)))
	}
	var has, own []string
	walkCommands(cmd.Root(), func(c *cobra.Command) {
		if c.Flags().Lookup(name) != nil {
			has = append(has, commandName(c))
		}
	})
	if why := refused[command][name]; why != "" {
		return fmt.Errorf("%s has no --%s: %s", cmd.CommandPath(), name, why)
	}
	cmd.Flags().VisitAll(func(f *pflag.Flag) { own = append(own, "--"+f.Name) })
	hint := phrase.DidYouMean("--"+name, own)
	switch {
	case len(has) > 0 && command == "":
		return fmt.Errorf("write --%s after the command; these commands have it: %s", name, phrase.OneOf(has))
	case len(has) > 0:
		return fmt.Errorf("%s has no --%s; these commands have it: %s%s", cmd.CommandPath(), name, strings.Join(has, ", "), hint)
	}
	return fmt.Errorf("%s has no flag --%s%s", cmd.CommandPath(), name, hint)
}

// plain is what a flag does, without marks.
func plain(f *pflag.Flag) string {
	_, text := pflag.UnquoteUsage(f)
	return text
}

// walkCommands visits the commands that a user can give.
func walkCommands(cmd *cobra.Command, visit func(*cobra.Command)) {
	visit(cmd)
	for _, c := range cmd.Commands() {
		if !c.Hidden && c.Name() != "completion" && c.Name() != "help" {
			walkCommands(c, visit)
		}
	}
}

// unknownCommand refuses arguments of a command that only has subcommands.
func unknownCommand(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	var names []string
	for _, c := range cmd.Commands() {
		if c.IsAvailableCommand() {
			names = append(names, c.Name())
		}
	}
	return fmt.Errorf("unknown command %q of %s; choose one of %s%s", args[0], cmd.CommandPath(), strings.Join(names, ", "), phrase.DidYouMean(args[0], names))
}
