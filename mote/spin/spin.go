// Package spin finds loops that only wait, so that their iterations need not be executed one by one: delay loops, polls, and main loops that have
// nothing to do until the next interrupt.
//
// A Finder follows a copy of the core, the ghost, from the instruction at which the core stands (the head) until it is there again. That is one
// iteration, number 0. Beside each byte it keeps a mark, which says what the byte is in iteration k: the same in each of them; a byte of a number
// that is known as a function of k (a form: a counter in registers, or a timer's count); or something else, which nobody may decide upon.
// Wherever the iteration depends on a form (a branch, a carry), it notes within which bounds the form must stay for the same to happen.
//
// The argument. Let h be the head's marks, and suppose that they describe the state before iteration k. If the iteration follows the same path, reads the same
// values from devices, and ends with the marks h of k+1, then they describe the state before iteration k+1 too. They describe that before iteration 0: by
// induction they do so up to the first iteration in which some bound is exceeded, a register changes, or an event is due. A
// pass that ends with other marks than it began with is made again with better ones; if that does not settle, there is no loop. A byte without a
// description at the head may be written but not read in an iteration, so the last iteration, which is executed, gives it its value.
//
// What ends a loop from outside is left to the caller, who gives a cycle up to which no event is due, no interrupt is served and nobody looks. An
// iteration that writes a register of a device, unless with what it holds, sleeps or programs flash is not for skipping. Nor is one in which somebody watches an
// instruction, unless he would learn nothing new, and the caller makes sure of it. Counts of instructions are given n times.
package spin

import "motehound/isa/avr"

// Chip is the chip around the core, as far as the ghost looks at it. Nothing in it may change by that.
type Chip interface {
	// Look is what reading a register at a cycle would give. It is false if that does more than to give a value, except for what
	// reading it again would do over.
	Look(addr uint16, cycle uint64) (Reading, bool)
	// Keeps reports whether writing a value to a register does nothing at all.
	Keeps(addr uint16, v uint8) bool
	// Ticks is how often a counter has counted up to a cycle. Only differences matter.
	Ticks(counter uint8, cycle uint64) uint64
	// Ignored reports whether the core's Shadow would do nothing before the instruction at which a core is.
	Ignored(c *avr.Core) bool
	// Repeats reports whether whoever watches an instruction can be asked if he has learned something new in an iteration.
	Repeats(pc uint32) bool
	// ProgWord reads program memory.
	ProgWord(pc uint32) uint16
}

// Reading is what a register shows.
type Reading struct {
	Value uint8
	Until uint64 // the cycle from which on it may show something else, if it is not a counter
	// Of a counter: which one it is, plus one. Then Count is its value, which goes up by one with every tick up to Top. Tap is how many
	// cycles a tick takes; 0 if that is not a whole number. High is the register that shows the upper byte of what was read last, if there is one.
	Counter    uint8
	Count, Top uint16
	Tap        uint64
	High       uint16
}

// Touch is something that an iteration does to the chip, and that has to be done again in the last one: reading a register, or WDR.
type Touch struct {
	Cycle uint64
	Addr  uint16
	WDR   bool
}

// Places is where the instructions of a loop are, roughly: a bit for each word address modulo the number of bits.
type Places [16]uint64

// Has reports whether a word address may be among them.
func (p *Places) Has(pc uint32) bool { return p[pc/64%16]>>(pc%64)&1 != 0 }

// Loop is a loop that was found: it goes round N times at least, in so many cycles and instructions each.
type Loop struct {
	N, Cycles, Instructions uint64
	// Rest says that the last iteration is to be executed, before anybody looks at the core: it gives bytes their values.
	Rest bool
	// Told says that somebody watches an instruction. The last iteration is executed then, so that he sees it.
	Told bool
	// Pointers says that all pointers and all of SRAM are the same in each iteration, wherever one looks.
	Pointers bool
	At       Places
	Dead     Dead
	Work     int // how many instructions were looked at to find it
}

// Dead is registers and flags that no iteration reads before it writes them. To know them saves a pass or two; not to know them, or to be wrong, costs
// some.
type Dead struct {
	Regs  uint32
	Flags uint8
}

const (
	maxPasses  = 6
	maxForms   = 1 << 22 // iterations with forms
	maxFactor  = 1 << 40 // of a form
	maxReturns = 3       // to the head, in an iteration
)

// Finder finds loops. It can be used for one core after another, and keeps nothing of them.
type Finder struct {
	chip  Chip
	real  *avr.Core
	ghost avr.Core
	ram   []uint8
	limit uint64 // nothing happens before this cycle
	most  int    // instructions of a pass
	lost  bool
	work  int
	pass  int
	cycle uint64 // how long an iteration takes, known from the second pass on

	enabled uint64 // the core's Enabled, where it was seen

	headRegs  [32]mark
	headFlags uint8 // flags of which nothing is known
	headMem   []memMark

	state
	loop Loop
}

// state is what a pass works on.
type state struct {
	failed  bool
	told    bool // somebody watches an instruction
	rough   bool // a register that may be a pointer, or a byte of SRAM, is not the same in each iteration
	steps   int
	regs    [32]mark
	murky   uint8 // flags that differ from iteration to iteration, by their bits in SREG
	stale   uint8 // flags that are left from the iteration before
	carry   carry
	zero    zero
	mem     []memMark
	wrote   []written
	bounds  []bound
	sources []source
	touches []Touch
	counts  []uint32
	visited Places
	until   uint64 // the first cycle at which a register shows something else
	io      mark   // of what a device gave
	temp    struct {
		addr uint16
		v    uint8
		m    mark
	}
}

type memMark struct {
	addr uint16
	m    mark
}

type written struct {
	addr uint16
	old  uint8
}

// Find looks whether the core is in a loop that waits, of at most so many instructions, with at least two iterations that end by the limit. Again says
// that it was the last time that the core was there, with what is dead: if it is not now, it is about to leave the loop, and other loops are not looked for.
func (f *Finder) Find(core *avr.Core, chip Chip, limit uint64, steps int, dead Dead, again bool) (Loop, bool) {
	f.chip, f.real, f.limit, f.most = chip, core, limit, steps
	f.ram, f.wrote = append(f.ram[:0], core.RAM...), f.wrote[:0]
	f.ghost.Init(ghostBus{f}, core.Plain, f.ram, core.RAMBase)
	f.ghost.ROM = core.ROM
	f.work, f.enabled = 0, core.Enabled
	if (again || dead != (Dead{})) && f.round(1, dead) {
		return f.loop, true
	}
	if again {
		return Loop{}, false
	}
	for returns := 1; returns <= maxReturns; returns++ {
		if f.round(returns, Dead{}) {
			if dead != (Dead{}) {
				f.loop.Dead = Dead{} // it was of no use
			}
			return f.loop, true
		}
		if f.lost {
			break
		}
	}
	return Loop{}, false
}

// round looks at iterations that come to the head so many times. It is lost if there are none.
func (f *Finder) round(returns int, dead Dead) bool {
	f.headRegs, f.headFlags, f.headMem = [32]mark{}, dead.Flags, f.headMem[:0]
	for r := range f.headRegs {
		if dead.Regs>>r&1 != 0 {
			f.headRegs[r].kind = stale
		}
	}
	f.cycle, f.lost = 0, false
	for f.pass = 0; f.pass < maxPasses; f.pass++ {
		if !f.follow(returns) {
			f.lost = f.pass == 0
			return false
		}
		settled, ok := f.compare()
		if !ok {
			return false
		}
		if settled {
			f.measure()
			return f.loop.N >= 2
		}
	}
	return false
}

// follow makes a pass: the ghost goes from the head to where it comes back for so many times.
func (f *Finder) follow(returns int) bool {
	for i := len(f.wrote) - 1; i >= 0; i-- {
		w := f.wrote[i]
		f.ram[w.addr-f.ghost.RAMBase] = w.old
	}
	s := &f.state
	*s = state{mem: append(s.mem[:0], f.headMem...), wrote: s.wrote[:0], bounds: s.bounds[:0], sources: s.sources[:0], touches: s.touches[:0],
		counts: s.counts[:0], regs: f.headRegs, stale: f.headFlags, until: f.limit}
	c, head := &f.ghost, &f.real.State
	c.State = *head
	for {
		if c.Cycles >= f.limit || !f.step() || c.I == 1 && f.real.Pending {
			return false
		}
		if c.PC == head.PC && c.SP == head.SP {
			if returns--; returns == 0 {
				break
			}
		}
	}
	took := c.Cycles - head.Cycles
	if f.cycle != 0 && took != f.cycle {
		return false
	}
	f.cycle = took
	return c.I == head.I && c.RAMPZ == head.RAMPZ && c.EIND == head.EIND
}
