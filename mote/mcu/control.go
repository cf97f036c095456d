package mcu

import (
	"motehound/mote/cell"
	"motehound/mote/chip"
	"motehound/mote/periph"
)

// control is the chip's own registers: sleep modes, interrupt vector placement, reset flags, power reduction.
type control struct {
	cfg   *chip.ControlConfig
	s     *controlState
	sleep uint8 // the bits of SMCR
}

type controlState struct {
	window uint64 `time:"clkio,ahead,orzero"` // cycle after which IVSEL cannot be changed any more
	smcr   uint8
	mcucr  uint8
	mcusr  uint8
	prr    [2]uint8
	Pad    [3]uint8
}

// ivWindow is how long IVCE stays set: four cycles ("Moving Interrupts Between Application and Boot Space").
const ivWindow = 4

func sleepBits(c *chip.ControlConfig) uint8 { return 1<<c.SE | 1<<c.SM0 | 1<<c.SM1 | 1<<c.SM2 }

func (c *control) Registers() []uint16 {
	return append([]uint16{c.cfg.SMCR, c.cfg.MCUCR, c.cfg.MCUSR}, c.cfg.PRR...)
}

func (c *control) Read(h periph.Host, addr uint16) cell.Cell { return cell.Of(c.Peek(h, addr)) }

func (c *control) Peek(h periph.Host, addr uint16) uint8 {
	var v uint8
	if addr == c.cfg.SMCR {
		v |= c.s.smcr
	}
	if addr == c.cfg.MCUCR {
		v |= c.s.mcucr
		if c.s.window != 0 && h.Now(periph.ClkIO) <= c.s.window {
			v |= 1 << c.cfg.IVCE
		}
	}
	if addr == c.cfg.MCUSR {
		v |= c.s.mcusr
	}
	for i, r := range c.cfg.PRR {
		if addr == r {
			v |= c.s.prr[i]
		}
	}
	return v
}

func (c *control) Write(h periph.Host, addr uint16, cl cell.Cell) {
	v := cl.V()
	if addr == c.cfg.SMCR {
		c.s.smcr = v & c.sleep
	}
	if addr == c.cfg.MCUCR {
		c.writeMCUCR(h, v)
	}
	if addr == c.cfg.MCUSR {
		// Reset flags are cleared by writing zero; writing one leaves them.
		flags := uint8(0x1F)
		c.s.mcusr = c.s.mcusr&v&flags | v&c.cfg.KeepMCUSR
	}
	for i, r := range c.cfg.PRR {
		if addr == r {
			c.s.prr[i] = v
		}
	}
}

func (c *control) writeMCUCR(h periph.Host, v uint8) {
	iv := uint8(1) << c.cfg.IVSEL
	if c.s.window == 0 && v&(1<<c.cfg.IVCE) == 0 {
		c.s.mcucr = v&c.cfg.KeepMCUCR | c.s.mcucr&iv
		return
	}
	now := h.Now(periph.ClkIO)
	switch {
	case v&(1<<c.cfg.IVCE) != 0:
		c.s.window = now + ivWindow
		v = v&^iv | c.s.mcucr&iv
	case now > c.s.window:
		v = v&^iv | c.s.mcucr&iv
	default:
		c.s.window = 0
	}
	c.s.mcucr = v & (c.cfg.KeepMCUCR | iv)
}

func (c *control) Event(periph.Host, uint8)  {}
func (c *control) Vectors() []uint8          { return nil }
func (c *control) Served(periph.Host, uint8) {}
func (c *control) Kinds() int                { return 0 }
func (c *control) Clocked(periph.Host)       {}

// Reset clears everything but the reset flags.
func (c *control) Reset(periph.Host, bool) { *c.s = controlState{mcusr: c.s.mcusr & 0x1F} }

// vectorBase is the word address of the vector table: 0, or the boot section.
func (m *Machine) vectorBase() uint32 {
	if m.st.control.mcucr&(1<<m.chip.Control.IVSEL) != 0 {
		return m.bootStart()
	}
	return 0
}
