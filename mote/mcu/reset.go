package mcu

import (
	"motehound/mote/chip"
	"motehound/mote/periph"
)

// Cause is what reset a chip.
type Cause uint8

const (
	PowerOn Cause = iota
	External
	Watchdog
)

// PowerOn starts the machine at time 0, its crystal off by ppm. SRAM comes up as zeros; a real chip's comes up as noise.
func (m *Machine) PowerOn(ppm int64) {
	clear(m.ram)
	m.st.ppm = ppm
	m.st.divider = [2]uint32{1, 1}
	m.st.rate, m.memo = newRate(m.opt.Hertz, ppm, 1, 1), noInstant
	for i := range m.st.slot {
		m.st.slot[i] = periph.Never
	}
	m.st.next, m.st.active = periph.Never, [2]uint64{}
	m.Reset(PowerOn)
}

// Reset resets the chip: all I/O registers take their initial values and execution starts at the reset vector; SRAM and
// the working registers stay ("Reset Sources").
func (m *Machine) Reset(cause Cause) {
	m.st.resets++
	m.initial(cause)
}

// initial puts everything that a reset reaches into its initial state.
func (m *Machine) initial(cause Cause) {
	if m.st.sleep != awake {
		m.endSleep()
	}
	m.Disturb()
	m.st.stop, m.st.reset = Running, 0
	m.st.stalled = 0
	m.st.requests, m.core.Pending = 0, false
	m.core.SetSREG(0)
	m.core.SP, m.core.RAMPZ, m.core.EIND = m.resetSP(), 0, 0
	clear(m.scratch)
	// The flag is there before the devices look: the watchdog stays on while WDRF is set.
	m.st.control.mcusr |= 1 << [...]uint8{PowerOn: m.chip.Control.PORF, External: m.chip.Control.EXTRF, Watchdog: m.chip.Control.WDRF}[cause]
	for id := boardID + 1; id < m.lay.ids; id++ {
		m.dev().devs[id].Reset(m, cause == PowerOn)
	}
	m.core.PC = 0
	if m.fuse(m.chip.Control.BOOTRST) && !m.erased(m.bootStart()) {
		m.core.PC = m.bootStart()
	}
	m.core.Attend()
}

// Resets is how often the chip was reset, switching it on included.
func (m *Machine) Resets() uint32 { return m.st.resets }

// LosePower stops the machine for want of power after the present instruction. PowerOff does the rest.
func (m *Machine) LosePower() { m.halt(StopOff) }

// PowerOff takes the power away: SRAM and registers are lost, the pads float, programming of the EEPROM that is under way
// does not take place. Flash and EEPROM keep their contents.
func (m *Machine) PowerOff() {
	clear(m.ram)
	clear(m.core.R[:])
	m.st.control.mcusr = 0
	m.initial(PowerOn)
	m.st.stop = StopOff
}

// PowerUp switches a machine on again that PowerOff had switched off, at a moment: its time goes on.
func (m *Machine) PowerUp(ps uint64) {
	m.SkipTo(ps)
	m.st.control.mcusr = 0
	m.Reset(PowerOn)
}

// SkipTo lets time pass for a machine that has stopped, up to a moment: until then nothing happens in it.
func (m *Machine) SkipTo(ps uint64) {
	if m.st.stop != Running {
		m.core.Cycles = max(m.core.Cycles, m.st.rate.cycle(ps))
	}
}

// resetSP is the stack pointer's initial value: RAMEND on the newer chips, 0 on the ATmega128 (doc2467, "Stack Pointer").
func (m *Machine) resetSP() uint16 {
	if m.chip.Control.SPAtRAMEnd {
		return m.chip.RAMBase + uint16(m.chip.RAMSize) - 1
	}
	return 0
}

// fuse reports whether a fuse bit is programmed.
func (m *Machine) fuse(f chip.FuseBit) bool {
	return f.Byte != 0 && m.opt.Fuses[f.Byte-1]>>f.Bit&1 == 0
}

// erased reports whether the word is erased: a chip whose boot section is empty is taken to have been programmed without
// a boot loader, and so without BOOTRST.
func (m *Machine) erased(pc uint32) bool { return m.ProgWord(pc) == 0xFFFF }

// resetter is how the watchdog reaches the chip.
type resetter struct{ m *Machine }

// WatchdogReset waits for the end of the instruction: the time-out may be noticed in the middle of one, by its access to
// a register.
func (r resetter) WatchdogReset() {
	r.m.st.reset = Watchdog
	r.m.core.Attend()
}

func (r resetter) WDRF() bool { return r.m.st.control.mcusr>>r.m.chip.Control.WDRF&1 != 0 }

// WatchdogReset is the WDR instruction.
func (m *Machine) WatchdogReset() {
	m.catchUp()
	m.dev().watchdog.Kick(m)
}

// SetDivider implements periph.ClockControl.
func (m *Machine) SetDivider(num, den uint32) {
	if m.st.divider == [2]uint32{num, den} {
		return
	}
	m.st.divider = [2]uint32{num, den}
	m.st.rate.change(m.cycle()+1, newRate(m.opt.Hertz, m.st.ppm, uint64(num), uint64(den)))
	m.rateChanged, m.memo = true, noInstant
	m.moveRealEvents()
	for id := boardID + 1; id < m.lay.ids; id++ {
		m.dev().devs[id].Clocked(m)
	}
	m.core.Attend()
}

// Stall halts the CPU for some cycles, from the end of this instruction on; the clocks run.
func (m *Machine) Stall(cycles uint64) {
	m.st.stalled = m.core.Cycles + 1 + cycles
	m.core.Attend()
}

// NextAction is the earliest moment at which the CPU can do something by itself: now, or while it sleeps or is halted,
// the next event.
func (m *Machine) NextAction() uint64 {
	switch {
	case m.st.stop != Running:
		return periph.Never
	case m.st.next <= m.core.Cycles:
		return m.Time()
	case m.st.sleep != awake && m.st.wakeAt == 0 && (m.st.requests&^m.permits.blocked&m.lay.wake[m.st.sleep] == 0 || m.core.I == 0):
		if m.st.next == periph.Never {
			return periph.Never
		}
		return m.psOf(m.st.next)
	case m.st.sleep != awake && m.st.wakeAt > m.core.Cycles:
		return m.psOf(min(m.st.next, m.st.wakeAt))
	case m.st.stalled > m.core.Cycles:
		return m.psOf(min(m.st.next, m.st.stalled))
	case m.spin.steady > m.core.Cycles:
		return m.psOf(min(m.st.next, m.spin.steady))
	}
	return m.Time()
}
