package avr

// A watched record stands in the place of an instruction's. Its K counts, 0 for no count. Its R is not 0 if what follows is executed
// together with the instruction as in the plain program: no other watched record is among it. The D of opCount is what is executed then.

// watched reports whether a record is one.
func (in *Inst) watched() bool { return in.Op >= opHook && in.Op <= opData }

// Watched is what happens when an instruction is reached.
type Watched struct {
	Place    uint32 // which of Core.Counts counts it, if Counted
	Counted  bool
	Shadowed bool // the Shadow is called
	Told     bool // somebody else is, each time
}

// Watched says what happens when the instruction at a word address is reached.
func (p *Program) Watched(pc uint32) (w Watched) {
	in := &p.code[pc&(maxWords-1)]
	if !in.watched() {
		return w
	}
	w.Place, w.Counted, w.Shadowed = in.K-1, in.K != 0, in.Op == opShadow
	w.Told = in.Op != opCount && (in.Op != opShadow || in.D != 0)
	return w
}

// watch puts a watched record in the place of an instruction, or of another watched record, whose count it keeps.
func (p *Program) watch(pc uint32, op Op) {
	in := &p.code[pc]
	more, run := in.more(), in.Op == opPushes || in.Op == opPops
	if end := &p.code[(pc+more+1)&(maxWords-1)]; run && (end.watched() || end.Op == opDynamic) {
		more = 0 // it is longer in the plain program
	}
	whole := in.Op
	p.part(pc)
	if !in.watched() {
		in.K = 0
	}
	if op == opCount {
		if in.D = uint8(whole); more == 0 {
			in.D = uint8(first[whole])
		}
	}
	in.Op, in.R = op, uint8(more)
}

// Hooked makes a program in which the watcher is called before each instruction at the given word addresses.
func (p *Program) Hooked(at []uint32) *Program {
	q := p.Copy()
	for _, pc := range at {
		if pc < p.words {
			q.watch(pc, opHook)
		}
	}
	return q
}

// Counted makes a program that counts in Core.Counts.N[i] how often the instruction at at[i], a word address, is reached. A
// Counted program can be Hooked, not the other way round.
func (p *Program) Counted(at []uint32) *Program {
	q := p.Copy()
	for i, pc := range at {
		if pc >= p.words {
			continue
		}
		if !q.code[pc].watched() {
			q.watch(pc, opCount)
		}
		q.code[pc].K = uint32(i) + 1
	}
	return q
}

// Logged makes a program that writes down when an instruction at one of the given word addresses is reached: at points to
// Core.Passes, and of the loads and stores at data what they move to Core.Moves. The watcher is called instead if there is no such log, if it is
// full, or if what is to be written down is not in SRAM. A Logged program can be Counted and Hooked, not the other way round.
func (p *Program) Logged(points, data []uint32) *Program {
	q := p.Copy()
	for _, pc := range points {
		if pc < p.words {
			q.watch(pc, opLog)
		}
	}
	for _, pc := range data {
		if pc < p.words {
			q.watchData(pc)
		}
	}
	return q
}

// watchData is watch for a load or store. Where somebody else looks, or where there is none, the watcher is called.
func (p *Program) watchData(pc uint32) {
	in := &p.code[pc]
	if in.Op == opData {
		return
	}
	a := in.Access()
	if p.watch(pc, opHook); a.Space == DataMemory {
		in.Op, in.D, in.R = opData, a.Base, uint8(a.Offset)
		if a.Writes {
			in.D |= dataStore
		}
	}
}

// dataStore is a bit in the D of opData: it is a store.
const dataStore = 0x80

// logSize is how much a log holds: mostly what a mote does between two events. When it is full, the watcher is called.
const logSize = 512

// Log is what a core did, in order, for a watcher that needs not know of each thing at once.
type Log[T any] struct {
	N  uint // how many there are
	At [logSize]T
}

// Take empties the log. What it gives is good until the core runs on.
func (l *Log[T]) Take() []T {
	if l == nil {
		return nil
	}
	n := l.N
	l.N = 0
	return l.At[:n]
}

// Pass is a core before an instruction.
type Pass struct {
	PC     uint32 // word address
	SP     uint16
	Return uint16 // what is on top of the stack, as a return address
}

// Move is a core before a load or a store.
type Move struct {
	Cycle uint64
	PC    uint32 // word address
	Addr  uint16 // of the byte
	Old   uint8  // the byte
	New   uint8  // what a store will replace it by
	Store bool
}

// KeepLogs gives a core the logs that it needs for a Logged program. Where return addresses have three bytes there is none of points.
func (c *Core) KeepLogs(points, data bool) {
	if points && c.Passes == nil && c.wide == 0 {
		c.Passes = new(Log[Pass])
	}
	if data && c.Moves == nil {
		c.Moves = new(Log[Move])
	}
}
