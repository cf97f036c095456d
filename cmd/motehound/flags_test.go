package main

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"motehound/examples"
	"motehound/job"
)

// twice is the names that mean two things, by the contract of the command line.
var twice = map[string]string{"depth": "check: of orders of events; model mine: of calls", "listen": "campaign: for workers; serve: for browsers"}

// eachFlag visits the flags of all commands, without those that cobra adds to each.
func eachFlag(visit func(cmd *cobra.Command, f *pflag.Flag)) {
	walkCommands(rootCommand(), func(cmd *cobra.Command) {
		cmd.InitDefaultHelpFlag()
		cmd.InitDefaultVersionFlag()
		cmd.Flags().VisitAll(func(f *pflag.Flag) { visit(cmd, f) })
	})
}

// Whoever knows a flag from one command knows it in all.
func TestFlagMeansOneThing(t *testing.T) {
	type meaning struct{ usage, kind, short, of string }
	seen, letters := map[string]meaning{}, map[string]string{}
	several := 0
	eachFlag(func(cmd *cobra.Command, f *pflag.Flag) {
		if f.Name == "help" { // it names the command
			return
		}
		m := meaning{f.Usage, f.Value.Type(), f.Shorthand, commandName(cmd)}
		was, known := seen[f.Name]
		if known {
			several++
		}
		if seen[f.Name] = m; known && (was.usage != m.usage || was.kind != m.kind || was.short != m.short) && twice[f.Name] == "" {
			t.Errorf("--%s is %q (%s, -%s) in %s, and %q (%s, -%s) in %s", f.Name, was.usage, was.kind, was.short, was.of, m.usage, m.kind, m.short, m.of)
		}
		if m.short != "" {
			if l := letters[m.short]; l != "" && l != f.Name {
				t.Errorf("-%s is --%s and --%s", m.short, l, f.Name)
			}
			letters[m.short] = f.Name
		}
	})
	if several < 100 {
		t.Errorf("only %d flags are in a second command: is the whole tree walked?", several)
	}
}

// The table has each flag once, with no text that nobody shows.
func TestFlagTable(t *testing.T) {
	used := map[*flagRow]bool{}
	eachFlag(func(cmd *cobra.Command, f *pflag.Flag) {
		row, _ := rowOf(commandName(cmd), f.Name)
		if row == nil {
			t.Errorf("--%s of %s has no group: give it a row in flagGroups", f.Name, commandName(cmd))
			return
		}
		used[row] = true
		if row.about != "" && row.about != f.Usage {
			t.Errorf("--%s of %s says %q, and the table says %q", f.Name, commandName(cmd), f.Usage, row.about)
		}
	})
	names := map[string]bool{}
	for _, g := range flagGroups {
		for i := range g.rows {
			r := &g.rows[i]
			if !used[r] {
				t.Errorf("--%s of group %q is a flag of no command", r.name, g.title)
			}
			if names[r.name] && twice[r.name] == "" {
				t.Errorf("--%s is in the table twice", r.name)
			}
			names[r.name] = true
		}
	}
}

// Help shows the flags of all commands in the same groups, in the same order, each once.
func TestHelpIsOrdered(t *testing.T) {
	var order []string // titles and flags
	for _, g := range flagGroups {
		order = append(order, g.title+":")
		for _, r := range g.rows {
			order = append(order, strings.TrimSpace(r.of+" --"+r.name))
		}
	}
	heading := regexp.MustCompile(`^([A-Z][\w ]*:)$|^ {2,6}(?:-\w, )?(--[\w-]+)`)
	walkCommands(rootCommand(), func(cmd *cobra.Command) {
		name := commandName(cmd)
		r := motehound(t, append(strings.Fields(name), "--help")...)
		_, flags, ok := strings.Cut(r.stdout, "\nUsage:\n")
		if r.status != exitFine || !ok {
			t.Fatalf("%s --help: exit status %d\n%s%s", name, r.status, r.stdout, r.stderr)
		}
		last, shown := -1, map[string]bool{}
		for _, line := range strings.Split(flags, "\n") {
			m := heading.FindStringSubmatch(line)
			if m == nil || m[1] == "Commands:" {
				continue
			}
			what := m[1] + m[2]
			at := slices.Index(order, name+" "+what)
			if at < 0 {
				at = slices.Index(order, what)
			}
			if at <= last {
				t.Errorf("%s --help: %q is not where it is in other commands\n%s", name, what, flags)
				return
			}
			last, shown[what] = at, true
		}
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			if !shown["--"+f.Name] {
				t.Errorf("%s --help does not show --%s", name, f.Name)
			}
		})
	})
}

// completed asks for the completions of a command line, as a shell does.
func completed(t *testing.T, args ...string) (list []string, directive string) {
	t.Helper()
	r := motehound(t, append([]string{cobra.ShellCompRequestCmd}, args...)...)
	if r.status != exitFine {
		t.Fatalf("%v: exit status %d\n%s", args, r.status, r.stderr)
	}
	lines := strings.Split(strings.TrimSpace(r.stdout), "\n")
	for _, l := range lines[:len(lines)-1] {
		word, _, _ := strings.Cut(l, "\t")
		list = append(list, word)
	}
	return list, lines[len(lines)-1]
}

// freeText is the flags with a value that nobody can list: names of the user's own, and forms.
var freeText = strings.Fields(`fuses id-symbol sensor param sweep layout tcp since may-send task drop component function exclude silent proc model id failure benign
	memory app do dump gdb var serial-in serial-to serial-pause button frame reason
	nats listen metrics campaign`)

// Values complete: words of a closed set all of them, files and folders as such, and where nothing can be offered no file is.
func TestValuesComplete(t *testing.T) {
	t.Parallel()
	closed := 0
	choice := regexp.MustCompile(`: [\w-]+(, [\w-]+)* or [\w-]+`)
	eachFlag(func(cmd *cobra.Command, f *pflag.Flag) {
		row, _ := rowOf(commandName(cmd), f.Name)
		if row == nil || f.NoOptDefVal != "" { // it takes no value
			return
		}
		v, what := row.values, commandName(cmd)+" --"+f.Name
		begin := append(strings.Fields(commandName(cmd)), "--"+f.Name)
		list, directive := completed(t, append(begin, "")...)
		switch {
		case v.words != nil:
			words := v.words(cmd)
			if v.closed {
				closed++
			}
			for _, w := range words {
				if !slices.Contains(list, w) {
					t.Errorf("%s: %s is not offered: %v", what, w, list)
				}
			}
			w := words[len(words)-1]
			if some, _ := completed(t, append(begin, w[:1])...); !slices.Contains(some, w) || slices.ContainsFunc(some, func(x string) bool { return !strings.EqualFold(x[:1], w[:1]) }) {
				t.Errorf("%s %s: %v", what, w[:1], some)
			}
		case v.file && !slices.Contains(list, "flags_test.go"):
			t.Errorf("%s: no file is offered: %v", what, list)
		case v.folders && directive != ":16":
			t.Errorf("%s: no folder is offered: %s", what, directive)
		case !v.file && !v.folders && (len(list) > 0 || directive != ":4"):
			t.Errorf("%s: %v, %s; want nothing, not even files", what, list, directive)
		}
		text := strings.HasPrefix(f.Value.Type(), "string")
		if free := slices.Contains(freeText, f.Name); text && v.words == nil && !v.file && !v.folders && !free {
			t.Errorf("%s takes a text and completes nothing: give its row values, or list it in freeText", what)
		}
		if choice.MatchString(f.Usage) && v.words == nil {
			t.Errorf("%s is a choice (%q) and completes nothing", what, f.Usage)
		}
	})
	if closed < 15 {
		t.Errorf("only %d flags with a closed set", closed)
	}
}

func TestArgumentsComplete(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"elephant.elf", "eggs.star", "eels.txt", "mine.bin"} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(dir, "earth"), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Chdir(dir)
	for _, c := range []struct {
		args, want, not string
	}{
		{"run |", "example: earth/ eggs.star elephant.elf", "eels.txt example:blink-micaz"},
		{"run e", "example:blink-micaz example:cpu-sort earth/ eggs.star elephant.elf", "eels.txt"},
		{"run example:bl", "example:blink-micaz example:blink_traced-mica2", "example:sense-micaz eggs.star"},
		{"run --time 2s ./e", "./earth/ ./eggs.star ./elephant.elf", "eggs.star"},
		{"run eggs.star |", "", "eggs.star"},
		{"mine eggs.star el", "elephant.elf", "eggs.star"},
		{"check example:count", "example:counter-micaz", ""},
		{"model verify eg", "eggs.star", ""},
		{"trace component t", "tinyos1 tinyos2", "contiki"},
		{"trace replay log.bin eg", "eggs.star", ""},
		{"mo", "model", "mine"},
		{"model |", "mine show verify approve diff", "run"},
		{"trace decode --trace-map example:bl", "example:blink_traced-micaz", "example:blink-micaz"},
		{"mine --board uno --vector USART", "USART_RX", "USART0_RX"},
		{"mine --board mica2 --vector USART", "USART0_RX", "USART_RX"},
		{"trace cc --kind task,i", "task,interrupt", "interrupt"},
		{"run --ti", "--time", "--topology"},
		{"run --serial |", "stdio pty tcp: file:", ""},
	} {
		args := strings.Fields(c.args)
		for i, a := range args {
			args[i] = strings.TrimSuffix(a, "|") // nothing was typed yet
		}
		got, _ := completed(t, args...)
		for _, w := range strings.Fields(c.want) {
			if !slices.Contains(got, w) {
				t.Errorf("%s: %s is not among %v", c.args, w, got)
			}
		}
		for _, w := range strings.Fields(c.not) {
			if slices.Contains(got, w) {
				t.Errorf("%s: %s is among %v", c.args, w, got)
			}
		}
	}
	for _, f := range examples.All {
		name := job.ExamplePrefix + strings.TrimSuffix(f.File(), ".elf")
		if slices.Contains(tracedExamples(nil), name) != (f.Map() != nil) {
			t.Errorf("%s: has a map: %v", name, f.Map() != nil)
		}
	}
	for _, shell := range []string{"bash", "zsh", "fish", "powershell"} {
		if r := motehound(t, "completion", shell); r.status != exitFine || !strings.Contains(r.stdout, "__complete") {
			t.Errorf("completion %s: exit status %d\n%s", shell, r.status, r.stderr)
		}
	}
}

// Rules, refusals and renamed flags are about flags that there are, and that there are not.
func TestFlagRulesFit(t *testing.T) {
	root := rootCommand()
	has := func(command, flag string) bool {
		cmd, rest, err := root.Find(strings.Fields(command))
		if err != nil || len(rest) > 0 {
			t.Fatalf("no command %q", command)
		}
		return cmd.Flags().Lookup(flag) != nil
	}
	for _, r := range flagRules {
		for _, name := range strings.Fields(r.flags) {
			if !slices.ContainsFunc(r.commands, func(c string) bool { return has(c, name) }) {
				t.Errorf("none of %v has --%s", r.commands, name)
			}
		}
	}
	for command, flags := range renamed {
		for old, now := range flags {
			if has(command, old) || !has(command, now) {
				t.Errorf("%s: --%s and --%s are not an old and a new name", command, old, now)
			}
		}
	}
	for command, flags := range refused {
		for name := range flags {
			if has(command, name) {
				t.Errorf("%s has --%s, of which it says that it has it not", command, name)
			}
		}
	}
}

// A flag that does nothing is refused, and the message says what to do. Nothing is run and nothing is written.
func TestFlagsRefused(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile("net.star", nil, 0o644); err != nil {
		t.Fatal(err)
	}
	const elf = " example:counter-micaz"
	cases := []struct{ args, want string }{
		{"check --time 5s" + elf, "motehound check has no --time: it explores orders of events, not a span of time; limit it with --depth"},
		{"check --drift 5" + elf, "motehound check has no --drift"},
		{"check --stagger 5s" + elf, "motehound check has no --stagger"},
		{"symbolic --loss 0.5" + elf, "faults = [lose(max = 2)]"},
		{"symbolic --drift 5" + elf, "mote(drift = 20)"},
		{"symbolic --stagger 5s" + elf, `mote(boot = "20ms")`},
		{"trace decode --map x y", "motehound trace decode has no --map: the flag is --trace-map now"},
		{"symbolic --skew 5ms" + elf, "the flag is --delay now"},
		{"trace pull --mote 5" + elf, "the flag is --node now"},
		{"trace pull --serial /dev/x", "the flag is --device now"},
		{"trace pull --out x" + elf, "the flag is --output now"},
		{"trace cc --except x -- cc", "the flag is --exclude now"},
		{"trace cc --all -- cc", "the flag is --single-path now"},
		{"run --skew 5ms" + elf, "motehound run has no --skew; these commands have it: campaign start check, check"},
		{"run --walks 5" + elf, "these commands have it: campaign start check, campaign start fuzz, check"},
		{"--walks 5", "write --walks after the command; these commands have it: campaign start check, campaign start fuzz or check"},
		{"run --nods 5" + elf, "motehound run has no flag --nods; did you mean --nodes?"},
		{"run --quite" + elf, "did you mean --quiet?"},
		{"run -x" + elf, "motehound run has no flag -x"},
		{"run --out", "--out needs a value (folder)"},
		{"run --time 10" + elf, "--time 10: the unit is missing: write 10s for seconds or 10ms for milliseconds"},
		{"check --budget 2.5" + elf, "2.5s for seconds"},
		{"run --time soon" + elf, "--time soon: write a time with its unit, such as 10s, 20ms or 1m30s"},
		{"run --nodes many" + elf, "--nodes many: give a whole number"},
		{"run --loss much" + elf, "--loss much: give a number"},
		{"run --board micas" + elf, "--board micas: choose one of micaz, mica2, uno, mega2560; did you mean micaz or mica2?"},
		{"run --chip atmega182" + elf, "did you mean atmega128"},
		{"run --topology ful --nodes 2" + elf, "did you mean full?"},
		{"run example:blnik", "no built-in example blnik; did you mean blink?"},
		{"run example:surge_traced-micax", "did you mean surge_traced-micaz"},
		{"run --board uno example:surge", "does not exist for uno; there are surge-micaz, surge-mica2"},
		{"mine --detector pcb" + elf, "did you mean pca?"},
		{"mine --vector TIMER0_CMP --time 1s" + elf, "did you mean TIMER0_COMP?"},
		{"check --mode wlak" + elf, "did you mean walk?"},
		{"symbolic --map sbs" + elf, "did you mean sds?"},
		{"chekc" + elf, `unknown command "chekc" of motehound; choose one of campaign, check,`},
		{"chekc" + elf, "did you mean check?"},
		{"trace dekode x", "did you mean decode?"},
		{"model verfiy x", "did you mean verify?"},
		{"check --mode walk --depth 5" + elf, "--depth has no effect here: --mode walk makes no search"},
		{"check --mode search --walks 5" + elf, "--walks has no effect here: --mode search makes no walks"},
		{"check --mode search --all" + elf, "--all has no effect here: a search reports all its findings"},
		{"check --json --full" + elf, "--full has no effect here: --json always contains whole traces"},
		{"trace instrument --json --list x.c", "--list has no effect here"},
		{"mine --trace-map x" + elf, "--trace-map has no effect here"},
		{"mine --trace x --time 5s" + elf, "--time has no effect here: --trace makes no run"},
		{"model mine --force" + elf, "--force has no effect here"},
		{"trace decode --board micaz x", "--board has no effect here: only --lifecycle"},
		{"trace pull --tcp x --nodes 5", "--nodes has no effect here"},
		{"trace pull --baud 9600" + elf, "--baud has no effect here"},
		{"trace pull --flash --bytes 5" + elf, "--bytes has no effect here"},
		{"trace pull --node 1,2" + elf, "--node: give one mote, not 2"},
		{"trace pull --node x" + elf, `--node "x": give a node id, 0 to 65535`},
		{"mine --node x" + elf, `--node "x": give a node id, 0 to 65535, or all`},
	}
	for _, command := range []string{"check", "mine", "model mine", "model verify", "symbolic", "trace pull", "trace replay x"} {
		name := strings.TrimSuffix(command, " x")
		cases = append(cases, struct{ args, want string }{command + " --pcap air.pcapng" + elf, "motehound " + name + " has no --pcap"},
			struct{ args, want string }{command + " --pcap air.pcapng" + elf, "run --pcap"},
			struct{ args, want string }{command + " --nodes 3 net.star", "--nodes has no effect here: the scenario sets that"})
	}
	for _, c := range cases {
		r := motehound(t, strings.Fields(c.args)...)
		if r.status != exitUsage || !strings.Contains(r.stderr, c.want) || r.stdout != "" {
			t.Errorf("%s: exit status %d, want %q\n%s%s", c.args, r.status, c.want, r.stdout, r.stderr)
		}
	}
	if left, _ := os.ReadDir("."); len(left) != 1 {
		t.Errorf("something was written: %v", left)
	}
}

// Motes of symbolic are switched on at once: there is no --stagger that could have them come later.
func TestSymbolicNodes(t *testing.T) {
	if r := motehound(t, "symbolic", "--nodes", "2", "--time", "20ms", "example:counter"); r.status != exitFine {
		t.Errorf("exit status %d\n%s%s", r.status, r.stdout, r.stderr)
	}
}
