package spin

import (
	"slices"

	"motehound/isa/avr"
)

// Flags, by their bits in SREG.
const (
	flagC = 1 << avr.FlagC
	flagZ = 1 << avr.FlagZ
	flagS = 1 << avr.FlagS
	flags = 0x7F // all but I
)

// pointers is the first register of a pair that can point to memory.
const pointers = 26

// ghostBus is the chip for the ghost.
type ghostBus struct{ *Finder }

// Load reads a register of a device.
func (g ghostBus) Load(addr uint16) uint8 {
	f, cycle := g.Finder, g.ghost.Cycles
	if addr == f.temp.addr && addr != 0 {
		f.io = f.temp.m
		f.touches = append(f.touches, Touch{Cycle: cycle, Addr: addr})
		return f.temp.v
	}
	r, ok := f.chip.Look(addr, cycle)
	if !ok {
		f.failed = true
		return 0
	}
	f.touches = append(f.touches, Touch{Cycle: cycle, Addr: addr})
	if r.Counter == 0 {
		f.until = min(f.until, r.Until)
		return r.Value
	}
	f.sources = append(f.sources, source{r.Counter, cycle, f.chip.Ticks(r.Counter, cycle), r.Tap})
	count := f.fold(form{c: int64(r.Count), m: 1, src: uint8(len(f.sources))})
	f.keep(count, 0, int64(r.Top))
	f.io = mark{kind: part, f: count}
	if r.High != 0 {
		f.temp.addr, f.temp.v, f.temp.m = r.High, uint8(r.Count>>8), mark{kind: part, b: 1, f: count}
	}
	return uint8(r.Count)
}

// Store writes one.
func (g ghostBus) Store(addr uint16, v uint8) { g.failed = g.failed || !g.chip.Keeps(addr, v) }

// SetBit is SBI or CBI.
func (g ghostBus) SetBit(addr uint16, mask uint8, on bool) {
	r, ok := g.chip.Look(addr, g.ghost.Cycles)
	if g.failed = g.failed || !ok || (r.Value&mask != 0) != on; !g.failed {
		g.Store(addr, r.Value)
	}
}

func (g ghostBus) ProgByte(uint32) uint8     { g.failed = true; return 0 }
func (g ghostBus) ProgWord(pc uint32) uint16 { return g.chip.ProgWord(pc) }
func (g ghostBus) Sleep()                    { g.failed = true }
func (g ghostBus) SelfProgram(uint32)        { g.failed = true }
func (g ghostBus) Halt(avr.Halt)             { g.failed = true }
func (g ghostBus) Hook(uint32) bool          { g.failed = true; return true }

// WatchdogReset is WDR.
func (g ghostBus) WatchdogReset() {
	g.touches = append(g.touches, Touch{Cycle: g.ghost.Cycles, WDR: true})
}

// step lets the ghost execute an instruction, and works out the marks of what it writes.
func (f *Finder) step() bool {
	c := &f.ghost
	f.work++
	if f.steps++; f.steps > f.most || len(f.sources) > 8 {
		return false
	}
	f.visited[c.PC/64%16] |= 1 << (c.PC % 64)
	w := f.real.Program.Watched(c.PC)
	if w.Told && !f.repeats(c.PC) || w.Shadowed && !f.chip.Ignored(c) {
		return false
	}
	if w.Counted {
		f.counts = append(f.counts, w.Place)
	}
	in := c.Coming()
	a := in.Access()
	flow, _ := in.Flow()
	f.io = mark{}
	switch {
	case flow == avr.Branch:
		return f.decided(in) && f.execute()
	case flow == avr.Skip && a.Space == avr.NoMemory:
		return f.skips(in) && f.execute()
	case flow == avr.Call, flow == avr.IndirectCall:
		return f.calls(in) && f.execute()
	case flow == avr.Return:
		n := uint16(c.Program.Has().ReturnBytes())
		return in.Op == avr.OpRet && f.stackIsSame(c.SP+1, n) && f.execute()
	case flow == avr.IndirectJump:
		return !f.varied(in.Reads()) && f.execute()
	case a.Space == avr.DataMemory, a.Space == avr.StackMemory:
		return f.moves(in, &a)
	case a.Space == avr.IORegister:
		return f.register(in, &a)
	case a.Space == avr.CodeMemory && f.varied(in.Reads()):
		return false
	}
	return f.computes(in)
}

// repeats tells whether somebody who watches an instruction sees the same in each iteration: all of SRAM and the registers are.
func (f *Finder) repeats(pc uint32) bool {
	f.told = true
	return len(f.mem) == 0 && f.chip.Repeats(pc) && !slices.ContainsFunc(f.regs[:], func(m mark) bool { return m.kind != same })
}

// execute executes.
func (f *Finder) execute() bool {
	f.ghost.Run(f.ghost.Cycles + 1)
	return !f.failed
}

// varied tells whether any of what an instruction reads may not be the same in each iteration.
func (f *Finder) varied(reads avr.Set) bool {
	if uint8(reads>>32)&(f.murky|f.stale) != 0 {
		return true
	}
	for r := range reads.Registers {
		if f.regs[r].kind != same {
			return true
		}
	}
	return false
}

// memAt is the mark of a byte of SRAM.
func (f *Finder) memAt(addr uint16) mark {
	for _, m := range f.mem {
		if m.addr == addr {
			return m.m
		}
	}
	return mark{}
}

// write notes that a byte of SRAM is about to be written; false if it is none.
func (f *Finder) write(addr uint16, m mark) bool {
	i := int(addr) - int(f.ghost.RAMBase)
	if i < 0 || i >= len(f.ram) {
		return false
	}
	f.wrote = append(f.wrote, written{addr, f.ram[i]})
	f.rough = f.rough || m.kind != same
	if at := slices.IndexFunc(f.mem, func(x memMark) bool { return x.addr == addr }); at >= 0 {
		f.mem[at].m = m
	} else if m.kind != same {
		f.mem = append(f.mem, memMark{addr, m})
	}
	return true
}

func (f *Finder) stackIsSame(from, n uint16) bool {
	for i := range n {
		if f.memAt(from+i).kind != same {
			return false
		}
	}
	return true
}

// calls is a call: it writes a return address.
func (f *Finder) calls(in avr.Inst) bool {
	if f.varied(in.Reads() &^ avr.SP) {
		return false
	}
	for i := range uint16(f.ghost.Program.Has().ReturnBytes()) {
		if !f.write(f.ghost.SP-i, mark{}) {
			return false
		}
	}
	return true
}

// moves is a load or a store. A pointer that is not the same is too much.
func (f *Finder) moves(in avr.Inst, a *avr.Access) bool {
	c := &f.ghost
	addr := a.Address(&c.State)
	if a.Space == avr.StackMemory {
		if addr = c.SP; a.Reads {
			addr++
		}
	} else if a.Base != 0 && (f.regs[a.Base].kind != same || f.regs[a.Base+1].kind != same) {
		return false
	}
	inRAM := int(addr)-int(c.RAMBase) >= 0 && int(addr)-int(c.RAMBase) < len(f.ram)
	if _, own := c.PeekRegister(addr); own && !inRAM {
		return false
	}
	if a.Writes {
		m := f.regs[in.D]
		if !inRAM && m.kind != same || inRAM && !f.write(addr, m) {
			return false
		}
		return f.execute()
	}
	m := f.memAt(addr)
	if !f.execute() {
		return false
	}
	if !inRAM {
		m = f.io
	}
	return f.set(in.D, m)
}

// set gives a register its mark. A part must be what the ghost has.
func (f *Finder) set(r uint8, m mark) bool {
	f.regs[r] = m
	f.rough = f.rough || r >= pointers && m.kind != same
	return m.kind != part || m.byteOf() == f.ghost.R[r]
}

// register is an access to a register by its address: of the core or of a device.
func (f *Finder) register(in avr.Inst, a *avr.Access) bool {
	addr, d := uint16(in.K), f.regs[in.D]
	_, own := f.ghost.PeekRegister(addr)
	switch in.Op {
	case avr.OpIn:
		m := mark{}
		if addr == avr.AddrSREG && f.murky|f.stale != 0 {
			m = mark{kind: saved, b: f.murky, f: form{c: int64(f.stale)}}
		}
		if !f.execute() {
			return false
		}
		if !own {
			m = f.io
		}
		return f.set(in.D, m)
	case avr.OpOut:
		switch {
		case addr == avr.AddrSREG && d.kind == saved:
			f.murky, f.stale = d.b, uint8(d.f.c)
		case d.kind != same:
			return false
		case addr == avr.AddrSREG:
			f.murky, f.stale = 0, 0
		}
		if addr == avr.AddrSREG {
			f.carry.ok, f.zero.ok = false, false
		}
		return f.execute()
	}
	return !own && f.execute() && f.io.kind == same // SBI, CBI, SBIC, SBIS
}

// decided tells whether a branch goes the same way in each iteration, within bounds that it notes.
func (f *Finder) decided(in avr.Inst) bool {
	switch uint8(in.Reads()>>32) & (f.murky | f.stale) {
	case 0:
		return true
	case flagC:
		return f.decideC()
	case flagZ:
		return f.decideZ()
	case flagS:
		return f.decideS()
	}
	return false
}

// skips is decided for CPSE, SBRC and SBRS.
func (f *Finder) skips(in avr.Inst) bool {
	if !f.varied(in.Reads()) {
		return true
	}
	d := f.regs[in.D]
	if in.Op != avr.OpCpse {
		if d.kind == part {
			f.stay(d.f, unit(d.b)*int64(in.R))
		}
		return d.kind == part
	}
	a, ok1 := f.base(d, f.ghost.R[in.D])
	b, ok2 := f.base(f.regs[in.R], f.ghost.R[in.R])
	x, ok := a.plus(b, -1)
	if ok1 && ok2 && ok {
		f.settleZero(zero{f: x, mod: 1 << 8})
	}
	return ok1 && ok2 && ok
}
