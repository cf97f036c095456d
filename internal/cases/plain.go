package cases

import (
	"motehound/internal/motes"
	"motehound/mote/board"
	"motehound/mote/periph"
	"motehound/study/explore"
	"motehound/study/property"
	"motehound/world"
)

// Plain is a bug in a small program without a kernel, for an Arduino Uno. Its input is all that check needs.
type Plain struct {
	Name     string // of the example
	Serial   string // what comes in
	Button   bool   // at PD2 is pressed
	Property string // as which check has to report it
	Line     int    // in NAME/NAME.c, as the source and README.md of the examples say
	Value    string // how the detail begins: the wrong variable, by its type
}

// Plains are all of them.
var Plains = []Plain{
	{Name: "ring", Serial: "hello", Property: "race: lost update of count", Line: 42, Value: "count is 0, would be 1"},
	{Name: "tick", Property: "race: torn read of ticks", Line: 21, Value: "once ticks is 255 (it is "},
	{Name: "nested", Serial: "L1", Property: "race: lost update of state", Line: 23, Value: "state is 2, would be 1 or 0"},
	{Name: "button", Button: true, Property: "race: mixed snapshot of pen.y", Line: 32, Value: "saved is {x = "},
}

// System makes a build of the program ready to be explored, as motehound check does: "" has the bug, Fixed has it not.
func (p Plain) System(build string) (*explore.System, error) {
	k, err := motes.Kind(p.Name+build, &board.Uno)
	if err != nil {
		return nil, err
	}
	cfg := &world.Config{Motes: motes.Of(k, 1)}
	if p.Serial != "" {
		cfg.Serial = []world.Serial{{Bytes: []byte(p.Serial)}}
	}
	if p.Button {
		press := world.Press{At: world.Second, Hold: 100 * world.Millisecond, Bounces: 2, Within: 2 * world.Millisecond}
		_, rest := press.Drives()
		cfg.Events = append(cfg.Events, world.Event{Kind: world.SetPin, Pin: button, Drive: rest})
		for _, c := range press.Contacts() {
			cfg.Events = append(cfg.Events, world.Event{At: c.At, Kind: world.SetPin, Pin: button, Drive: c.Drive})
		}
	}
	plan, err := property.Prepare(cfg, nil, property.Options{Explore: true})
	if err != nil {
		return nil, err
	}
	return explore.New(cfg, explore.Options{Plan: plan, Preempt: 2})
}

var button = periph.P('D', 2)
