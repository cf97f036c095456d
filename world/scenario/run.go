package scenario

import (
	"cmp"
	"encoding/hex"
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
	for _, c := range s.Cuts() {
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
		r.Serial = append(r.Serial, recipe.Serial{Mote: in.Mote, USART: in.USART, At: in.At, Hex: hex.EncodeToString(in.Bytes)})
	}
	for _, x := range s.Sensors {
		r.Sensors = append(r.Sensors, recipe.Sensor(x))
	}
	for _, f := range s.Faults {
		if x, ok := f.recipe(); ok {
			r.Faults = append(r.Faults, x)
		}
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
	if err := s.Check(func(i int) *image.Image { return cfg.Motes[i].Kind.Image }); err != nil {
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
		Boot: m.BootFrom, Drift: m.Drift}
	if m.BootUntil > m.BootFrom {
		x.BootUntil = m.BootUntil
	}
	for _, v := range m.Vars {
		x.Vars = append(x.Vars, recipe.Variable(v))
	}
	return x
}

// worldFaults are the faults that a timed run knows.
var worldFaults = map[FaultKind]world.FaultKind{
	Lose: world.Lose, Duplicate: world.Duplicate, Corrupt: world.Corrupt, Reorder: world.Reorder, Delay: world.Delay,
	Reboot: world.Reboot, Outage: world.Outage, LateBoot: world.LateBoot,
}

func (f *Fault) recipe() (x recipe.Fault, ok bool) {
	kind, ok := worldFaults[f.Kind]
	x = recipe.Fault{Kind: kind.String(), Max: f.Max, After: f.After, Until: f.Until, Span: f.Span}
	if f.Mote != Everyone {
		x.Mote = &f.Mote
	}
	if f.From != None {
		x.Link = &[2]int{f.From, f.To}
	}
	if f.Wire != None {
		x.Wire = &f.Wire
	}
	return x, ok
}

// happenings are the events that motes notice. Outages of a mote that overlap are one.
func (s *Scenario) happenings() []recipe.Event {
	var list []recipe.Event
	back := make([]uint64, len(s.Motes)) // by mote: when its last outage ends
	add := func(at uint64, mote int, k world.EventKind, v Variable) {
		list = append(list, recipe.Event{At: at, Mote: mote, Kind: k.String(), Path: v.Path, Value: v.Value})
	}
	for _, e := range s.Events {
		switch e.Kind {
		case EventReboot:
			add(e.At, e.Mote, world.PowerCycle, Variable{})
		case EventSet:
			add(e.At, e.Mote, world.SetVar, e.Var)
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
				add(e.At, e.Mote, world.PowerOff, Variable{})
			}
			back[e.Mote] = until
			if until != medium.Never {
				add(until, e.Mote, world.PowerOn, Variable{})
			}
		}
	}
	slices.SortStableFunc(list, func(a, b recipe.Event) int { return cmp.Compare(a.At, b.At) })
	return list
}

// LeftOut lists, for people, what the scenario says and is not heeded, by a timed run or by others.
func (s *Scenario) LeftOut(timed bool) []string {
	var list []string
	for _, f := range s.Faults {
		if _, ok := worldFaults[f.Kind]; !ok {
			list = append(list, fmt.Sprintf("%s: only check explores %s", f.Pos, f.Kind))
		}
	}
	for _, n := range s.Noise {
		if n != (Noise{FloorDBm: defaultNoise}) {
			list = append(list, s.Name+": the noise floor is ignored: radios decide by loss and collisions")
			break
		}
	}
	for _, y := range s.Symbolic {
		list = append(list, fmt.Sprintf("%s: only symbolic uses the symbolic %s", y.Pos, y.Kind))
	}
	for _, p := range s.Properties {
		if timed && p.Kind.AtCode() {
			list = append(list, fmt.Sprintf("%s: only check and symbolic evaluate %s", p.Pos, p.Kind))
		}
	}
	return list
}
