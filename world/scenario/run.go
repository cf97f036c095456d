package scenario

import (
	"cmp"
	"fmt"
	"slices"

	"motehound/firmware/image"
	"motehound/world"
	"motehound/world/medium"
	"motehound/world/recipe"
)

// Recipe is the scenario as a recipe: all of it that bears on a timed run. What LeftOut lists does not, nor do properties.
// Replaying needs the recipe and the firmware alone.
func (s *Scenario) Recipe() (*recipe.Recipe, error) {
	r := &recipe.Recipe{Version: recipe.Version, Seed: s.Seed, Until: s.Time, Drift: s.Drift}
	for _, f := range s.Sources {
		r.Scenario = append(r.Scenario, recipe.SourceOf(f.Name, f.Data))
	}
	for _, p := range s.Params {
		r.Params = append(r.Params, recipe.Param(p))
	}
	if s.Stagger/world.Microsecond >= 1<<32-1 {
		return nil, errorAt(Pos{File: s.Name}, "stagger %s is too long: give at most 4294s", showTime(s.Stagger))
	}
	r.Stagger = uint32((s.Stagger + world.Microsecond - 1) / world.Microsecond)
	for i := range s.Motes {
		r.Motes = append(r.Motes, s.Motes[i].recipe())
	}
	r.SetLinks(s.Links)
	for _, c := range s.cuts() {
		r.Cuts = append(r.Cuts, recipe.Cut(c))
	}
	for _, w := range s.Wires {
		x := recipe.Wire{A: [2]int{w.A.Mote, int(w.A.USART)}, B: [2]int{w.B.Mote, int(w.B.USART)}, Loss: w.Loss}
		if w.Framing != medium.NoFraming {
			x.Framing = framingNames[w.Framing]
		}
		r.Wires = append(r.Wires, x)
	}
	for _, in := range s.Serial {
		r.Serial = append(r.Serial, recipe.SerialOf(in.Serial))
	}
	r.Sensors = slices.Clone(s.Sensors)
	for _, f := range s.Faults {
		r.Faults = append(r.Faults, recipe.FaultOf(f.Fault))
	}
	r.Events = s.happenings()
	return r, nil
}

// NameIn is how a recipe names a file of the scenario, wherever the two are now; other names stay as they are.
func (s *Scenario) NameIn(r *recipe.Recipe, file string) string {
	for i, x := range s.Sources {
		if x.Name == file && i < len(r.Scenario) {
			return r.Scenario[i].Name
		}
	}
	return file
}

// World makes the world of a recipe that Recipe made. What the scenario names in the firmware is looked up first, so that
// errors have their place in the scenario.
func (s *Scenario) World(r *recipe.Recipe, open recipe.Opener) (*world.World, error) {
	cfg, err := r.Config(open)
	if err != nil {
		return nil, placed(err, s.Name)
	}
	if err := s.check(func(i int) *image.Image { return cfg.Motes[i].Kind.Image }); err != nil {
		return nil, err
	}
	choose, err := r.Chooser()
	if err != nil {
		return nil, err
	}
	w, err := world.New(cfg, choose)
	if err != nil {
		return nil, placed(err, s.Name)
	}
	return w, nil
}

func (m *Mote) recipe() recipe.Mote {
	x := recipe.Mote{Firmware: m.Firmware, Board: m.Board, Chip: m.Chip, Hertz: m.Hertz, ID: m.ID, IDSymbols: m.IDSymbols,
		Boot: m.BootFrom, Drift: m.Drift, Vars: slices.Clone(m.Vars), Pins: slices.Clone(m.Pins), Devices: slices.Clone(m.Devices)}
	if m.BootUntil > m.BootFrom {
		x.BootUntil = m.BootUntil
	}
	return x
}

// happenings are the events that motes notice. Outages of a mote that overlap are one.
func (s *Scenario) happenings() []recipe.Event {
	var list []recipe.Event
	back := make([]uint64, len(s.Motes)) // by mote: when its last outage ends
	add := func(at uint64, mote int, k world.EventKind, v world.Variable) {
		list = append(list, recipe.EventOf(world.Event{At: at, Mote: mote, Kind: k, Var: v}))
	}
	for _, e := range s.Events {
		switch e.Kind {
		case EventReboot:
			add(e.At, e.Mote, world.PowerCycle, world.Variable{})
		case EventSet:
			add(e.At, e.Mote, world.SetVar, e.Var)
		case EventPin:
			list = append(list, recipe.EventOf(world.Event{At: e.At, Mote: e.Mote, Kind: world.SetPin, Pin: e.Pin, Drive: e.Drive}))
		case EventFrame:
			list = append(list, recipe.EventOf(world.Event{At: e.At, Mote: e.Mote, Kind: world.HearFrame, Frame: e.Frame}))
		case EventOutage:
			until := uint64(medium.Never)
			if e.Span > 0 {
				until = e.At + e.Span
			}
			if until <= back[e.Mote] {
				continue
			}
			if e.At <= back[e.Mote] && back[e.Mote] > 0 { // it goes on
				list = slices.DeleteFunc(list, func(x recipe.Event) bool {
					return x.Mote == e.Mote && x.At == back[e.Mote] && x.Kind == world.PowerOn.String()
				})
			} else {
				add(e.At, e.Mote, world.PowerOff, world.Variable{})
			}
			back[e.Mote] = until
			if until != medium.Never {
				add(until, e.Mote, world.PowerOn, world.Variable{})
			}
		}
	}
	slices.SortStableFunc(list, func(a, b recipe.Event) int { return cmp.Compare(a.At, b.At) })
	return list
}

// LeftOut lists, for people, what the scenario says and is not heeded, by a timed run or by others.
func (s *Scenario) LeftOut(timed bool) []string {
	var list []string
	for _, n := range s.Noise {
		if n != (Noise{FloorDBm: defaultNoise}) {
			list = append(list, s.Name+": the noise floor is ignored: radios decide by loss and collisions")
			break
		}
	}
	for _, y := range s.Symbolic {
		list = append(list, fmt.Sprintf("%s: only symbolic uses the symbolic %s", y.Pos, y.Kind))
	}
	for _, w := range s.Wires {
		if !timed && w.A == w.B {
			list = append(list, fmt.Sprintf("%s: characters that wait in the transmitter while nothing else happens", w.Pos))
		}
	}
	for _, p := range s.Properties {
		if timed && p.Kind.AtCode() {
			list = append(list, fmt.Sprintf("%s: only check and symbolic evaluate %s", p.Pos, p.Kind))
		}
	}
	return list
}
