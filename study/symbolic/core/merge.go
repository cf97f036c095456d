package core

import (
	"motehound/isa/avr"
	"motehound/isa/avr/lift"
	"motehound/study/symbolic/expr"
)

// Checksums, saturation and comparisons compile to branches over one or a few instructions that only change registers. Each would
// double the states. So such a branch is no decision: the registers get "condition ? as they were : as the body leaves them". The mote
// runs the body or not, as its inputs say; nothing else can happen meanwhile, or it is not done.

// merge turns a branch into if-then-else, if that is possible. The core is then before the instruction behind the body, which
// has been stepped through.
func (r *rig) merge(c *avr.Core, in avr.Inst, flow lift.Flow[expr.ID]) bool {
	body, ok := r.body(c, flow)
	if !ok || r.x.pool.IsTrue(r.cur.path.Simplify(flow.Cond)) || r.x.pool.IsFalse(r.cur.path.Simplify(flow.Cond)) {
		return false
	}
	total := uint64(3)
	for _, b := range body {
		total += cyclesOf(b)
	}
	if !r.m.Quiet(total) || c.Cycles+total >= r.until {
		return false
	}
	r.x.stats.Merged++
	r.merged(c, body, flow)
	taken := r.holds(flow.Cond)
	if taken {
		c.Cycles += 2
		if f, _ := in.Flow(); f == avr.Skip {
			c.Cycles = c.Cycles - 1 + uint64(body[0].N)
		}
	} else {
		c.Cycles++
		r.run(c, body)
		c.Instructions += uint64(len(body))
		r.count(c, flow.Else)
	}
	c.PC = flow.To % r.table.chip.Words
	c.Instructions++
	r.count(c, c.PC)
	r.step(c, &r.table.records[c.PC])
	return true
}

// body is what a forward branch passes over, if it is short and changes registers and flags alone.
func (r *rig) body(c *avr.Core, flow lift.Flow[expr.ID]) (list []avr.Inst, ok bool) {
	if r.own || flow.To <= flow.Else || r.x.cfg.Merge < 0 || r.table.stopAt[flow.To] != nil {
		return nil, false
	}
	pc := flow.Else
	for pc < flow.To && pc < r.table.chip.Words {
		in := r.inst(c, pc)
		f, _ := in.Flow()
		if len(list) == r.x.cfg.Merge || f != avr.Next || in.Access().Space != avr.NoMemory || in.Writes()&avr.FlagSet(avr.FlagI) != 0 ||
			r.table.records[pc].marked || r.table.stopAt[pc] != nil {
			return nil, false
		}
		list = append(list, in)
		pc += uint32(in.N)
	}
	return list, pc == flow.To && pc < r.table.chip.Words
}

// cyclesOf is how long an instruction takes that only changes registers.
func cyclesOf(in avr.Inst) uint64 {
	n, _ := in.Cycles(false)
	return n
}

// merged gives the shadow its values behind the body, whichever way it is reached.
func (r *rig) merged(c *avr.Core, body []avr.Inst, flow lift.Flow[expr.ID]) {
	p := r.x.pool
	l := lifted{algebra{p}, r, c}
	b := &aside{lifted: l}
	for i, in := range body {
		lift.Lift[expr.ID](b, r.table.chip, in, flow.Else+uint32(i), 1)
	}
	used := r.flagsRead(c, flow.To)
	f := *l.file() // what is written must not be read again here
	out := f
	at := lifted{l.algebra, r, c}
	for i := range uint8(32) {
		if b.written&avr.RegSet(i) != 0 {
			was := at.Reg(i)
			setReg(&out, p, i, p.Ite(flow.Cond, was, b.reg[i]))
		}
	}
	for i := avr.FlagC; i <= avr.FlagT; i++ {
		switch {
		case b.written&avr.FlagSet(i) == 0:
		case used&avr.FlagSet(i) == 0:
			out.live &^= avr.FlagSet(i) // nobody reads it
		default:
			x := p.Ite(flow.Cond, at.Flag(i).Build(l), b.flag[i].Build(l))
			out.live &^= avr.FlagSet(i)
			if _, known := p.Value(x); !known {
				out.flag[i], out.live = lift.Bit(x), out.live|avr.FlagSet(i)
			}
		}
	}
	*l.file() = out
}

func setReg(f *file, p *expr.Pool, i uint8, x expr.ID) {
	f.live &^= avr.RegSet(i)
	if _, known := p.Value(x); !known {
		f.reg[i], f.live = x, f.live|avr.RegSet(i)
	}
}

// lookAhead is how many instructions are looked at to see which flags matter.
const lookAhead = 16

// flagsRead is the flags that may be read before they are written, from an address on.
func (r *rig) flagsRead(c *avr.Core, pc uint32) (read avr.Set) {
	const flags = avr.Set(1<<avr.NumFlags-1) << 32
	open := flags
	for range lookAhead {
		in := r.inst(c, pc%r.table.chip.Words)
		read |= in.Reads() & open
		open &^= in.Reads() | in.Writes()
		f, to := in.Flow()
		switch {
		case open == 0:
			return read
		case f == avr.Jump:
			pc = to
		case f == avr.Next:
			pc += uint32(in.N)
			if a := in.Access(); a.Reads && a.Base == 0 && a.Offset == avr.AddrSREG {
				return read | open
			}
		default:
			return read | open
		}
	}
	return read | open
}

// run runs the body as the mote would.
func (r *rig) run(c *avr.Core, body []avr.Inst) {
	n := &numbers{c: c}
	for f := range n.flags {
		n.flags[f] = lift.Bit(lift.Bits{V: uint64(c.SREG() >> f & 1), Width: 1})
	}
	for _, in := range body {
		lift.Lift[lift.Bits](n, r.table.chip, in, 0, 1)
		c.Cycles += cyclesOf(in)
	}
	sreg := c.SREG()
	for f := avr.FlagC; f <= avr.FlagT; f++ {
		sreg = sreg&^(1<<f) | uint8(n.flags[f].Build(lift.Numbers{}).V)<<f
	}
	c.SetSREG(sreg)
}

// count notes that a block was reached, which the core would have done.
func (r *rig) count(c *avr.Core, pc uint32) {
	if i, ok := r.table.blockAt[pc]; ok {
		c.Counts.Count(uint32(i))
	}
}

// aside is registers and flags beside the shadow: what is written there stays there, constants too.
type aside struct {
	lifted
	written avr.Set
	reg     [32]expr.ID
	flag    [avr.NumFlags]lift.Lazy[expr.ID]
}

func (a *aside) Reg(i uint8) expr.ID {
	if a.written&avr.RegSet(i) != 0 {
		return a.reg[i]
	}
	return a.lifted.Reg(i)
}

func (a *aside) SetReg(i uint8, v expr.ID) {
	a.reg[i] = v
	a.written |= avr.RegSet(i)
}

func (a *aside) Flag(i avr.Flag) lift.Lazy[expr.ID] {
	if a.written&avr.FlagSet(i) != 0 {
		return a.flag[i]
	}
	return a.lifted.Flag(i)
}

func (a *aside) SetFlag(i avr.Flag, v lift.Lazy[expr.ID]) {
	a.flag[i] = v
	a.written |= avr.FlagSet(i)
}

// numbers is the core's registers and flags as lift sees them. The body of a merged branch uses nothing else.
type numbers struct {
	lift.Numbers
	c     *avr.Core
	flags [avr.NumFlags]lift.Lazy[lift.Bits]
}

func (n *numbers) Reg(i uint8) lift.Bits       { return lift.Bits{V: uint64(n.c.R[i]), Width: 8} }
func (n *numbers) SetReg(i uint8, v lift.Bits) { n.c.R[i] = uint8(v.V) }

func (n *numbers) Flag(f avr.Flag) lift.Lazy[lift.Bits]       { return n.flags[f] }
func (n *numbers) SetFlag(f avr.Flag, v lift.Lazy[lift.Bits]) { n.flags[f] = v }

const onlyRegisters = "BUG: core: the body of a merged branch uses more than registers"

func (n *numbers) SP() lift.Bits                { panic(onlyRegisters) }
func (n *numbers) SetSP(lift.Bits)              { panic(onlyRegisters) }
func (n *numbers) RAMPZ() lift.Bits             { panic(onlyRegisters) }
func (n *numbers) SetRAMPZ(lift.Bits)           { panic(onlyRegisters) }
func (n *numbers) EIND() lift.Bits              { panic(onlyRegisters) }
func (n *numbers) Load(lift.Bits) lift.Bits     { panic(onlyRegisters) }
func (n *numbers) Store(_, _ lift.Bits)         { panic(onlyRegisters) }
func (n *numbers) SetBit(uint16, uint8, bool)   { panic(onlyRegisters) }
func (n *numbers) ProgByte(lift.Bits) lift.Bits { panic(onlyRegisters) }
func (n *numbers) Act(avr.Op)                   { panic(onlyRegisters) }
