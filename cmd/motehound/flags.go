package main

import (
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"motehound/job"
)

// flagGroup is a part of a command's help.
type flagGroup struct {
	title string
	rows  []flagRow
}

// flagRow is what holds for a flag wherever it occurs.
type flagRow struct {
	name   string
	of     string // the only command that it is about, for the names that have two meanings
	about  string // what it does, if several commands have it
	values values // what completes it
}

// flagGroups is all flags of all commands, in the order in which help shows them. A name means one thing, so that whoever knows it from one
// command knows it in all.
var flagGroups = []flagGroup{
	{"Motes", []flagRow{
		{name: "board", about: "the motes' `board`", values: only(boards)},
		{name: "chip", values: only(chips)},
		{name: "hz"}, {name: "fuses"}, {name: "nodes"}, {name: "first-id"}, {name: "id-symbol"}, {name: "sensor"}, {name: "param"},
	}},
	{"Network", []flagRow{
		{name: "topology", values: among(topologies).orFiles()},
		{name: "loss"}, {name: "gain"}, {name: "stagger"}, {name: "drift"},
	}},
	{"Run", []flagRow{
		{name: "time"}, {name: "seed"},
		{name: "runs", about: "number of runs, with seeds counting up from --seed"},
		{name: "until-stable"}, {name: "sweep"}, {name: "skip"},
		{name: "serial", values: among(endpoints)},
		{name: "serial-in"}, {name: "serial-to"}, {name: "serial-at"}, {name: "serial-baud", values: among(bauds)}, {name: "serial-pause"},
		{name: "button"}, {name: "frame"},
		{name: "pace", values: among(words("auto", "off", "real"))},
	}},
	{"Log of a mote", []flagRow{
		{name: "trace", values: files},
		{name: "trace-map", about: "the trace's map, a `file` written by trace cc; or example:NAME (default trace-map.json)",
			values: among(tracedExamples).orFiles()},
		{name: "layout"},
		{name: "device", values: files}, {name: "baud", values: among(bauds)}, {name: "tcp"},
		{name: "base"}, {name: "flash"}, {name: "bytes"}, {name: "since"}, {name: "wait"}, {name: "may-send"},
	}},
	{"What to look at", []flagRow{
		{name: "node", about: "node `id` of the mote; some commands also take 1,2 or all", values: among(words("all"))},
		{name: "vector", about: "only this `interrupt`: name or number in the datasheet, or loop (repeatable; default all)", values: among(vectors)},
		{name: "background", values: among(vectors)},
		{name: "task"}, {name: "pool", values: only(words(job.PoolAll, job.PoolMote))},
		{name: "detector", values: only(detectors)},
		{name: "top", about: "show this many, from the top; 0 for all"},
		{name: "depth", of: "model mine", values: among(words("app"))}, {name: "drop"},
		{name: "component", about: "only functions of this `component` (repeatable; * and ? match)"},
		{name: "file", about: "only functions of this source `file` (repeatable; * and ? match)", values: files},
		{name: "function", about: "only this `function` (repeatable; * and ? match)"},
		{name: "kind", values: only(kinds)},
		{name: "exclude", about: "leave out this `function`, component or file (repeatable; * and ? match)"},
		{name: "silent"}, {name: "single-path"},
		{name: "helpers"}, {name: "wiring"}, {name: "kernel-functions"},
		{name: "proc", about: "only this `procedure`, by name or number"},
		{name: "boot", about: "number of the `boot` in the log; -1 is the last, -2 the one before it"},
		{name: "last"},
		{name: "firmware", about: "the firmware `file` it belongs to, or example:NAME", values: among(exampleNames).orFiles()},
		{name: "kernel", about: "a `file` that describes the kernel; not needed for " + strings.Join(job.Kernels(), ", ") + " (docs/adding-a-kernel.md); 1=FILE for mote 1's firmware only (repeatable)", values: files},
		{name: "model"}, {name: "id"}, {name: "state", values: only(states)}, {name: "reason"}, {name: "undo"},
		{name: "baseline", about: "`file` of known findings, by findings export --format json: only new ones fail", values: files},
		{name: "all", about: "all findings: do not stop at the first, or approve all"},
	}},
	{"Search", []flagRow{
		{name: "mode", values: only(words("walk", "search", "both"))},
		{name: "reduce", values: only(words("none", "static", "dynamic"))},
		{name: "budget", about: "stop after this much host time and report results; 0 for no limit"},
		{name: "engine", values: only(engines)}, {name: "skew"}, {name: "preempt"}, {name: "any-order"}, {name: "events"}, {name: "total", about: "start no more walks after this many events in all; 0 for no limit"}, {name: "shorten"}, {name: "depth"}, {name: "walks"}, {name: "tries"}, {name: "corpus", values: folders}, {name: "replay-corpus"}, {name: "threads"}, {name: "threshold"},
		{name: "prefix"}, {name: "steady"}, {name: "heal"}, {name: "unguided"}, {name: "stateless"},
		{name: "max-paths"}, {name: "map", values: only(mappings)}, {name: "solver", values: only(words("builtin", "z3"))},
		{name: "searcher", values: only(searchers)}, {name: "memory"}, {name: "reorder"}, {name: "orders"}, {name: "delay"}, {name: "outcomes"},
	}},
	{"Campaign", []flagRow{
		{name: "item-walks"}, {name: "item-events", about: "most events of an item; larger pieces of a search are cut (symbolic: instructions)"}, {name: "seeds"}, {name: "epochs"}, {name: "workers"}, {name: "campaign"}, {name: "grace"},
		{name: "nats", about: "`URL` of a NATS server with JetStream; without it a server of this program keeps campaigns in --store"},
		{name: "nats-creds", about: "`file` with the credentials of the server's account", values: files},
		{name: "nats-ca", about: "`file` with the certificate that the server's is signed by", values: files},
		{name: "nats-cert", about: "`file` with this machine's certificate", values: files},
		{name: "nats-key", about: "`file` with the key of --nats-cert", values: files},
		{name: "listen"},
		{name: "metrics", about: "serve numbers for Prometheus at `HOST:PORT`"},
		{name: "log", values: only(words("text", "json"))},
	}},
	{"Checks", []flagRow{
		{name: "no-memory", about: "switch the memory checks off: faster"},
		{name: "unwritten"}, {name: "failed-posts"}, {name: "benign"},
		{name: "failure", about: "report every call of the function with this `name` (repeatable; * and ? match)"},
		{name: "strict"}, {name: "no-checks"}, {name: "full-checks"}, {name: "watchdog"},
	}},
	{"Build", []flagRow{
		{name: "procs"}, {name: "runtime", values: only(runtimes)}, {name: "runtime-dir", values: folders}, {name: "query"}, {name: "stack"},
		{name: "keep", values: folders}, {name: "script", values: files}, {name: "app"}, {name: "over", values: only(words("serial", "radio"))},
	}},
	{"Output", []flagRow{
		{name: "out", about: "keep reports, recipes and data for --resume in this `folder`", values: folders},
		{name: "store", about: "the `folder` that keeps findings and campaigns", values: folders},
		{name: "bundle", about: "also keep each recipe with all its files as one zip file"},
		{name: "resume", about: "continue what --out has kept"},
		{name: "output", about: "the `file` to write", values: files},
		{name: "models", about: "`file` of approved models; or a folder (DIR/) with one file per firmware", values: files},
		{name: "format", values: only(formats)}, {name: "force"},
		{name: "csv", values: files}, {name: "parquet", values: files},
		{name: "html", about: "write an HTML page to this `file`", values: files},
		{name: "svg", values: files}, {name: "dot", values: files},
		{name: "perfetto", values: files}, {name: "vcd", values: files}, {name: "cobertura", values: files}, {name: "pprof", values: files}, {name: "chart", values: files},
		{name: "pcap", values: files},
		{name: "lifecycle", about: "write interrupts, posts and tasks to this `file`, one per line (.jsonl: as JSON)", values: files},
		{name: "gdb", about: "debug with avr-gdb first: listen on `[HOST:]PORT`; port 0 takes a free one (docs/debugging.md)"},
		{name: "gdb-anyone", about: "let --gdb listen beyond this machine: there is no password"},
		{name: "lcov", about: "write the lines and functions that ran to this `file`, for genhtml", values: files}, {name: "queries", values: files},
		{name: "do"}, {name: "commands", values: files}, {name: "listen", of: "serve"},
		{name: "dump"}, {name: "var", about: "show a variable at the end, and over time in --perfetto and --vcd: a `path` such as table[3].addr; 1.table is mote 1's (repeatable)"}, {name: "leds"}, {name: "trace-pins"}, {name: "blocks"}, {name: "energy", about: "report the energy that CPU and radio took, by mode (mica2, micaz)"}, {name: "list"}, {name: "full"},
		{name: "json", about: "print one JSON document (docs/json.md)"},
		{name: "quiet", about: "print less: no notes and no progress"},
		{name: "help"}, {name: "version"},
	}},
}

// about is the text of a flag that several commands have.
func about(name string) string {
	for _, g := range flagGroups {
		for _, r := range g.rows {
			if r.name == name && r.about != "" {
				return r.about
			}
		}
	}
	panic("BUG: no text for --" + name)
}

// rowOf is what holds for a flag of a command, and its group.
func rowOf(command, name string) (row *flagRow, group string) {
	for _, g := range flagGroups {
		for i := range g.rows {
			if r := &g.rows[i]; r.name == name && (r.of == command || r.of == "" && row == nil) {
				row, group = r, g.title
			}
		}
	}
	return row, group
}

// commandName is what a user types after motehound.
func commandName(cmd *cobra.Command) string {
	_, name, _ := strings.Cut(cmd.CommandPath(), " ")
	return name
}

// groupedFlags calls show with the flags of a command, group by group.
func groupedFlags(cmd *cobra.Command, show func(title string, flags []*pflag.Flag)) {
	fl, name := cmd.LocalFlags(), commandName(cmd)
	for _, g := range flagGroups {
		var list []*pflag.Flag
		for i := range g.rows {
			if r, _ := rowOf(name, g.rows[i].name); r == &g.rows[i] && fl.Lookup(r.name) != nil {
				list = append(list, fl.Lookup(r.name))
			}
		}
		if len(list) > 0 {
			show(g.title, list)
		}
	}
	var others []*pflag.Flag // of the commands that cobra adds
	fl.VisitAll(func(f *pflag.Flag) {
		if r, _ := rowOf(name, f.Name); r == nil {
			others = append(others, f)
		}
	})
	if len(others) > 0 {
		show("Other", others)
	}
}
