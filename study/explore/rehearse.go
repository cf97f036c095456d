package explore

import (
	"slices"

	"motehound/isa/avr"
	"motehound/isa/avr/lift"
	"motehound/mote"
)

// rehearsal works out what a mote at rest would do with the next of a row of bytes, without doing it, to find out whether that is a habit. Values
// that change with the time are unknown, and where the program looks at one, it is followed both ways.
type rehearsal struct {
	guesses // of all paths
	m       *mote.Mote
	chip    lift.Chip
	habit   habit
	by      uint64 // cycles after which the SPI must not be touched any more: then the next byte begins
	broken  bool   // it is no habit
	todo    []path
	done    []path
	now     *path // that is followed
}

// path is what the mote has done on one of several ways.
type path struct {
	pc     uint32
	sp     uint16
	rampz  uint8
	i      bool
	over   bool // it rests again
	fresh  uint8
	reg    [32]guess
	flag   [avr.NumFlags]lift.Lazy[guess]
	bytes  []written
	cycles uint64 // at most
}

// written is a byte of the data space that was written.
type written struct {
	addr  uint16
	stack bool // on the handler's own stack, which is dead afterwards
	v     guess
}

// Limits of a rehearsal.
const (
	longestPath = 3_000 // cycles
	mostPaths   = 16
)

// rehearse gives the habit of a mote at rest which is about to be interrupted by a byte of a row; nil if there is none.
func rehearse(m *mote.Mote, vector int, row *mote.Row) *habit {
	c, chip := m.Core(), m.Chip()
	_, asleep := m.Asleep()
	bit := (m.CycleAt(row.At+row.Span) - m.CycleAt(row.At)) / 8
	const spare = 16
	r := &rehearsal{m: m, chip: lift.ChipOf(chip.Has, chip.FlashSize/2), by: bit - min(bit, spare)}
	r.habit = habit{sends: row.Sends, data: row.Data, pc: c.PC, sp: c.SP, rampz: c.RAMPZ, asleep: asleep, sreg: c.SREG(), reg: c.R}
	r.cell(chip.SPI.SPCR)
	extra, ok := r.conversion(r.cell(chip.ADC.ADCSRA))
	if !ok {
		return nil
	}
	p := path{pc: c.PC, sp: c.SP, rampz: c.RAMPZ, fresh: 0x7F, cycles: 16}
	for n := range p.reg {
		p.reg[n] = guess{Bits: lift.Bits{V: uint64(c.R[n]), Width: 8}, from: fromRegister + origin(n)}
	}
	for f := range p.flag {
		p.flag[f] = lift.Bit(r.flagWas(avr.Flag(f)))
	}
	r.now = &p
	r.enter(m.VectorAt(uint8(vector)))
	r.todo = []path{p}
	for len(r.todo) > 0 && !r.broken {
		last := len(r.todo) - 1
		p := r.todo[last]
		r.todo = r.todo[:last]
		r.follow(&p)
	}
	h := r.finish()
	if h != nil {
		h.cycles += extra
	}
	return h
}

// conversion gives how many cycles, at most, an ADC conversion takes that falling asleep starts, as it does while the ADC is enabled. That
// changes nothing if one was made already, and nobody is told.
func (r *rehearsal) conversion(adcsra uint8) (cycles uint64, ok bool) {
	const enabled, busy, triggered, flag, interrupt, prescaler = 1 << 7, 1 << 6, 1 << 5, 1 << 4, 1 << 3, 7
	if adcsra&enabled == 0 || !r.habit.asleep {
		return 0, true
	}
	const longest = 15 // cycles of its own clock, with what it waits for their beginning
	return longest << max(1, adcsra&prescaler), adcsra&(busy|triggered|flag|interrupt) == flag
}

// flagWas is a flag at the beginning.
func (r *rehearsal) flagWas(f avr.Flag) guess {
	return guess{Bits: lift.Bits{V: uint64(r.habit.sreg >> f & 1), Width: 1}, from: fromFlag + origin(f)}
}

// enter is the interrupt.
func (r *rehearsal) enter(handler uint32) {
	p := r.now
	n := uint16(r.m.Chip().Has.ReturnBytes())
	for i := range n {
		r.Store(sure(lift.Bits{V: uint64(p.sp - i), Width: 16}), sure(lift.Bits{V: uint64(p.pc >> (8 * i) & 0xFF), Width: 8}))
	}
	p.sp -= n
	p.pc = handler
	p.flag[avr.FlagI] = lift.Bit(r.Const(1, 0))
}

// follow goes along a path, up to where the mote rests, or to a fork.
func (r *rehearsal) follow(p *path) {
	r.now = p
	code := r.m.Core().Plain
	for !p.over && !r.broken {
		in := code.At(p.pc)
		over := uint32(code.At(p.pc + uint32(in.N)).N)
		_, most := in.Cycles(r.chip.Wide)
		p.cycles += most
		if p.cycles > longestPath {
			r.broken = true
			return
		}
		flow := lift.Lift[guess](r, r.chip, in, p.pc, over)
		switch flow.Kind {
		case lift.Straight:
			p.pc = flow.Else % r.chip.Words
		case lift.Fork:
			r.fork(p, flow)
		case lift.Indirect:
			r.broken = r.broken || !r.use(flow.Target)
			p.pc = uint32(flow.Target.V) % r.chip.Words
		default:
			r.broken = true
		}
		if in.Op == avr.OpReti && !r.habit.asleep || in.Op == avr.OpSleep {
			p.over = true
		}
	}
	if !r.broken {
		r.done = append(r.done, *p)
	}
}

// fork goes on with what a condition leaves.
func (r *rehearsal) fork(p *path, flow lift.Flow[guess]) {
	p.pc = flow.Else % r.chip.Words
	switch {
	case !r.use(flow.Cond):
		other := *p
		other.pc = flow.To % r.chip.Words
		other.bytes = slices.Clone(p.bytes)
		r.todo = append(r.todo, other)
		r.broken = r.broken || len(r.todo)+len(r.done) > mostPaths
	case flow.Cond.V != 0:
		p.pc = flow.To % r.chip.Words
	}
}

// finish gives the habit if, on each path, the mote rests where it did, and nothing has changed that matters on any.
func (r *rehearsal) finish() *habit {
	for regs, flags := ^r.regs, r.flags; !r.broken && (regs != r.regs || flags != r.flags); { // what is looked at matters, too
		regs, flags = r.regs, r.flags
		for i := range r.done {
			r.unchanged(&r.done[i])
		}
	}
	if r.broken {
		return nil
	}
	for i := range r.done {
		r.habit.cycles = max(r.habit.cycles, r.done[i].cycles)
	}
	r.habit.regs, r.habit.flags = r.regs, r.flags
	slices.SortStableFunc(r.habit.cells, func(a, b cellValue) int { return int(b.addr) - int(a.addr) }) // RAM is quicker to look at
	return &r.habit
}

// unchanged looks at the end of a path.
func (r *rehearsal) unchanged(p *path) {
	h := &r.habit
	fine := p.pc == h.pc && p.sp == h.sp && p.rampz == h.rampz && p.i
	for _, w := range p.bytes {
		if !w.stack {
			fine = fine && r.use(w.v) && uint8(w.v.V) == r.cell(w.addr)
		}
	}
	for f := avr.FlagC; f < avr.FlagI; f++ {
		if r.flags>>f&1 != 0 && p.fresh>>f&1 == 0 {
			v := p.flag[f].Build(r)
			fine = fine && r.use(v) && uint8(v.V) == h.sreg>>f&1
		}
	}
	for n, v := range p.reg {
		if r.regs>>n&1 != 0 {
			fine = fine && r.use(v) && uint8(v.V) == h.reg[n]
		}
	}
	r.broken = r.broken || !fine
}
