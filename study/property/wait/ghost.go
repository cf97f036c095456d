package wait

import (
	"motehound/isa/avr"
)

// ghost is a core of its own, with its own RAM, that goes on from where another one is. It has no devices, but may see pins, which stay as they are.
type ghost struct {
	pins  func(addr uint16) (v uint8, ok bool) // nil if it sees none
	core  avr.Core
	ram   []uint8
	lost  bool // it would have to know what a device does
	kicks bool // it has reset the watchdog
	wrote bool // it has written RAM, other than by a call, or a device
	acted bool // the same, since the last branch that depends on RAM

	loads   []load
	marks   [32]uint64 // by register: the loads that its value depends on, as bits
	flags   uint64     // the same for the flags
	decided uint64     // and for branches
	branch  uint32     // the last of these that depends on any
}

// load is a byte of RAM that was read.
type load struct {
	addr uint16
	pc   uint32
}

// maxLoads is how many loads have bits.
const maxLoads = 64

// Load implements avr.Bus, as do the methods that follow.
func (g *ghost) Load(addr uint16) uint8 {
	if g.pins != nil {
		if v, ok := g.pins(addr); ok {
			return v
		}
	}
	g.lost = true
	return 0
}
func (g *ghost) Store(uint16, uint8)        { g.wrote, g.acted = true, true }
func (g *ghost) SetBit(uint16, uint8, bool) { g.wrote, g.acted = true, true }
func (g *ghost) ProgByte(uint32) uint8      { g.lost = true; return 0 }
func (g *ghost) ProgWord(uint32) uint16     { g.lost = true; return 0 }
func (g *ghost) Sleep()                     { g.lost = true }
func (g *ghost) WatchdogReset()             { g.kicks = true }
func (g *ghost) SelfProgram(uint32)         { g.lost = true }
func (g *ghost) Halt(avr.Halt)              { g.lost = true }
func (g *ghost) Hook(uint32) bool           { g.lost = true; return true }

// start has the ghost be where a core is, with some RAM.
func (g *ghost) start(c *avr.Core, ram []uint8) {
	g.ram = append(g.ram[:0], ram...)
	*g = ghost{ram: g.ram, loads: g.loads[:0]}
	g.core.Init(g, c.Plain, g.ram, c.RAMBase)
	g.core.ROM = c.ROM
	g.core.State = c.State
}

// inRAM tells whether there is RAM at an address.
func (g *ghost) inRAM(addr uint16) bool {
	return addr >= g.core.RAMBase && int(addr-g.core.RAMBase) < len(g.ram)
}

// step executes an instruction, and works out what its results depend on.
func (g *ghost) step() bool {
	c := &g.core
	in := c.Coming()
	a := in.Access()
	reads := in.Reads()
	var from uint64
	if reads>>32&0xFF != 0 {
		from = g.flags
	}
	for r := range reads.Registers {
		from |= g.marks[r]
	}
	if in.D == in.R && (in.Op == avr.OpEor || in.Op == avr.OpSub) {
		from = 0
	}
	if flow, _ := in.Flow(); flow == avr.Branch || flow == avr.Skip {
		if g.decided |= from; from != 0 {
			g.branch, g.acted = c.PC, false
		}
	}
	if a.Space == avr.DataMemory {
		addr := a.Address(&c.State)
		switch {
		case a.Writes:
			g.wrote, g.acted = true, true
		case !g.inRAM(addr):
			return false
		case len(g.loads) < maxLoads:
			from |= 1 << len(g.loads)
			g.loads = append(g.loads, load{addr, c.PC})
		}
	}
	c.Run(c.Cycles + 1)
	for r := range in.Writes().Registers {
		g.marks[r] = from
	}
	if in.Writes()>>32&0xFF != 0 {
		g.flags = from
	}
	return !g.lost
}

// How many instructions a ghost executes before a loop, and in one.
const (
	approach = 100
	circling = 400_000
)

// arrival is a core where a loop begins.
type arrival struct {
	reg  [32]uint8
	sreg uint8
	sp   uint16
}

// circles tells whether the ghost comes into a loop that it never leaves. If open is false, interrupts must be off in it. Who comes by here once more has not come into it this time.
func (g *ghost) circles(l *loop, open bool) bool {
	c := &g.core
	from := c.PC
	for n := 0; c.PC != l.head; n++ {
		if n == approach || n > 0 && c.PC == from || !g.step() {
			return false
		}
	}
	var was arrival
	for n := 0; n < circling; n++ {
		if c.PC == l.head {
			now := arrival{c.R, c.SREG(), c.SP}
			if n > 0 && now == was {
				return true
			}
			if n == 0 && l.pins { // that it waits for a pin was decided before; what counts is what it asks in the loop
				g.decided = 0
			}
			was = now
			g.wrote, g.kicks = false, false
			if l.polls {
				g.loads = g.loads[:0]
			}
		}
		if !g.step() || g.wrote || c.I == 1 && !open || c.SP >= was.sp && !l.has(c.PC) {
			return false
		}
	}
	return false
}
