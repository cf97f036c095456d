package wait

import (
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
		for _, i := range t.within(t.g.starts(pc)) {
			for _, w := range t.trace(i, nil) {
				writers[w.addr] = append(writers[w.addr], writer{uint16(v), w.pc, i})
			}
		}
	}
	return writers
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

// trace executes a block without knowing what came before, and gives what it writes to addresses that are known. Without RAM nothing is known of
// what it reads there.
func (t *table) trace(block int, ram []uint8) (list []write) {
	var g ghost
	var c avr.Core
	size := int(t.kind.Board.Chip.RAMSize)
	c.Init(&g, t.g.code, nil, t.base)
	if ram == nil {
		ram = make([]uint8, size)
		g.lost = true
	}
	blind := g.lost
	g.start(&c, ram)
	var known avr.Set = 1 << 1 // GCC keeps 0 in r1
	t.g.each(block, func(pc uint32, in avr.Inst) bool {
		flow, _ := in.Flow()
		if flow != avr.Next && flow != avr.Call && flow != avr.IndirectCall {
			return false
		}
		if flow != avr.Next { // what a function leaves is not known
			known = 1 << 1
			return true
		}
		a := in.Access()
		reads := in.Reads()
		clears := in.D == in.R && (in.Op == avr.OpEor || in.Op == avr.OpSub)
		sure := reads&^known&(registers|flagSet) == 0 || clears
		where := a.Base == 0 || known>>a.Base&3 == 3
		addr := a.Address(&g.core.State)
		if a.Base != 0 {
			addr = uint16(g.core.R[a.Base]) | uint16(g.core.R[a.Base+1])<<8
			addr += a.Offset
		}
		if a.Space == avr.DataMemory && a.Writes && where && g.inRAM(addr) {
			list = append(list, write{addr, g.core.R[in.D], known>>in.D&1 != 0, pc})
		}
		if a.Space == avr.DataMemory && a.Reads {
			sure = where && g.inRAM(addr) && !blind
		}
		sure = sure && (a.Space == avr.NoMemory || a.Space == avr.DataMemory)
		g.core.PC, g.lost = pc, false
		if a.Space != avr.StackMemory && a.Space != avr.ChipAction && a.Space != avr.CodeMemory {
			g.core.Run(g.core.Cycles + 1)
		}
		if sure {
			known |= in.Writes()
		} else {
			known &^= in.Writes()
		}
		return true
	})
	return list
}

const flagSet = avr.Set(0xFF) << 32

// flips is how often a handler may have to run until a loop would not have been entered.
const flips = 70_000

// changes tells whether what a handler writes would have kept the program out of a loop. Known is false if that cannot be said.
func (m *tracker) changes(s *site, w writer, addr uint16) (kept, known bool) {
	ram := slices.Clone(m.m.Core().RAM)
	for range flips {
		again := false
		for _, x := range m.t.trace(w.block, ram) {
			if x.addr == addr && !x.known {
				return false, false
			}
			if x.known && ram[x.addr-m.t.base] != x.v {
				ram[x.addr-m.t.base] = x.v
				again = again || x.addr == addr
			}
		}
		if !again {
			return false, true // it writes what is there
		}
		m.g.start(m.m.Core(), ram)
		if !m.g.circles(s.loop, true) {
			return true, true
		}
	}
	return false, true
}
