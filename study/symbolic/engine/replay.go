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

// Replay is the network in package world, without any symbolic input: with the inputs and choices of a scenario or finding. Run it to
// see the same happen.
func (e *Engine) Replay(model expr.Model, answers []world.Answer, inputs []core.Made) (*world.World, error) {
	ev := e.pool.NewEvaluator()
	ev.Use(model)
	cfg := *e.cfg.World
	cfg.Serial, cfg.Sensors = slices.Clone(cfg.Serial), slices.Clone(cfg.Sensors)
	for _, in := range e.cfg.Serial {
		s := in.Serial
		s.Bytes = slices.Clone(s.Bytes)
		for _, i := range in.Symbolic {
			s.Bytes[i] = uint8(model.Value(e.serial[serialKey{in.Mote, in.Name, i}]))
		}
		cfg.Serial = append(cfg.Serial, s)
	}
	slices.SortStableFunc(cfg.Serial, func(a, b world.Serial) int { return cmp.Compare(a.At, b.At) })
	e.readings(&cfg, ev, inputs)
	w, err := world.New(&cfg, world.Fixed{Answers: answers, Else: ordinary{}})
	if err != nil {
		return nil, err
	}
	p := &poker{w: w, ev: ev, inputs: inputs, seen: map[place]int{}}
	w.Observe(world.Observer{Code: p.code, CodeAt: p.at})
	return w, nil
}

// Confirm runs a finding again without symbolic inputs, and tells whether the same goes wrong there. What it is not told of a finding it
// does not confirm.
func (e *Engine) Confirm(f Finding) (bool, error) {
	w, err := e.Replay(f.Model, f.Answers, f.Inputs)
	if err != nil {
		return false, err
	}
	c := &confirmation{e: e, w: w, f: &f}
	if f.PC != 0 || f.Check == nil {
		w.Observe(world.Observer{Code: c.code, CodeAt: func(*mote.Kind) []uint32 { return []uint32{f.PC / 2} }})
	}
	switch {
	case f.Check == nil || f.Check.Place != "":
		w.RunUntil(f.At + world.Millisecond)
	default:
		w.RunUntil(f.At)
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
}

// code is called in front of the instruction of the finding.
func (c *confirmation) code(i int, _ uint64, _ uint32) bool {
	m := c.w.Motes()[i]
	switch {
	case i != c.f.Mote:
	case c.f.Check != nil:
		c.judge()
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
	cond, err := c.f.Check.Holds(View{c.e.pool, func(i int, path string) (expr.ID, error) {
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
func (e *Engine) readings(cfg *world.Config, ev *expr.Evaluator, inputs []core.Made) {
	for _, r := range e.cfg.Readings {
		cfg.Sensors = append(cfg.Sensors, world.Sensor{Mote: r.Mote, Channel: r.Channel, Value: r.Value})
		for _, m := range inputs {
			if m.Sensor && m.Mote == r.Mote && m.Name == r.Name {
				at := cfg.Motes[m.Mote].BootFrom + m.Time
				v := uint16(ev.Eval(m.Bytes[0])) | uint16(ev.Eval(m.Bytes[1]))<<8
				cfg.Sensors = append(cfg.Sensors, world.Sensor{Mote: r.Mote, Channel: r.Channel, At: at, Value: v},
					world.Sensor{Mote: r.Mote, Channel: r.Channel, At: at + 1, Value: r.Value})
			}
		}
	}
}

// ordinary answers every question with what is ordinary.
type ordinary struct{}

// Choose implements world.Chooser.
func (ordinary) Choose(c world.Choice) uint32 {
	for a := range c.Options {
		if c.Allows(a) {
			return a
		}
	}
	return 0
}

// poker writes inputs to variables when the places are reached at which they were made symbolic.
type poker struct {
	w      *world.World
	ev     *expr.Evaluator
	inputs []core.Made
	seen   map[place]int // how often it was reached
}

type place struct {
	mote int
	pc   uint32
}

func (p *poker) at(*mote.Kind) (list []uint32) {
	for _, m := range p.inputs {
		if !m.Sensor && !slices.Contains(list, m.PC/2) {
			list = append(list, m.PC/2)
		}
	}
	return list
}

func (p *poker) code(i int, _ uint64, pc uint32) bool {
	mem, nth := p.w.Motes()[i].Memory(), p.seen[place{i, pc}]
	p.seen[place{i, pc}]++
	for _, m := range p.inputs {
		if m.Mote == i && m.PC == pc*2 && m.Nth == nth && !m.Sensor {
			for k, x := range m.Bytes {
				mem.StoreByte(uint32(m.Addr)+uint32(k), uint8(p.ev.Eval(x)))
			}
		}
	}
	return false
}
