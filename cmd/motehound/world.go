package main

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"motehound/mote"
	"motehound/world"
	"motehound/world/recipe"
)

// worldFlags say what runs: which motes, who hears whom, for how long. Every command that runs firmware has them.
type worldFlags struct {
	target
	networkFlags
	fuses     string
	nodes     int
	firstID   int
	idSymbols []string
	time      time.Duration
	seed      uint64
	sensors   []string
	drift     uint32
	params    []string
	flags     *pflag.FlagSet
	explores  bool // it is no timed run
}

// changed tells whether the user gave a flag.
func (f *worldFlags) changed(name string) bool { return f.flags.Changed(name) }

// register adds the flags, except those for which the command has no use: refused says why.
func (f *worldFlags) register(to *pflag.FlagSet, without ...string) {
	f.flags = to
	fl := pflag.NewFlagSet("", pflag.ContinueOnError)
	fl.StringVar(&f.board, "board", "", about("board"))
	fl.StringVar(&f.chip, "chip", "", "a bare `chip` instead of a board")
	fl.Uint64Var(&f.hertz, "hz", 0, "the bare chip's clock, in `hertz`")
	fl.StringVar(&f.fuses, "fuses", "", "low, high and extended fuse `bytes`, such as ffdefd (default: the board's)")
	fl.IntVar(&f.nodes, "nodes", 1, "number of motes")
	fl.IntVar(&f.firstID, "first-id", -1, "node `id` of the first mote")
	fl.StringArrayVar(&f.idSymbols, "id-symbol", nil, "`variable` that holds the node id (repeatable; default: TinyOS's)")
	f.networkFlags.register(fl)
	fl.DurationVar(&f.time, "time", 10*time.Second, "virtual time to run")
	fl.Uint64Var(&f.seed, "seed", 1, "`seed` of the random choices, such as sensor readings and lost frames")
	fl.StringArrayVar(&f.sensors, "sensor", nil, "constant reading of an ADC channel, 0 to 1023 (`CH=VALUE`, repeatable)")
	fl.StringArrayVar(&f.params, "param", nil, "value of a scenario's parameter (`NAME=VALUE`, repeatable)")
	fl.Uint32Var(&f.drift, "drift", 0, "each crystal is off by a random amount, up to this many `ppm`")
	fl.VisitAll(func(x *pflag.Flag) {
		if !slices.Contains(without, x.Name) {
			to.AddFlag(x)
		}
	})
	if slices.Contains(without, "stagger") {
		f.stagger = 0
	}
}

// recipe is what the flags ask for, as a recipe that has not been run yet.
func (f *worldFlags) recipe(firmware string, say func(format string, args ...any)) (*recipe.Recipe, error) {
	const longest = 200 * 24 * time.Hour // picoseconds fit in 64 bits
	if f.time <= 0 || f.time > longest {
		return nil, fmt.Errorf("--time %v: give a time up to %v", f.time, longest)
	}
	var m recipe.Mote
	im, note, err := f.choose(firmware, &m)
	if err != nil {
		return nil, err
	}
	if note != "" {
		say("%s: %s", m.Firmware, note)
	}
	if note := im.DebugNote(); note != "" {
		say("%s", note)
	}
	m.IDSymbols, m.Fuses = f.idSymbols, f.fuses
	first, err := f.first(im.Path, func() (uint16, bool, error) { return mote.OwnID(im, f.idSymbols) })
	if err != nil {
		return nil, err
	}
	r := &recipe.Recipe{Version: recipe.Version, Seed: f.seed, Drift: f.drift, Until: uint64(f.time.Nanoseconds()) * 1000}
	for i := range f.nodes {
		m.ID = uint16(first + i)
		r.Motes = append(r.Motes, m)
	}
	if err := f.apply(r); err != nil {
		return nil, err
	}
	for _, text := range f.sensors {
		channel, value, err := parseSensor(text)
		if err != nil {
			return nil, err
		}
		for i := range f.nodes {
			r.Sensors = append(r.Sensors, recipe.Sensor{Mote: i, Channel: channel, Value: value})
		}
	}
	return r, nil
}

// first is the first mote's node id.
func (f *worldFlags) first(path string, own func() (uint16, bool, error)) (int, error) {
	id, has, err := own()
	if err != nil {
		return 0, err
	}
	if f.nodes < 1 || f.nodes > world.MaxMotes {
		return 0, fmt.Errorf("--nodes %d: give 1 to %d", f.nodes, world.MaxMotes)
	}
	switch {
	case f.firstID < 0 && f.nodes == 1:
		return int(id), nil
	case f.firstID < 0:
		return 0, nil
	case f.firstID+f.nodes-1 > 0xFFFF:
		return 0, fmt.Errorf("--first-id %d: node ids are 0 to 65535", f.firstID)
	case !has && f.nodes == 1:
		return 0, fmt.Errorf("--first-id %d: %s has no variable for the node id (looked for %s): name it with --id-symbol",
			f.firstID, path, strings.Join(mote.IDSymbols, ", "))
	}
	return f.firstID, nil
}

func parseSensor(text string) (channel uint8, value uint16, err error) {
	c, v, _ := strings.Cut(text, "=")
	ch, err1 := strconv.ParseUint(c, 0, 8)
	val, err2 := strconv.ParseUint(v, 0, 16)
	if err1 != nil || err2 != nil || ch > 15 || val > 1023 {
		return 0, 0, fmt.Errorf("--sensor %q: write CHANNEL=READING, such as 1=512; channels are 0 to 15, readings 0 to 1023", text)
	}
	return uint8(ch), uint16(val), nil
}
