package wait

import (
	"slices"

	"motehound/firmware/cfg"
	"motehound/firmware/image"
	"motehound/isa/avr"
	"motehound/mote"
)

// loop is one that writes no memory and uses no device, though it may look at pins.
type loop struct {
	head  uint32        // word address
	code  []image.Range // word addresses
	polls bool          // it reads RAM
	pins  bool          // it looks at pins, and reads no RAM
	masks bool          // it has an instruction that may switch interrupts off
}

func (l *loop) has(pc uint32) bool {
	return slices.ContainsFunc(l.code, func(r image.Range) bool { return r.Contains(pc) })
}

// site is an instruction at which it is decided whether the program comes into a loop.
type site struct {
	pc   uint32
	loop *loop
}

// Loops is the loops of a firmware. It never changes.
type Loops struct{ list []*loop }

// Find finds the loops of a kind of motes that read RAM which a handler writes.
func Find(k *mote.Kind) *Loops { return &Loops{newTable(k).polling} }

// Forever reports whether a core is in a loop that it never leaves, because interrupts are off.
func (l *Loops) Forever(c *avr.Core) bool {
	if c.I == 1 {
		return false
	}
	for _, x := range l.list {
		if x.has(c.PC) {
			var g ghost
			if g.start(c, c.RAM); g.circles(x, false) {
				return true
			}
		}
	}
	return false
}

// table is what is worked out once for a kind of motes. It never changes.
type table struct {
	kind      *mote.Kind
	im        *image.Image
	g         *graph
	base      uint16          // where RAM begins
	pins      map[uint16]bool // the registers PINx, by address
	effects   map[uint32]*effects
	writers   map[uint16][]writer // by address
	callbacks []callback
	attached  map[uint16]bool // what functions write that handlers may be told to call, by address
	polling   []*loop         // those that read RAM
	sites     []site          // by pc
	at        []uint32        // their word addresses, and that of delay
	delay     uint32          // where Arduino's delay() begins; 0 if there is none
}

func newTable(k *mote.Kind) *table {
	t := &table{kind: k, im: k.Image, g: newGraph(k), base: k.Board.Chip.RAMBase, effects: map[uint32]*effects{}, pins: map[uint16]bool{}}
	for _, p := range k.Board.Chip.Ports {
		t.pins[p.PIN] = true
	}
	t.writers = t.findWriters()
	t.g.loops(t.consider)
	slices.SortStableFunc(t.sites, func(a, b site) int { return int(a.pc) - int(b.pc) })
	for _, s := range t.sites {
		t.at = append(t.at, s.pc)
	}
	t.findDelay()
	slices.Sort(t.at)
	t.at = slices.Compact(t.at)
	return t
}

// effects is what some code does, as far as that matters.
type effects struct {
	impure bool // it writes memory, uses a device, or cannot be followed
	masks  bool
	calls  bool
	points bool // it reads through a pointer that it does not move
	pins   bool // it looks at pins
	reads  []uint16
	uses   avr.Set // registers
	makes  avr.Set // and what it changes: not what it sets to constants
}

func (e *effects) polls() bool { return e.points || len(e.reads) > 0 }

// consider finds out whether a loop is one to look at.
func (t *table) consider(body []int) {
	e := &effects{}
	l := &loop{head: t.g.blocks[body[0]].Start}
	exits := false
	for _, i := range body {
		b := t.g.blocks[i]
		l.code = append(l.code, image.Range{Lo: b.Start, Hi: b.End})
		t.g.each(i, func(_ uint32, in avr.Inst) bool {
			t.add(e, in)
			return !e.impure
		})
		if e.impure {
			return
		}
		exits = exits || slices.ContainsFunc(t.g.next[i], func(to int) bool { return !slices.Contains(body, to) })
	}
	l.polls, l.masks, l.pins = e.polls(), e.masks, e.pins
	switch {
	case l.polls && l.pins:
	case l.polls:
		awaited := e.points || slices.ContainsFunc(e.reads, func(a uint16) bool { return t.writers[a] != nil || t.attached[a] })
		if exits && awaited {
			t.polling = append(t.polling, l)
			t.inFront(body, l)
		}
	case l.pins || !exits || !e.calls && e.uses&e.makes&registers == 0: // nothing in it decides whether it ends, or a pin does
		t.chains(body, l)
	}
}

const registers = avr.Set(0xFFFFFFFF)

// add adds an instruction.
func (t *table) add(e *effects, in avr.Inst) {
	a := in.Access()
	e.uses |= in.Reads()
	if same := in.Op == avr.OpAnd || in.Op == avr.OpOr; in.Op != avr.OpLdi && !(same && in.D == in.R) { // as TST is
		e.makes |= in.Writes()
	}
	switch flow, to := in.Flow(); flow {
	case avr.Call:
		f := t.function(to)
		e.impure, e.masks, e.calls, e.points = e.impure || f.impure || f.pins, e.masks || f.masks, true, e.points || f.points
		e.reads = append(e.reads, f.reads...)
		return
	case avr.IndirectCall, avr.IndirectJump, avr.Halts:
		e.impure = true
	}
	switch a.Space {
	case avr.DataMemory:
		switch {
		case a.Writes || a.Base == 0 && a.Offset < t.base || a.Step != 0:
			e.impure = true
		case a.Base == 0:
			e.reads = append(e.reads, a.Offset)
		default:
			e.points = true
		}
	case avr.IORegister:
		if t.pins[uint16(in.K)] && a.Reads && !a.Writes {
			e.pins = true
			return
		}
		e.impure = e.impure || in.K != avr.AddrSREG || in.Op != avr.OpIn && in.Op != avr.OpOut
		e.masks = e.masks || in.Op == avr.OpOut
	case avr.CodeMemory:
		e.impure = e.impure || a.Writes
	case avr.ChipAction:
		e.impure = e.impure || in.Op != avr.OpWdr
	}
	e.impure = e.impure || in.Op == avr.OpReti || in.Op == avr.OpSei
	e.masks = e.masks || in.Op == avr.OpCli
}

// function is what a function does that is called.
func (t *table) function(pc uint32) *effects {
	if e, ok := t.effects[pc]; ok {
		return e
	}
	e := &effects{}
	t.effects[pc] = &effects{impure: true} // if it calls itself
	seen := []int{t.g.starts(pc)}
	for n := 0; n < len(seen) && !e.impure; n++ {
		i := seen[n]
		if e.impure = i < 0 || len(seen) > largest; e.impure {
			break
		}
		t.g.each(i, func(_ uint32, in avr.Inst) bool {
			t.add(e, in)
			return !e.impure
		})
		for _, to := range t.g.next[i] {
			if !slices.Contains(seen, to) {
				seen = append(seen, to)
			}
		}
	}
	t.effects[pc] = e
	return e
}

// inFront has the program looked at where it comes into a loop: at the last instruction before, which may be a call.
func (t *table) inFront(body []int, l *loop) {
	for _, p := range t.g.prev[body[0]] {
		if !slices.Contains(body, p) {
			pc, _ := t.g.last(p)
			t.sites = append(t.sites, site{pc, l})
		}
	}
	for _, pc := range t.g.calls[body[0]] {
		t.sites = append(t.sites, site{pc, l})
	}
}

// How far back, before a loop, reads of RAM are looked for.
const (
	longestChain = 8 // blocks
	mostCalls    = 4 // of the function
)

// chains has the program looked at where it reads RAM, in the code that leads straight to a loop.
func (t *table) chains(body []int, l *loop) {
	for _, p := range t.g.prev[body[0]] {
		if !slices.Contains(body, p) {
			t.chain(p, body, l)
		}
	}
	if t.g.entry[body[0]] {
		t.beforeCalls(body[0], l)
	}
}

// chain looks at a block before a loop, and at those before it.
func (t *table) chain(p int, body []int, l *loop) {
	for range longestChain {
		called := t.reads(t.g.blocks[p].Start, t.g.blocks[p].End, l)
		if t.g.entry[p] && !called {
			t.beforeCalls(p, l)
		}
		if called || t.g.entry[p] || len(t.g.prev[p]) != 1 || slices.Contains(body, t.g.prev[p][0]) {
			return
		}
		p = t.g.prev[p][0]
	}
}

// beforeCalls looks at the code before calls of a function: GCC lets a caller read what a parameter points to.
func (t *table) beforeCalls(function int, l *loop) {
	calls := t.g.calls[function]
	if len(calls) > mostCalls {
		return
	}
	for _, pc := range calls {
		if i := cfg.Find(t.g.blocks, pc); i >= 0 {
			t.reads(t.g.blocks[i].Start, pc, l)
		}
	}
}

// reads has the program looked at where it reads RAM in straight code, behind the last call. It tells whether there is a call.
func (t *table) reads(from, to uint32, l *loop) (called bool) {
	n := len(t.sites)
	for pc := from; pc < to; {
		in := t.g.code.At(pc)
		a := in.Access()
		if flow, _ := in.Flow(); flow == avr.Call || flow == avr.IndirectCall {
			called = true
			t.sites = t.sites[:n] // what was read before may be in no register any more
		} else if a.Space == avr.DataMemory && a.Reads && (a.Base != 0 || a.Offset >= t.base) {
			t.sites = append(t.sites, site{pc, l})
		}
		pc += in.Length()
	}
	return called
}
