package core

import (
	"fmt"

	"motehound/isa/avr"
	"motehound/isa/avr/lift"
	"motehound/mote/cell"
	"motehound/mote/mcu"
	"motehound/study/symbolic/expr"
)

// Over implements avr.Shadow. Every instruction is followed only while a register or flag depends on inputs. While only memory does, those
// that access memory are; and those at marks always.
func (r *rig) Over(plain, p *avr.Program) *avr.Program {
	if r.own = plain != r.table.plain; r.own {
		// The mote has programmed itself. Its instructions are looked at one by one.
		all := make([]uint32, p.Words())
		for i := range all {
			all[i] = uint32(i)
		}
		q := p.Shadowed(all)
		r.follows = follows{p, q, q, q}
	} else {
		r.follows = r.table.over(p)
	}
	return r.program()
}

// program is the one that the present state needs.
func (r *rig) program() *avr.Program {
	switch {
	case r.cur == nil:
		return r.sparse
	case r.cur.sh.live != 0:
		return r.full
	case r.cur.sh.bytes != 0:
		return r.memory
	}
	return r.sparse
}

// Step implements avr.Shadow: the core is before an instruction.
func (r *rig) Step(c *avr.Core) {
	if r.x.cfg.Verify {
		if err := r.verify(); err != nil {
			panic("BUG: core: " + err.Error())
		}
	}
	if r.own {
		x := r.table.recordOf(r.inst(c, c.PC))
		x.marked = len(r.table.marks[c.PC]) > 0
		r.step(c, &x)
		return
	}
	r.step(c, &r.table.records[c.PC])
}

// Ignores implements mcu.Bystander: while no register depends on inputs, an instruction matters if it has a mark or accesses a byte that does.
func (r *rig) Ignores(c *avr.Core) bool {
	if r.own || r.cur == nil || r.cur.sh.live != 0 || r.x.cfg.Verify {
		return false
	}
	x := &r.table.records[c.PC]
	return !x.marked && (x.kind == byRegisters || r.plainAccess(c, x))
}

// step does what the instruction will do to the shadow. Nearly always it can be told at once that there is nothing to do.
func (r *rig) step(c *avr.Core, x *record) {
	if x.marked {
		r.reach(c)
	}
	s := &r.cur.sh
	if s.live&x.reads != 0 || x.kind != byRegisters && !r.plainAccess(c, x) {
		r.follow(c)
		c.Program = r.program()
		return
	}
	if s.live != 0 {
		if s.live &^= x.writes; s.live == 0 {
			c.Program = r.program()
		}
	}
}

// plainAccess reports whether the bytes that an instruction accesses are plain.
func (r *rig) plainAccess(c *avr.Core, x *record) bool {
	switch x.kind {
	case byPointer:
		return r.plainByte(c, x.address(c))
	case byStack:
		return r.plainStack(c, x)
	}
	return false
}

// plainByte reports whether the byte at an address is plain, or a device's: then the bus sees to it.
func (r *rig) plainByte(c *avr.Core, a uint16) bool {
	s := &r.cur.sh
	if i := uint(a) - uint(s.base); i < uint(len(c.RAM)) {
		p := s.pages[i/pageSize]
		return p == nil || p.expr[i%pageSize] == 0
	}
	return a >= 32 && a != avr.AddrSREG
}

// plainStack reports whether the bytes that an instruction pushes or pops are plain.
func (r *rig) plainStack(c *avr.Core, x *record) bool {
	first := uint(c.SP) + 1
	if x.store {
		first -= uint(x.bytes)
	}
	for a := first; a < first+uint(x.bytes); a++ {
		if !r.plainByte(c, uint16(a)) {
			return false
		}
	}
	return true
}

// inst is the instruction at an address as this mote has it.
func (r *rig) inst(c *avr.Core, pc uint32) avr.Inst {
	in := c.Plain.At(pc)
	if in.N == 0 { // the mote's own flash decides
		return avr.Decode(c.Bus.ProgWord(pc), c.Bus.ProgWord(pc+1), pc, r.table.kind.Board.Chip.Has, c.Plain.Words())
	}
	return in
}

// follow lifts the instruction over the shadow, and decides what depends on inputs.
func (r *rig) follow(c *avr.Core) {
	r.x.stats.Lifted++
	r.before = r.cur.sh.file
	in, pc := r.inst(c, c.PC), c.PC
	l := lifted{algebra{r.x.pool}, r, c}
	flow := lift.Lift[expr.ID](l, r.table.chip, in, pc, uint32(r.inst(c, pc+1).N))
	if r.outOfRoom(pc) {
		return
	}
	switch flow.Kind {
	case lift.Fork:
		if _, known := r.x.pool.Value(flow.Cond); !known {
			r.branch(c, in, flow)
		}
	case lift.Indirect:
		if _, known := r.x.pool.Value(flow.Target); !known {
			r.pick(c, flow.Target, "jump")
		}
	}
}

// outOfRoom ends the state if there is no room for more expressions: from then on none is what it says.
func (r *rig) outOfRoom(pc uint32) bool {
	err := r.x.pool.Err()
	if err != nil {
		r.leaveOut(pc, fmt.Sprintf("all that comes after: %v", err))
		r.end(Full)
	}
	return err != nil
}

// bus is the machine as its core sees it, but that what devices read and write may have expressions.
type bus struct {
	*mcu.Machine
	r *rig
}

// Load reads an I/O register. If it has an expression, the instruction's register gets it.
func (b bus) Load(addr uint16) uint8 {
	c := b.LoadCell(addr)
	if c.Expr() != 0 {
		b.r.loaded(b.Core(), c)
	}
	return c.V()
}

// Store writes an I/O register, with the expression that the step before has left.
func (b bus) Store(addr uint16, v uint8) {
	c := cell.Symbolic(v, uint32(b.r.storing))
	b.r.storing = 0
	b.StoreCell(addr, c)
}

// loaded gives the destination of the instruction at PC the expression of what was read.
func (r *rig) loaded(core *avr.Core, c cell.Cell) {
	in := r.inst(core, core.PC)
	if in.Results()&avr.RegSet(in.D) == 0 {
		r.Decided(r.m, c) // a skip, or a stack that lies where registers are
		return
	}
	r.cur.sh.reg[in.D] = expr.ID(c.Expr())
	r.cur.sh.live |= avr.RegSet(in.D)
	core.Program = r.program()
}
