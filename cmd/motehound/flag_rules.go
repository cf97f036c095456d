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

const worldOnly = "board chip hz fuses nodes first-id id-symbol sensor topology loss gain stagger drift"

var flagRules = []flagRule{
	{[]string{"run", "mine", "model mine", "model verify", "check", "symbolic", "trace pull"}, worldOnly, given.scenario,
		"the scenario says that; change it there, or make it a parameter there and give --param"},
	{[]string{"trace replay"}, worldOnly, func(g given) bool { return len(g.args) == 2 && job.IsScenario(g.args[1]) },
		"the scenario says that; change it there, or make it a parameter there and give --param"},
	{[]string{"mine", "model mine", "model verify"}, "time seed sensor topology loss gain stagger drift", func(g given) bool { return g.any("trace") },
		"--trace runs nothing: what the mote did is in the log"},
	{[]string{"mine", "model mine", "model verify"}, "trace-map layout", func(g given) bool { return !g.any("trace") },
		"it says how to read the log of --trace, and there is none"},
	{[]string{"check"}, "depth reduce stateless steady", func(g given) bool { return g.value("mode") == "walk" }, "--mode walk searches nothing"},
	{[]string{"check"}, "events total walks prefix heal", func(g given) bool { return g.value("mode") == "search" }, "--mode search makes no walks"},
	{[]string{"check"}, "all", func(g given) bool { return g.value("mode") == "search" }, "a search reports all that it finds"},
	{[]string{"check"}, "full", func(g given) bool { return g.any("json") }, "--json has whole traces"},
	{[]string{"trace instrument"}, "list", func(g given) bool { return g.any("json", "quiet") }, "--json lists them, and --quiet nothing"},
	{[]string{"model mine"}, "force", func(g given) bool { return !g.any("models") }, "nothing is written without --models"},
	{[]string{"model show"}, "firmware", func(g given) bool { return !g.any("html", "svg", "dot") }, "only --html, --svg and --dot look for sources"},
	{[]string{"model show"}, "model", func(g given) bool { return g.any("json") }, "--json prints the whole file"},
	{[]string{"trace decode"}, "board", func(g given) bool { return !g.any("lifecycle") }, "only --lifecycle needs to know it"},
	{[]string{"trace component"}, "over", func(g given) bool { return !g.any("app") }, "only the configuration of --app needs to know it"},
	{[]string{"trace pull"}, worldOnly + " time seed param base flash", func(g given) bool { return g.any("device", "tcp") },
		"it is about motes that are emulated, and --device and --tcp ask a real one"},
	{[]string{"trace pull"}, "baud", func(g given) bool { return !g.any("device") }, "only --device has a speed"},
	{[]string{"trace pull"}, "base bytes proc since wait", func(g given) bool { return g.any("flash") }, "--flash reads all of the flash, and asks nobody"},
	{[]string{"trace pull"}, "trace-map", func(g given) bool { return !g.any("proc") }, "only a --proc by name needs it"},
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
				return fmt.Errorf("--%s does nothing here: %s", name, r.why)
			}
		}
	}
	return nil
}
