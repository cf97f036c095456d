package engine

import (
	"errors"

	"motehound/mote"
	"motehound/study/symbolic/core"
	"motehound/study/symbolic/expr"
	"motehound/world"
)

// confirm runs a finding again without symbolic inputs, and reports whether the same goes wrong there. What it is not told of a finding it
// does not confirm. A check at a place takes two runs: one finds the moment, the other has all motes stand there.
func (e *Engine) confirm(f Finding) (bool, error) {
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

// code is called before the instruction of the finding.
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
