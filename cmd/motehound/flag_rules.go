package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"motehound/job"
)

// given is what the user wrote.
type given struct {
	*pflag.FlagSet
	args []string
}

func (g given) any(names ...string) bool { return slices.ContainsFunc(names, g.Changed) }

func (g given) value(name string) string {
	if f := g.Lookup(name); f != nil {
		return f.Value.String()
	}
	return ""
}

// scenario tells whether all that is to run are scenarios.
func (g given) scenario() bool {
	return len(g.args) > 0 && !slices.ContainsFunc(g.args, func(a string) bool { return !job.IsScenario(a) })
}

// flagRule says when flags would do nothing: then they are refused.
type flagRule struct {
	commands []string
	flags    string
	idle     func(given) bool
	why      string
}

const worldOnly = "board chip hz fuses nodes first-id id-symbol sensor serial-in serial-to serial-at serial-baud serial-pause button frame topology loss gain stagger drift"

var flagRules = []flagRule{
	{[]string{"run", "mine", "model mine", "model verify", "check", "fuzz", "hunt", "symbolic", "trace pull"}, worldOnly, given.scenario,
		"the scenario sets that; change it there, or make it a parameter and use --param"},
	{[]string{"trace replay"}, worldOnly, func(g given) bool { return len(g.args) == 2 && job.IsScenario(g.args[1]) },
		"the scenario sets that; change it there, or make it a parameter and use --param"},
	{[]string{"mine", "model mine", "model verify"}, "time seed sensor serial-in button frame topology loss gain stagger drift", func(g given) bool { return g.any("trace") },
		"--trace makes no run: it reads the log of a mote"},
	{[]string{"mine", "model mine", "model verify"}, "trace-map layout", func(g given) bool { return !g.any("trace") },
		"it is only for reading the log that --trace names"},
	{[]string{"run", "replay"}, "full-checks watchdog", func(g given) bool { return g.any("no-checks") }, "--no-checks switches all checks off"},
	{[]string{"run", "replay"}, "gdb-anyone", func(g given) bool { return !g.any("gdb") }, "only --gdb listens"},
	{[]string{"run"}, "serial", func(g given) bool { return g.any("gdb") },
		"gdb goes back and forth in time, and the host cannot; keep the run with --out DIR, then use replay --gdb"},
	{[]string{"check"}, "depth reduce stateless steady", func(g given) bool { return g.value("mode") == "walk" }, "--mode walk makes no search"},
	{[]string{"check"}, "events total walks prefix heal unguided", func(g given) bool { return g.value("mode") == "search" }, "--mode search makes no walks"},
	{[]string{"check"}, "unguided", func(g given) bool { return g.any("heal") }, "with --heal no walk is guided"},
	{[]string{"check"}, "all", func(g given) bool { return g.value("mode") == "search" }, "a search reports all its findings anyway"},
	{[]string{"check", "fuzz", "hunt"}, "full", func(g given) bool { return g.any("json") }, "--json always contains whole traces"},
	{[]string{"trace instrument"}, "list", func(g given) bool { return g.any("json", "quiet") }, "--json always lists them, and --quiet never does"},
	{[]string{"model mine"}, "force", func(g given) bool { return !g.any("models") }, "without --models nothing is written"},
	{[]string{"model show"}, "firmware", func(g given) bool { return !g.any("html", "svg", "dot") }, "only --html, --svg and --dot use source files"},
	{[]string{"model show"}, "model", func(g given) bool { return g.any("json") }, "--json always prints the whole file"},
	{[]string{"trace decode"}, "board", func(g given) bool { return !g.any("lifecycle") }, "only --lifecycle uses it"},
	{[]string{"trace component"}, "over", func(g given) bool { return !g.any("app") }, "only --app uses it"},
	{[]string{"trace pull"}, worldOnly + " time seed param base flash", func(g given) bool { return g.any("device", "tcp") },
		"it is for emulated motes, and --device and --tcp ask a real one"},
	{[]string{"trace pull"}, "baud", func(g given) bool { return !g.any("device") }, "only --device has a baud rate"},
	{[]string{"trace pull"}, "base bytes proc since wait", func(g given) bool { return g.any("flash") }, "--flash reads the whole flash without asking the mote"},
	{[]string{"trace pull"}, "trace-map", func(g given) bool { return !g.any("proc") }, "it is only needed for a --proc given by name"},
}

// checkRules refuses flags that would do nothing.
func checkRules(cmd *cobra.Command, args []string) error {
	g := given{cmd.Flags(), args}
	for _, r := range flagRules {
		if !slices.Contains(r.commands, commandName(cmd)) {
			continue
		}
		for _, name := range strings.Fields(r.flags) {
			if g.Changed(name) && r.idle(g) {
				return fmt.Errorf("--%s has no effect here: %s", name, r.why)
			}
		}
	}
	return nil
}
