package periph

import (
	"fmt"

	"motehound/mote/cell"
)

// ClockConfig is the system clock control of a chip: CLKPR, or XDIV on the ATmega128, and OSCCAL.
type ClockConfig struct {
	CLKPR  uint16
	CLKPCE uint8
	CLKPS  uint8 // mask
	XDIV   uint16
	XDIVEN uint8
	OSCCAL uint16
}

// SystemClockState is the state of the clock control.
type SystemClockState struct {
	ChangeUntil uint64 `time:"clkio,ahead"` // last cycle in which CLKPCE allows a change
	CLKPS       uint8
	XDIV        uint8
	OSCCAL      uint8
	Changing    bool
	Pad         [4]uint8
}

// ClockControl is the part of the chip that makes the clock.
type ClockControl interface {
	// SetDivider makes the CPU clock num/den of its source from the next cycle on.
	SetDivider(num, den uint32)
}

// SystemClock divides the clock of the CPU and of all peripherals.
type SystemClock struct {
	Passive
	ID      ID
	Cfg     *ClockConfig
	S       *SystemClockState
	Control ClockControl
	CKDIV8  bool // fuse: start with the clock divided by 8
}

// Registers lists CLKPR, XDIV and OSCCAL.
func (c *SystemClock) Registers() []uint16 { return []uint16{c.Cfg.CLKPR, c.Cfg.XDIV, c.Cfg.OSCCAL} }

func (c *SystemClock) changing(h Host) bool { return c.S.Changing && h.Now(ClkIO) <= c.S.ChangeUntil }

// Read answers with a register.
func (c *SystemClock) Read(h Host, addr uint16) cell.Cell { return cell.Of(c.Peek(h, addr)) }

// Peek is Read.
func (c *SystemClock) Peek(h Host, addr uint16) uint8 {
	switch addr {
	case c.Cfg.CLKPR:
		if c.changing(h) {
			return c.S.CLKPS | 1<<c.Cfg.CLKPCE
		}
		return c.S.CLKPS
	case c.Cfg.XDIV:
		return c.S.XDIV
	case c.Cfg.OSCCAL:
		return c.S.OSCCAL
	}
	return 0
}

// Write changes a divider, or keeps OSCCAL's byte: the oscillator's frequency is the board's.
func (c *SystemClock) Write(h Host, addr uint16, v cell.Cell) {
	switch addr {
	case c.Cfg.CLKPR:
		c.writeCLKPR(h, v.V())
	case c.Cfg.XDIV:
		c.writeXDIV(v.V())
	case c.Cfg.OSCCAL:
		c.S.OSCCAL = v.V()
		h.Notice(c.ID, "OSCCAL", "OSCCAL is stored, but does not change the oscillator's frequency")
	}
}

// writeCLKPR: CLKPCE must be written to one with all other bits zero; within four cycles the wanted CLKPS is written with
// CLKPCE zero (ATmega328P, DS40002061A section 9.12.2).
func (c *SystemClock) writeCLKPR(h Host, v uint8) {
	enable := uint8(1) << c.Cfg.CLKPCE
	switch {
	case v == enable:
		c.S.Changing = true
		c.S.ChangeUntil = h.Now(ClkIO) + 4
	case v&enable == 0 && c.changing(h):
		c.S.Changing = false
		c.S.CLKPS = v & c.Cfg.CLKPS
		if c.S.CLKPS > 8 {
			h.Notice(c.ID, "CLKPS reserved", fmt.Sprintf("CLKPR: CLKPS = %d is reserved; the clock is divided by 256", c.S.CLKPS))
		}
		c.apply()
	}
}

// writeXDIV: "when XDIVEN is written to one, the value written simultaneously into XDIV6..XDIV0 is taken as the division
// factor. When XDIVEN is written to zero, the value written simultaneously into XDIV6..XDIV0 is rejected"; the factor can only
// be changed while XDIVEN is zero (ATmega128, 2467X, "XTAL Divide Control Register - XDIV"). Timer 0 must then run asynchronously or stand still.
func (c *SystemClock) writeXDIV(v uint8) {
	enable := uint8(1) << c.Cfg.XDIVEN
	switch {
	case v&enable == 0:
		c.S.XDIV &^= enable
	case c.S.XDIV&enable == 0:
		c.S.XDIV = v
	}
	c.apply()
}

// apply tells the chip the divider in force.
func (c *SystemClock) apply() {
	den := uint32(1)
	if c.Cfg.CLKPR != 0 {
		den <<= min(c.S.CLKPS, 8)
	}
	if enable := uint8(1) << c.Cfg.XDIVEN; c.Cfg.XDIV != 0 && c.S.XDIV&enable != 0 {
		den *= 129 - uint32(c.S.XDIV&^enable)
	}
	c.Control.SetDivider(1, den)
}

// Reset puts the dividers to their initial values.
func (c *SystemClock) Reset(Host, bool) {
	*c.S = SystemClockState{}
	if c.CKDIV8 && c.Cfg.CLKPR != 0 {
		c.S.CLKPS = 3
	}
	c.apply()
}
