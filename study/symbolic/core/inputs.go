package core

import (
	"fmt"

	"motehound/isa/avr"
	"motehound/mote/cell"
	"motehound/study/symbolic/expr"
	"motehound/study/symbolic/solver"
)

// inputKey tells inputs apart. The same input has the same variable in all states: the nth value of x at mote m.
type inputKey struct {
	mote, mark, nth, byte int
	sensor                bool
}

// Made is an input that a state has met.
type Made struct {
	Name   string
	Mote   int
	Origin string
	Addr   uint16 // of a variable in SRAM
	Nth    int    // how often this place was reached, or this channel read, before
	Cycle  uint64
	Time   uint64    // picoseconds since the mote was switched on
	PC     uint32    // flash byte address
	Bytes  []expr.ID // what it is now, lowest byte first
	Sensor bool
}

// Made is the inputs that the state has met, in that order.
func (s *State) Made() []Made { return s.made[:len(s.made):len(s.made)] }

// Input is input of some bits that belongs to no mote's memory. Its value under the model is v. If there is no room for more
// expressions it is just v, and the state ends.
func (s *State) Input(name string, width int, origin string, v uint64) expr.ID {
	x := s.x.pool.NewVar(name, width, origin)
	if s.x.pool.Err() != nil {
		s.end = Full
		return s.x.pool.Const(width, v)
	}
	s.give([]expr.ID{x}, []uint64{v})
	return x
}

// Var is a byte of such input, as a cell.
func (s *State) Var(name, origin string, v uint8) cell.Cell {
	return s.Cell(s.Input(name, 8, origin, uint64(v)))
}

// Know gives the state's model values for inputs that were made elsewhere and reach it now: those that its model does not name yet.
func (s *State) Know(m expr.Model) {
	s.board()
	if all := m.With(s.model); all.Len() != s.model.Len() {
		s.setModel(all)
	}
}

// give adds variables to the model.
func (s *State) give(vars []expr.ID, values []uint64) {
	index := make([]expr.VarIndex, len(vars))
	for i, x := range vars {
		v, ok := s.x.pool.VarOf(x)
		if !ok {
			panic("BUG: core: a variable is none")
		}
		index[i] = v
	}
	s.setModel(s.model.With(expr.NewModel(index, values)))
}

// variable is the input of a key, made when it is first met.
func (x *Explorer) variable(k inputKey, width int, name, origin string) expr.ID {
	if v, ok := x.vars[k]; ok {
		return v
	}
	v := x.pool.NewVar(name, width, origin)
	x.vars[k] = v
	return v
}

// makeSymbolic makes the bytes of a variable inputs. They keep the values that they have, for now.
func (r *rig) makeSymbolic(c *avr.Core, m *mark) {
	s := r.cur
	for len(s.arrivals) <= m.index {
		s.arrivals = append(s.arrivals, 0)
	}
	nth := int(s.arrivals[m.index])
	if m.times > 0 && nth >= m.skip+m.times {
		return
	}
	s.arrivals[m.index]++
	if nth < m.skip {
		return
	}
	addr, ok := r.target(c, m)
	if !ok {
		return
	}
	made := Made{Name: m.name, Mote: s.mote, Origin: m.origin, Addr: addr, Nth: nth, Cycle: c.Cycles, Time: r.m.Time(), PC: c.PC * 2}
	var values []uint64
	for i := range m.size {
		name := fmt.Sprintf("mote%d.%s", s.mote, m.name)
		if m.size > 1 {
			name = fmt.Sprintf("%s[%d]", name, i)
		}
		v := r.x.variable(inputKey{mote: s.mote, mark: m.index, nth: nth, byte: int(i)}, 8, name,
			fmt.Sprintf("byte %d of %s at mote %d, %s", i, m.name, s.mote, m.origin))
		made.Bytes = append(made.Bytes, v)
		values = append(values, uint64(c.RAM[addr+i-c.RAMBase]))
		s.sh.put(addr+i, v)
	}
	if r.outOfRoom(c.PC) {
		return
	}
	s.give(made.Bytes, values)
	s.made = append(s.made, made)
	c.Program = r.program()
}

// target is the address of a mark's variable.
func (r *rig) target(c *avr.Core, m *mark) (uint16, bool) {
	addr := m.addr
	if m.reg != 0 {
		for _, i := range []uint8{m.reg, m.reg + 1} {
			if r.cur.sh.live&avr.RegSet(i) != 0 {
				r.Decided(r.m, cell.Symbolic(c.R[i], uint32(r.cur.sh.reg[i])))
			}
		}
		addr += uint16(c.R[m.reg]) | uint16(c.R[m.reg+1])<<8
	} else if m.ref.Type != nil && m.ref.Indirect() {
		a, err := m.ref.Resolve(r.m.Memory())
		if err != nil {
			r.leaveOut(c.PC, fmt.Sprintf("%s, which is not made symbolic: %v", m.name, err))
			return 0, false
		}
		addr = uint16(a)
	}
	if first := uint(addr) - uint(c.RAMBase); first+uint(m.size) > uint(len(c.RAM)) {
		r.leaveOut(c.PC, fmt.Sprintf("%s, which is not made symbolic: it is not in SRAM", m.name))
		return 0, false
	}
	return addr, true
}

// condition is what a mark says must not be 0: a condition, or with ok false a plain byte.
func (r *rig) condition(c *avr.Core, m *mark) (holds expr.ID, symbolic bool) {
	f := &r.cur.sh.file
	if f.live&avr.RegSet(m.reg) == 0 {
		return r.x.pool.Bool(c.R[m.reg] != 0), false
	}
	return r.x.pool.Ne(f.reg[m.reg], r.x.pool.Const(8, 0)), true
}

// assume is mh_assume: only inputs for which the condition holds are of interest.
func (r *rig) assume(c *avr.Core, m *mark) {
	cond, _ := r.condition(c, m)
	r.require(c.PC, cond, Assumed)
}

// require has the state go on only with inputs for which a condition holds; if there are none it ends.
func (r *rig) require(pc uint32, cond expr.ID, why End) {
	s := r.cur
	switch {
	case r.x.pool.IsTrue(cond):
		return
	case r.x.pool.IsFalse(cond):
		r.end(why)
		return
	case r.holds(cond):
		s.path = s.path.Add(cond)
		return
	}
	switch answer := r.adopt(cond); answer.Result {
	case solver.Unsat:
		r.end(why)
	case solver.Unknown:
		r.leaveOut(pc, fmt.Sprintf("all that comes after a condition: %v", answer.Why))
		r.end(why)
	}
}

// assert is mh_assert: a finding if the condition can fail. The state goes on where it holds.
func (r *rig) assert(c *avr.Core, m *mark) {
	cond, _ := r.condition(c, m)
	text := "an assertion fails"
	if m.name != "" {
		text += ": " + m.name
	}
	r.check(c, cond, Finding{Kind: Assertion, Message: text, Reg: int(m.reg)})
}

// check finds whether a condition can fail, reports it, and goes on where it holds.
func (r *rig) check(c *avr.Core, cond expr.ID, f Finding) {
	s, p := r.cur, r.x.pool
	if p.IsTrue(cond) {
		return
	}
	against := p.Not(cond)
	model, can := s.model, solver.Sat
	if p.IsTrue(against) || !r.holds(cond) {
		// The inputs at hand show it.
	} else {
		answer := r.x.solver.Check(s.path, against)
		model, can = s.model.With(answer.Model), answer.Result
		if can == solver.Unknown {
			r.leaveOut(c.PC, fmt.Sprintf("whether %s: %v", f.Message, answer.Why))
		}
	}
	if can == solver.Sat {
		f.Mote, f.Cycle, f.PC, f.Place = s.mote, c.Cycles, c.PC*2, r.table.place(c.PC)
		f.Model, f.Path = model, s.path.Add(against)
		s.findings = append(s.findings, f)
		r.m.Pause()
	}
	r.require(c.PC, cond, Failed)
}
