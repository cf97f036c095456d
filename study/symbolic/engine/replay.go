package engine

import (
	"cmp"
	"errors"
	"slices"

	"motehound/mote"
	"motehound/study/symbolic/core"
	"motehound/study/symbolic/expr"
	"motehound/world"
)

// Way is how motes go, together: what is to be known to run an outcome or finding again.
type Way struct {
	Model   expr.Model
	Answers []world.Answer
	Inputs  []core.Made
	Holds   []world.Hold
}

// Way is how the motes of an outcome go.
func (s *Outcome) Way() Way { return Way{s.Model, s.Answers, s.Inputs, s.Holds} }

// Way is how motes go, up to the finding.
func (f *Finding) Way() Way { return Way{f.Model, f.Answers, f.Inputs, f.Holds} }

// Concrete is an outcome or finding without anything symbolic: what package world needs to run it again.
type Concrete struct {
	Serial  []world.Serial // all input from outside
	Sensors []world.Sensor
	Edits   []world.Edit // the symbolic bytes of frames
	Pokes   []Poke       // the symbolic variables
	Answers []world.Answer
	Holds   []world.Hold
}

// Poke is bytes that are written when a mote is before an instruction.
type Poke struct {
	Name  string
	Mote  int
	PC    uint32 // flash byte address
	Nth   int    // how often it was there before
	Addr  uint16
	Bytes []uint8
}

// Concrete works out what the inputs and choices are.
func (e *Engine) Concrete(way Way) Concrete {
	model := way.Model
	ev := e.pool.NewEvaluator()
	ev.Use(model)
	c := Concrete{Serial: slices.Clone(e.cfg.World.Serial), Sensors: slices.Clone(e.cfg.World.Sensors), Answers: way.Answers, Holds: way.Holds}
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
		p := Poke{Name: m.Name, Mote: m.Mote, PC: m.PC, Nth: m.Nth, Addr: m.Addr}
		for _, x := range m.Bytes {
			p.Bytes = append(p.Bytes, uint8(ev.Eval(x)))
		}
		c.Pokes = append(c.Pokes, p)
	}
	return c
}

// Replay is the network in package world, without any symbolic input. Run it to see the same happen.
func (e *Engine) Replay(way Way) (*world.World, error) {
	c := e.Concrete(way)
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

// Confirm runs a finding again without symbolic inputs, and reports whether the same goes wrong there. What it is not told of a finding it
// does not confirm. A check at a place takes two runs: one finds the moment, the other has all motes stand there.
func (e *Engine) Confirm(f Finding) (bool, error) {
	w, err := e.Replay(f.Way())
	if err != nil {
		return false, err
	}
	c := &confirmation{e: e, w: w, f: &f}
	if f.Check != nil && f.Check.Place == "" {
		w.RunUntil(f.At)
		c.judge()
		return c.fails, c.err
	}
	w.Observe(world.Observer{Code: c.code, CodeAt: func(*mote.Kind) []uint32 { return []uint32{f.PC / 2} }})
	w.RunUntil(f.At + world.Millisecond)
	if len(c.moments) == 0 {
		return c.fails, c.err
	}
	if c.w, err = e.Replay(f.Way()); err != nil {
		return false, err
	}
	for _, at := range c.moments {
		c.w.RunUntil(at)
		c.judge()
	}
	return c.fails, c.err
}

// confirmation is a finding that is being confirmed.
type confirmation struct {
	e     *Engine
	w     *world.World
	f     *Finding
	fails bool
	err   error
	// At a place: when the mote was there, about when it was when the finding was made. A branch that was merged may have taken a
	// little more or less time.
	moments []uint64
}

// code is called in front of the instruction of the finding.
func (c *confirmation) code(i int, _ uint64, _ uint32) bool {
	m := c.w.Motes()[i]
	switch {
	case i != c.f.Mote:
	case c.f.Check != nil:
		if at := c.e.cfg.World.Motes[i].BootFrom + m.Time(); at+world.Millisecond >= c.f.At {
			c.moments = append(c.moments, at)
		}
	case c.f.Kind == core.Assertion:
		c.fails = c.fails || m.Core().R[c.f.Reg] == 0
	default:
		at, ok := m.Core().Touches()
		c.fails = c.fails || ok && (uint32(at.Addr) < c.f.Lo || uint32(at.Addr) >= c.f.Hi)
	}
	return false
}

// judge asks the finding's check about the world as it is now.
func (c *confirmation) judge() {
	cond, err := c.f.Check.Holds(View{Pool: c.e.pool, value: func(i int, path string) (expr.ID, error) {
		m := c.w.Motes()[i]
		ref, err := m.Kind.Image.Lookup(path)
		if err != nil {
			return 0, err
		}
		v, err := ref.Read(m.Memory())
		if err != nil {
			return 0, err
		}
		width := int(ref.Type.Strip().Size) * 8
		if ref.BitSize != 0 {
			width = int(ref.BitSize)
		}
		return c.e.pool.Const(width, uint64(v.Int())), nil
	}})
	c.err = errors.Join(c.err, err)
	c.fails = c.fails || err == nil && c.e.pool.IsFalse(cond)
}

// readings gives the sensors the values of symbolic readings, from the moment of each on.
func (e *Engine) readings(c *Concrete, ev *expr.Evaluator, inputs []core.Made) {
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
	pokes []Poke
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
