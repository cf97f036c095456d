package kernel

// CPU is what a Watch looks at, in a mote that stands before an instruction.
type CPU interface {
	Reg(n int) uint8
	SP() uint16
	// Peek reads the data space without side effects.
	Peek(addr uint16) uint8
	// Sum is a sum over variables, the stack, ports, what was written to other devices, and some registers, given as a set. It is that of before if none
	// of them has changed, and what is added to it when one changes does not depend on the others.
	Sum(registers uint32) uint64
}

// How deep handlers, and calls of the kernel's functions, nest before the outermost is given up: a firmware that gets
// there leaves its handlers in ways that are not understood.
const (
	maxHandlers = 16
	maxCalls    = 16
)

// Tracker is what a Watch remembers of its mote: a plain value, to be copied with the mote's state.
type Tracker struct {
	handlers  [maxHandlers]frame
	calls     [maxCalls]frame
	running   frame
	waiting   [4]uint64 // tasks known to wait, by number, where a kernel's profile needs it
	resume    uint16    // the task that goes on when the running one ends
	nHandlers uint8
	nCalls    uint8
	isRunning bool
	resumes   bool
	rounds
}

// frame is something that ends when the stack pointer gets above sp.
type frame struct {
	sp   uint16
	arg  uint16
	role uint8
	done bool // of a call: it has had its effect
}

// anyStack is the sp of a task that does not end by a return.
const anyStack = 0xFFFF

// Watch turns what one mote does into items.
type Watch struct {
	Tracker
	profile *Profile
	cpu     CPU
	cycle   uint64
	pc      uint32
	items   []Item // of the present moment
}

// Watch makes the watch of a mote that begins now, or that is in the middle of nothing: no handler, no task.
func (p *Profile) Watch(cpu CPU) *Watch { return &Watch{profile: p, cpu: cpu} }

// Profile is the kernel that the mote's firmware uses.
func (w *Watch) Profile() *Profile { return w.profile }

// Interrupt is to be called when the mote serves a vector: it stands at the handler's first instruction. The items are
// valid until the next call.
func (w *Watch) Interrupt(cycle uint64, vector uint8) []Item {
	w.items, w.cycle = w.items[:0], cycle
	sp := w.cpu.SP()
	w.settle(sp + w.profile.returnSize)
	if w.nHandlers == maxHandlers {
		w.emit(Reti, w.handlers[0].arg)
		copy(w.handlers[:], w.handlers[1:])
		w.nHandlers--
	}
	if w.nHandlers == 0 {
		w.enters()
	}
	w.handlers[w.nHandlers] = frame{sp: sp, arg: uint16(vector)}
	w.nHandlers++
	w.emit(Int, uint16(vector))
	return w.items
}

// At is to be called before the instruction at a word address that Profile.Hooks has; for any other it gives
// nothing. The items are valid until the next call.
func (w *Watch) At(cycle uint64, pc uint32) []Item {
	w.items = w.items[:0]
	if pc >= uint32(len(w.profile.index)) || w.profile.index[pc] == 0 {
		return nil
	}
	w.cycle, w.pc = cycle, pc
	w.settle(w.cpu.SP())
	for _, do := range w.profile.actions[w.profile.index[pc]-1] {
		do(w)
	}
	return w.items
}

func (w *Watch) emit(k Kind, arg uint16) {
	w.items = append(w.items, Item{Cycle: w.cycle, Kind: k, Arg: arg})
}

// settle ends what the stack pointer has left behind: calls and tasks that have returned, and handlers that were left
// by something else than their RETI.
func (w *Watch) settle(sp uint16) {
	for w.nCalls > 0 && sp > w.calls[w.nCalls-1].sp {
		w.leave()
	}
	for w.nHandlers > 0 && sp > w.handlers[w.nHandlers-1].sp {
		w.endHandler()
	}
	if w.isRunning && sp > w.running.sp {
		w.end()
	}
}

func (w *Watch) endHandler() {
	w.nHandlers--
	w.emit(Reti, w.handlers[w.nHandlers].arg)
	if w.nHandlers == 0 {
		w.left()
	}
}

// reti is the action of a RETI. One that is deeper in the stack than the handler's is a function's way to return.
func reti(w *Watch) {
	if w.nHandlers > 0 && w.handlers[w.nHandlers-1].sp == w.cpu.SP() {
		w.endHandler()
	}
}

// reset is the action of the reset vector.
func reset(w *Watch) {
	w.Tracker = Tracker{}
	w.emit(Reset, 0)
}

// look is an action where nothing but the stack pointer is of interest.
func look(*Watch) {}

// enter notes that one of the kernel's functions was called.
func (w *Watch) enter(role uint8, arg uint16) {
	if w.nCalls == maxCalls {
		copy(w.calls[:], w.calls[1:])
		w.nCalls--
	}
	w.calls[w.nCalls] = frame{sp: w.cpu.SP(), arg: arg, role: role}
	w.nCalls++
}

// call is the innermost call, if it has the role.
func (w *Watch) call(role uint8) *frame {
	if w.nCalls == 0 || w.calls[w.nCalls-1].role != role {
		return nil
	}
	return &w.calls[w.nCalls-1]
}

// leave ends the innermost call. One without effect has failed.
func (w *Watch) leave() {
	w.nCalls--
	if c := w.calls[w.nCalls]; !c.done {
		w.emit(Fail, c.arg)
	}
}

// leaves is the action of a RET of a function that was entered.
func leaves(w *Watch) {
	if w.nCalls > 0 && w.calls[w.nCalls-1].sp == w.cpu.SP() {
		w.leave()
	}
}

// run begins a task, which ends when the stack pointer gets above sp. One that has not ended so far has now.
func (w *Watch) run(arg, sp uint16) {
	for w.isRunning {
		w.end()
	}
	w.running, w.isRunning = frame{sp: sp, arg: arg}, true
	w.emit(Run, arg)
}

// end ends the running task, if there is one.
func (w *Watch) end() {
	if !w.isRunning {
		return
	}
	w.isRunning = false
	w.emit(End, w.running.arg)
	if w.resumes {
		w.resumes = false
		w.run(w.resume, anyStack)
	}
}

// endTop is the action of the places where a kernel, in no task, looks for the next one.
func endTop(w *Watch) {
	if w.nHandlers == 0 {
		w.end()
	}
}

func (w *Watch) wait(n uint8, on bool) {
	if on {
		w.waiting[n/64] |= 1 << (n % 64)
	} else {
		w.waiting[n/64] &^= 1 << (n % 64)
	}
}

func (w *Watch) waits(n uint8) bool { return w.waiting[n/64]>>(n%64)&1 != 0 }

func (w *Watch) reg16(n int) uint16 { return uint16(w.cpu.Reg(n)) | uint16(w.cpu.Reg(n+1))<<8 }

func (w *Watch) peek16(addr uint16) uint16 {
	return uint16(w.cpu.Peek(addr)) | uint16(w.cpu.Peek(addr+1))<<8
}
