package wait

import (
	"cmp"
	"slices"

	"motehound/isa/avr"
)

// writer is an instruction of a handler, or of what it calls, that writes a byte of RAM.
type writer struct {
	vector uint16
	pc     uint32
	block  int
}

// findWriters finds out what handlers write, by address, as far as the addresses are constants.
func (t *table) findWriters() map[uint16][]writer {
	writers := map[uint16][]writer{}
	for v, pc := range t.kind.Handlers() {
		if pc == 0 || t.g.starts(pc) < 0 {
			continue
		}
		t.stores(t.g.starts(pc), uint16(v), func(addr uint16, w writer) { writers[addr] = append(writers[addr], w) })
		for _, i := range t.within(t.g.starts(pc)) {
			t.callbacks = append(t.callbacks, t.callsBack(i, uint16(v))...)
		}
	}
	if len(t.callbacks) > 0 {
		t.findAttached()
	}
	return writers
}

// findAttached finds out what functions write whose address the program loads, in two instructions one behind the other: one of them may be called by a handler later.
func (t *table) findAttached() {
	t.attached = map[uint16]bool{}
	code := t.g.code
	for pc := uint32(0); pc+1 < code.Words(); pc += max(1, uint32(code.At(pc).N)) {
		low, high := code.At(pc), code.At(pc+1)
		if low.Op != avr.OpLdi || high.Op != avr.OpLdi || high.D != low.D+1 {
			continue
		}
		to := low.K | high.K<<8
		if f, ok := t.im.FuncAt(2 * to); ok && f.Addr == 2*to && to != 0 && t.g.starts(to) >= 0 {
			t.stores(t.g.starts(to), 0, func(addr uint16, _ writer) { t.attached[addr] = true })
		}
	}
}

// stores tells what is written in the blocks that are reached from one, in the handler of a vector.
func (t *table) stores(from int, vector uint16, tell func(addr uint16, w writer)) {
	var c avr.Core
	c.Init(nil, t.g.code, nil, t.base)
	nothing := make([]uint8, t.kind.Board.Chip.RAMSize)
	var g ghost
	for _, i := range t.within(from) {
		g.start(&c, nothing)
		for _, w := range t.trace(&g, i, true) {
			tell(w.addr, writer{vector, w.pc, i})
		}
	}
}

// callback is a variable with the address of a function that a handler calls: Arduino's attachInterrupt sets one.
type callback struct{ vector, addr uint16 }

// callsBack finds the calls in a block through such variables.
func (t *table) callsBack(block int, vector uint16) (list []callback) {
	const low, high = 30, 31 // Z
	var from [2]uint32
	t.g.each(block, func(_ uint32, in avr.Inst) bool {
		flow, _ := in.Flow()
		switch {
		case in.Op == avr.OpLds && (in.D == low || in.D == high):
			from[in.D-low] = in.K
		case flow == avr.IndirectCall && from[0] >= uint32(t.base) && from[1] == from[0]+1:
			list = append(list, callback{vector, uint16(from[0])})
		case in.Writes()&(3<<low) != 0 || flow != avr.Next:
			from = [2]uint32{}
		}
		return true
	})
	return list
}

// writers is what writes a byte in handlers, as they are now: what functions do that they call through variables belongs to it.
func (m *tracker) writers(addr uint16) []writer {
	list := m.t.writers[addr]
	for _, c := range m.t.callbacks {
		pc := uint32(m.m.Peek(c.addr)) | uint32(m.m.Peek(c.addr+1))<<8
		if from := m.t.g.starts(pc); pc != 0 && from >= 0 {
			m.t.stores(from, c.vector, func(at uint16, w writer) {
				if at == addr {
					list = append(list[:len(list):len(list)], w)
				}
			})
		}
	}
	return list
}

// within lists the blocks that are reached from one, also by calls.
func (t *table) within(from int) []int {
	list, seen := []int{from}, map[int]bool{from: true}
	lead := func(to int) {
		if to >= 0 && !seen[to] {
			seen[to] = true
			list = append(list, to)
		}
	}
	for n := 0; n < len(list); n++ {
		t.g.each(list[n], func(_ uint32, in avr.Inst) bool {
			if flow, to := in.Flow(); flow == avr.Call {
				lead(t.g.starts(to))
			}
			return true
		})
		for _, to := range t.g.next[list[n]] {
			lead(to)
		}
	}
	return list
}

// write is a store to RAM.
type write struct {
	addr  uint16
	v     uint8
	known bool // v is
	pc    uint32
}

// trace has a ghost execute a block without knowing what came before, and gives what that writes to addresses that are known. Blind says that nothing
// is known of what it reads from RAM.
func (t *table) trace(g *ghost, block int, blind bool) (list []write) {
	var known avr.Set = 1 << 1 // GCC keeps 0 in r1
	g.core.R[1] = 0
	t.g.each(block, func(pc uint32, in avr.Inst) bool {
		switch flow, _ := in.Flow(); flow {
		case avr.Next:
		case avr.Call, avr.IndirectCall: // what a function leaves is not known
			known = 1 << 1
			return true
		default:
			return false
		}
		a := in.Access()
		clears := in.D == in.R && (in.Op == avr.OpEor || in.Op == avr.OpSub)
		sure := clears || in.Reads()&^known&(registers|flagSet) == 0
		if a.Space == avr.DataMemory {
			addr := a.Address(&g.core.State)
			where := g.inRAM(addr) && (a.Base == 0 || known>>a.Base&3 == 3)
			if a.Writes && where {
				list = append(list, write{addr, g.core.R[in.D], known>>in.D&1 != 0, pc})
			}
			sure = where && !blind
		}
		if a.Space == avr.NoMemory || a.Space == avr.DataMemory {
			g.core.PC = pc
			g.core.Run(g.core.Cycles + 1)
		} else {
			sure = false
		}
		if known &^= in.Writes(); sure {
			known |= in.Writes()
		}
		return true
	})
	return list
}

const flagSet = avr.Set(0xFF) << 32

// flips is how often a handler may have to run until a loop would not have been entered.
const flips = 70_000

// changes tells whether what a handler writes would have kept the program out of a loop. Known is false if that cannot be said. A handler that
// counts may have to run often, but not until the number begins anew.
func (m *tracker) changes(s *site, w writer, addr uint16) (kept, known bool) {
	ram := slices.Clone(m.m.Core().RAM)
	was, way := m.number(ram, addr), 0
	for range flips {
		again := false
		m.g.start(m.m.Core(), ram)
		for _, x := range m.t.trace(&m.g, w.block, false) {
			if x.addr == addr && !x.known {
				return false, false
			}
			if x.known && ram[x.addr-m.t.base] != x.v {
				ram[x.addr-m.t.base] = x.v
				again = again || x.addr == addr
			}
		}
		now := m.number(ram, addr)
		turn := cmp.Compare(now, was)
		if !again || way != 0 && turn != way { // it writes what is there, or a number begins anew
			return false, true
		}
		was, way = now, turn
		m.begin(s, ram)
		if !m.g.circles(s.loop, true) {
			return true, true
		}
	}
	return false, true
}

// number is what the variable around an address has, as an unsigned number.
func (m *tracker) number(ram []uint8, addr uint16) (v uint64) {
	x, ok := m.t.im.ScalarAt(uint32(addr))
	if !ok || x.Size > 8 {
		x.Addr, x.Size = uint32(addr), 1
	}
	for n := range x.Size {
		if i := int(x.Addr+n) - int(m.t.base); i >= 0 && i < len(ram) {
			v |= uint64(ram[i]) << (8 * n)
		}
	}
	return v
}
