package main

import (
	"slices"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"motehound/job"
)

// worldFlags say what runs: which motes, who hears whom, for how long. Every command that runs firmware has them.
type worldFlags struct {
	job.World
	time time.Duration
	seed uint64

	serialAt time.Duration

	flags *pflag.FlagSet
}

// changed tells whether the user gave a flag.
func (f *worldFlags) changed(name string) bool { return f.flags.Changed(name) }

// register adds the flags, except those for which the command has no use: refused says why.
func (f *worldFlags) register(to *pflag.FlagSet, without ...string) {
	f.flags, f.World = to, job.NewWorld()
	fl := pflag.NewFlagSet("", pflag.ContinueOnError)
	fl.StringVar(&f.Board, "board", "", about("board"))
	fl.StringVar(&f.Chip, "chip", "", "a bare `chip` instead of a board")
	fl.Uint64Var(&f.Hertz, "hz", 0, "the bare chip's clock, in `hertz`")
	fl.StringVar(&f.Fuses, "fuses", "", "low, high and extended fuse `bytes`, such as ffdefd (default: the board's)")
	fl.IntVar(&f.Nodes, "nodes", f.Nodes, "number of motes")
	fl.IntVar(&f.FirstID, "first-id", f.FirstID, "node `id` of the first mote")
	fl.StringArrayVar(&f.IDSymbols, "id-symbol", nil, "`variable` that holds the node id (repeatable; default: TinyOS's)")
	fl.StringVar(&f.Topology, "topology", f.Topology, "who hears whom: "+strings.Join(job.Topologies(), ", ")+", or a `file` of TOSSIM gains")
	fl.Float64Var(&f.Loss, "loss", 0, "the `probability` that a frame is lost on a link")
	fl.Float64Var(&f.Gain, "gain", f.Gain, "gain of every link, in `dB`")
	fl.DurationVar(&f.Stagger, "stagger", f.Stagger, "boot several motes at random times within this span")
	fl.DurationVar(&f.time, "time", job.UsualTime, "virtual time to run")
	fl.Uint64Var(&f.seed, "seed", job.UsualSeed, "`seed` of the random choices, such as sensor readings and lost frames")
	fl.StringArrayVar(&f.Sensors, "sensor", nil, "constant reading of an ADC channel, 0 to 1023 (`CH=VALUE`, repeatable)")
	fl.StringArrayVar(&f.SerialIn, "serial-in", nil, "bytes that a UART receives: `TEXT` with \\n and \\x41, @FILE, hex:7e01, any:20 (repeatable)")
	fl.StringVar(&f.SerialTo, "serial-to", "", "where --serial-in goes: `MOTE` or MOTE.USART (default: the first that listens)")
	fl.DurationVar(&f.serialAt, "serial-at", 0, "when --serial-in begins (default: 100ms after the receiver is on)")
	fl.Uint32Var(&f.SerialBaud, "serial-baud", 0, "baud `rate` of --serial-in (default: the firmware's own)")
	fl.StringVar(&f.SerialPause, "serial-pause", "", "pause between characters: a `time`, or 1ms..20ms for random ones")
	fl.StringArrayVar(&f.Buttons, "button", nil, "press a button that makes a `PIN` low, such as PD2 or PD2@500ms (repeatable)")
	fl.StringArrayVar(&f.Frames, "frame", nil, "a frame that every mote hears: `hex:4188...` or am:6:0001, @500ms for when; in symbolic, ?? is any byte (repeatable)")
	fl.StringArrayVar(&f.Params, "param", nil, "value of a scenario's parameter (`NAME=VALUE`, repeatable)")
	fl.Uint32Var(&f.Drift, "drift", 0, "each crystal is off by a random amount, up to this many `ppm`")
	fl.VisitAll(func(x *pflag.Flag) {
		if !slices.Contains(without, x.Name) {
			to.AddFlag(x)
		}
	})
	if slices.Contains(without, "stagger") {
		f.Stagger = 0
	}
}

// request is what the flags ask for. What was not given is left to the scenario.
func (f *worldFlags) request() job.World {
	r := f.World
	if f.changed("time") {
		r.Time = &f.time
	}
	if f.changed("seed") {
		r.Seed = &f.seed
	}
	if f.changed("serial-at") {
		r.SerialAt = &f.serialAt
	}
	return r
}

// logFlags say how to read a log.
type logFlags struct{ job.Log }

func (f *logFlags) register(fl *pflag.FlagSet) {
	fl.SortFlags = false
	fl.StringVar(&f.Map, "trace-map", "", about("trace-map"))
	f.registerLayout(fl)
}

func (f *logFlags) registerLayout(fl *pflag.FlagSet) {
	fl.StringVar(&f.Layout, "layout", job.UsualLayout, "bytes per chunk and chunks per page of the mote's log (`SIZExNUMBER`)")
}

// fieldFlags are those of commands that can take what a mote in the field has recorded instead of running its firmware.
type fieldFlags struct {
	logFlags
	trace string
}

func (f *fieldFlags) register(fl *pflag.FlagSet) {
	fl.StringVar(&f.trace, "trace", "", "use this `log` of a mote instead of a run (docs/tracing.md)")
	f.logFlags.register(fl)
}

// request is what the flags ask for.
func (f *fieldFlags) request() job.Field { return job.Field{Log: f.Log, Trace: f.trace} }

// registerOutput adds the flags of commands that print a document, or less.
func registerOutput(fl *pflag.FlagSet, json, quiet *bool) {
	fl.BoolVar(json, "json", false, about("json"))
	fl.BoolVarP(quiet, "quiet", "q", false, about("quiet"))
}
