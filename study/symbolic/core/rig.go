package core

import (
	"motehound/isa/avr"
	"motehound/isa/avr/lift"
	"motehound/mote"
	"motehound/mote/cell"
	"motehound/mote/mcu"
	"motehound/study/symbolic/expr"
)

// fleet is the rigs of one mote: as many of its states as there are rigs can run without being put aside in between.
type fleet struct {
	x     *Explorer
	table *table
	conf  Mote
	rigs  []*rig
	clock uint64 // counts boardings
}

// rig is where a state of a mote runs.
type rig struct {
	x     *Explorer
	table *table
	conf  *Mote
	m     *mote.Mote
	cur   *State // whose the mote is now
	until uint64 // cycle to which it runs
	used  uint64 // when it was last boarded

	follows
	own bool // the mote runs a program of its own

	before  file    // registers and flags before the present instruction
	storing expr.ID // what the present instruction stores in a device
}

func (f *fleet) add() *rig {
	r := &rig{x: f.x, table: f.table, conf: &f.conf}
	f.rigs = append(f.rigs, r)
	return r
}

// fit has a new mote followed.
func (r *rig) fit(m *mote.Mote) {
	r.m = m
	m.Watch(mote.WatchInterrupts)
	m.WatchCode(r.table.watch, r.table.counted)
	m.SetShadow(r)
	m.Core().Bus = bus{m.Machine, r}
}

// board has the state aboard a rig: one that is free, a new one, or the one whose state has not run for longest.
func (s *State) board() *mote.Mote {
	f := s.fleet
	f.clock++
	if s.rig != nil {
		s.rig.used = f.clock
		return s.rig.m
	}
	r := f.rigs[0]
	for _, o := range f.rigs {
		if o.used < r.used {
			r = o
		}
	}
	if r.cur != nil && len(f.rigs) < s.x.cfg.Aboard {
		r = f.add()
	}
	if r.cur != nil {
		r.leave()
	}
	if r.m == nil {
		r.fit(s.rest.Wake(new(mote.Room), r))
	} else {
		r.m.Restore(&s.rest)
		s.rest = mote.Rest{}
	}
	r.cur, s.rig, r.used = s, r, f.clock
	r.m.Rose() // what the mote has told is of another state
	r.arrange()
	if s.stale {
		r.refresh()
	}
	r.m.Core().Program = r.program()
	return r.m
}

// leave puts the state aside that is aboard.
func (r *rig) leave() {
	s := r.cur
	r.gather(s)
	r.m.Save(&s.rest)
	s.now, s.rig, r.cur = r.m.Time(), nil, nil
}

// refresh gives everything in the mote that depends on inputs the value that it has under the state's model.
func (r *rig) refresh() {
	s, c := r.cur, r.m.Core()
	ev := r.x.evaluator(s)
	for i := range s.sh.live.Registers {
		c.R[i] = uint8(ev.Eval(s.sh.reg[i]))
	}
	sreg := c.SREG()
	for f := avr.FlagC; f <= avr.FlagT; f++ {
		if s.sh.live&avr.FlagSet(f) != 0 {
			sreg = sreg&^(1<<f) | r.flagUnder(ev, s.sh.flag[f])<<f
		}
	}
	c.SetSREG(sreg)
	s.sh.each(func(addr uint16, x expr.ID) { c.RAM[addr-c.RAMBase] = uint8(ev.Eval(x)) })
	r.m.EachCell(func(b *cell.Cell) { *b = revalued(ev, *b) })
	s.revalue(ev)
	s.stale = false
}

// flagUnder is a flag's value, worked out from numbers: its expression may never be needed.
func (r *rig) flagUnder(ev *expr.Evaluator, f lift.Lazy[expr.ID]) uint8 {
	n := lift.Map(f, func(x expr.ID) lift.Bits { return lift.Bits{V: ev.Eval(x), Width: uint8(r.x.pool.Width(x))} })
	return uint8(n.Build(lift.Numbers{}).V)
}

func revalued(ev *expr.Evaluator, b cell.Cell) cell.Cell {
	if b.Expr() == 0 {
		return b
	}
	return cell.Symbolic(uint8(ev.Eval(expr.ID(b.Expr()))), b.Expr())
}

// gather moves the counts of blocks that were reached to the state that reached them.
func (r *rig) gather(s *State) {
	c := &r.m.Core().Counts
	for w, reached := range c.Reached {
		s.covered[w] |= reached
	}
	c.Clear()
}

// stopped ends the state with its CPU.
func (r *rig) stopped(m *mote.Mote) {
	switch m.Stopped() {
	case mcu.StopOff: // until somebody switches it on again
	default:
		r.cur.end = Stopped
	}
}
