package engine

import (
	"cmp"
	"slices"

	"motehound/mote"
	"motehound/study/symbolic/core"
	"motehound/study/symbolic/expr"
	"motehound/world"
)

// Way is the inputs and choices of all motes: what is needed to run an outcome or finding again.
type Way struct {
	Model   expr.Model
	Answers []world.Answer
	Inputs  []core.Made
	Holds   []world.Hold
}

// Way is the inputs and choices that lead to the outcome.
func (s *Outcome) Way() Way { return Way{s.Model, s.Answers, s.Inputs, s.Holds} }

// Way is the inputs and choices that lead to the finding.
func (f *Finding) Way() Way { return Way{f.Model, f.Answers, f.Inputs, f.Holds} }

// concrete is an outcome or finding without anything symbolic: what package world needs to run it again.
type concrete struct {
	Serial  []world.Serial // all input from outside
	Sensors []world.Sensor
	Edits   []world.Edit // the symbolic bytes of frames
	Pokes   []poke       // the symbolic variables
	Answers []world.Answer
	Holds   []world.Hold
}

// poke is bytes that are written when a mote is before an instruction.
type poke struct {
	Name  string
	Mote  int
	PC    uint32 // flash byte address
	Nth   int    // how often it was there before
	Addr  uint16
	Bytes []uint8
}

// concrete works out what the inputs and choices are.
func (e *Engine) concrete(way Way) concrete {
	model := way.Model
	ev := e.pool.NewEvaluator()
	ev.Use(model)
	c := concrete{Serial: slices.Clone(e.cfg.World.Serial), Sensors: slices.Clone(e.cfg.World.Sensors), Answers: way.Answers, Holds: way.Holds}
	for k, in := range e.cfg.Serial {
		s := in.Serial
		s.Bytes = slices.Clone(s.Bytes)
		for _, i := range in.Symbolic {
			s.Bytes[i] = uint8(model.Value(e.inputs[inputKey{serialInput, k, i}]))
		}
		c.Serial = append(c.Serial, s)
	}
	slices.SortStableFunc(c.Serial, func(a, b world.Serial) int { return cmp.Compare(a.At, b.At) })
	for k, f := range e.cfg.Frames {
		for i := range f.Length {
			if v, ok := e.inputs[inputKey{frameInput, k, i}]; ok && model.Has(v) {
				c.Edits = append(c.Edits, world.Edit{Mote: f.Mote, Sent: f.Sent, Wire: f.Wire, Nth: f.Nth, Offset: f.Offset + i, Value: uint8(model.Value(v))})
			}
		}
	}
	e.readings(&c, ev, way.Inputs)
	for _, m := range way.Inputs {
		if m.Sensor {
			continue
		}
		p := poke{Name: m.Name, Mote: m.Mote, PC: m.PC, Nth: m.Nth, Addr: m.Addr}
		for _, x := range m.Bytes {
			p.Bytes = append(p.Bytes, uint8(ev.Eval(x)))
		}
		c.Pokes = append(c.Pokes, p)
	}
	return c
}

// Replay is the network in package world, without any symbolic input. Run it to see the same happen.
func (e *Engine) Replay(way Way) (*world.World, error) {
	c := e.concrete(way)
	cfg := *e.cfg.World
	cfg.Serial, cfg.Sensors, cfg.Edits, cfg.Holds = c.Serial, c.Sensors, c.Edits, c.Holds
	w, err := world.New(&cfg, world.Fixed{Answers: c.Answers, Else: world.Ordinary{}})
	if err != nil {
		return nil, err
	}
	p := &poker{w: w, pokes: c.Pokes, seen: map[place]int{}}
	w.Observe(world.Observer{Code: p.code, CodeAt: p.at})
	return w, nil
}

// readings gives the sensors the values of symbolic readings, from the moment of each on.
func (e *Engine) readings(c *concrete, ev *expr.Evaluator, inputs []core.Made) {
	for _, r := range e.cfg.Readings {
		c.Sensors = append(c.Sensors, world.Sensor{Mote: r.Mote, Channel: r.Channel, Value: r.Value})
		for _, m := range inputs {
			if m.Sensor && m.Mote == r.Mote && m.Name == r.Name {
				at := e.cfg.World.Motes[m.Mote].BootFrom + m.Time
				v := uint16(ev.Eval(m.Bytes[0])) | uint16(ev.Eval(m.Bytes[1]))<<8
				c.Sensors = append(c.Sensors, world.Sensor{Mote: r.Mote, Channel: r.Channel, At: at, Value: v},
					world.Sensor{Mote: r.Mote, Channel: r.Channel, At: at + 1, Value: r.Value})
			}
		}
	}
}

// poker writes inputs to variables when the places are reached at which they were made symbolic.
type poker struct {
	w     *world.World
	pokes []poke
	seen  map[place]int // how often it was reached
}

type place struct {
	mote int
	pc   uint32
}

func (p *poker) at(*mote.Kind) (list []uint32) {
	for _, x := range p.pokes {
		if !slices.Contains(list, x.PC/2) {
			list = append(list, x.PC/2)
		}
	}
	return list
}

func (p *poker) code(i int, _ uint64, pc uint32) bool {
	mem, nth := p.w.Motes()[i].Memory(), p.seen[place{i, pc}]
	p.seen[place{i, pc}]++
	for _, x := range p.pokes {
		if x.Mote == i && x.PC == pc*2 && x.Nth == nth {
			for k, v := range x.Bytes {
				mem.StoreByte(uint32(x.Addr)+uint32(k), v)
			}
		}
	}
	return false
}
