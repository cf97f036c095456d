package job

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"motehound/mote"
	"motehound/world"
	"motehound/world/medium"
	"motehound/world/recipe"
)

// World says what runs: which motes, who hears whom, for how long. Every job that runs firmware has one; NewWorld has what is usual. A
// scenario says most of it by itself.
type World struct {
	Hardware
	Network
	SerialInput
	Fuses     string         `json:"fuses,omitempty"` // low, high and extended, in hexadecimal
	Nodes     int            `json:"nodes"`
	FirstID   int            `json:"first_id"` // node id of the first mote; -1 for the firmware's own, or 0
	IDSymbols []string       `json:"id_symbols,omitempty"`
	Time      *time.Duration `json:"time_ns,omitempty"` // virtual; nil for the scenario's, or 10 seconds
	Seed      *uint64        `json:"seed,omitempty"`    // nil for the scenario's, or 1
	Sensors   []string       `json:"sensors,omitempty"` // CHANNEL=READING
	Buttons   []string       `json:"buttons,omitempty"` // PIN or PIN@TIME: pressed once, then
	Frames    []string       `json:"frames,omitempty"`  // hex:BYTES or am:TYPE:PAYLOAD, then or @TIME: every mote hears it
	Drift     uint32         `json:"drift,omitempty"`   // of crystals, in ppm
	Params    []string       `json:"params,omitempty"`  // NAME=VALUE, of a scenario
}

// Usual values.
const (
	UsualTime = 10 * time.Second
	UsualSeed = 1
)

// NewWorld is what runs if nothing is said: one mote for ten seconds.
func NewWorld() World {
	return World{Network: Network{Topology: "full", Gain: medium.DefaultGain, Stagger: 100 * time.Millisecond}, Nodes: 1, FirstID: -1}
}

// time is how long motes run, if no scenario says it.
func (f *World) time() time.Duration {
	if f.Time == nil {
		return UsualTime
	}
	return *f.Time
}

func (f *World) seed() uint64 {
	if f.Seed == nil {
		return UsualSeed
	}
	return *f.Seed
}

// recipe is what the request asks for, as a recipe that has not been run yet.
func (f *World) recipe(firmware string, say func(format string, args ...any)) (*recipe.Recipe, error) {
	const longest = 200 * 24 * time.Hour // picoseconds fit in 64 bits
	if f.time() <= 0 || f.time() > longest {
		return nil, fmt.Errorf("--time %v: give a time up to %v", f.time(), longest)
	}
	var m recipe.Mote
	im, note, err := f.Choose(firmware, &m)
	if err != nil {
		return nil, err
	}
	if note != "" {
		say("%s: %s", m.Firmware, note)
	}
	if note := im.DebugNote(); note != "" {
		say("%s", note)
	}
	m.IDSymbols, m.Fuses = f.IDSymbols, f.Fuses
	first, err := f.first(im.Path, func() (uint16, bool, error) { return mote.OwnID(im, f.IDSymbols) })
	if err != nil {
		return nil, err
	}
	r := &recipe.Recipe{Version: recipe.Version, Seed: f.seed(), Drift: f.Drift, Until: uint64(f.time().Nanoseconds()) * 1000}
	for i := range f.Nodes {
		m.ID = uint16(first + i)
		r.Motes = append(r.Motes, m)
	}
	if err := f.apply(r); err != nil {
		return nil, err
	}
	for _, text := range f.Sensors {
		channel, value, err := parseSensor(text)
		if err != nil {
			return nil, err
		}
		for i := range f.Nodes {
			r.Sensors = append(r.Sensors, recipe.Sensor{Mote: i, Channel: channel, Value: value})
		}
	}
	return r, f.press(r)
}

// first is the first mote's node id.
func (f *World) first(path string, own func() (uint16, bool, error)) (int, error) {
	id, has, err := own()
	if err != nil {
		return 0, err
	}
	if f.Nodes < 1 || f.Nodes > world.MaxMotes {
		return 0, fmt.Errorf("--nodes %d: give 1 to %d", f.Nodes, world.MaxMotes)
	}
	switch {
	case f.FirstID < 0 && f.Nodes == 1:
		return int(id), nil
	case f.FirstID < 0:
		return 0, nil
	case f.FirstID+f.Nodes-1 > 0xFFFF:
		return 0, fmt.Errorf("--first-id %d: node ids are 0 to 65535", f.FirstID)
	case !has && f.Nodes == 1:
		return 0, fmt.Errorf("--first-id %d: %s has no variable for the node id (looked for %s): name it with --id-symbol",
			f.FirstID, path, strings.Join(mote.IDSymbols, ", "))
	}
	return f.FirstID, nil
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
