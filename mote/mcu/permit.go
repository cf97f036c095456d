package mcu

import "motehound/mote/periph"

// An explored machine serves interrupts only with a permit: whoever explores decides which of several comes first, and how long one
// has to wait. Everything else goes on as usual: flags rise when their time comes, and code that polls them sees them.

// permits is which interrupts may be served. It is not part of the machine's state.
type permits struct {
	guard   uint64 // vectors that are served only with a permit; 0 if none needs one
	blocked uint64 // those of them that may not be served now
	alert   uint64 // vectors whose rise pauses the machine
	rose    uint64 // those of them that did
	drowsy  bool   // falling asleep pauses it too
	open    bool   // all may be served, for as long as it lasts
}

// RequirePermit has the machine serve these vectors only after Permit, and pause when it falls asleep. 0 ends it.
func (m *Machine) RequirePermit(vectors uint64) {
	m.permits = permits{guard: vectors, blocked: vectors}
	m.ask()
}

// Permit lets vectors be served, each once.
func (m *Machine) Permit(vectors uint64) {
	m.permits.blocked &^= vectors
	m.ask()
}

// Forbid takes Permit back, for all vectors.
func (m *Machine) Forbid() {
	m.permits.blocked = m.permits.guard
	m.ask()
}

// Open lets all vectors be served without a permit, until it is called with false.
func (m *Machine) Open(on bool) {
	m.permits.open = on
	m.permits.blocked = m.permits.guard
	if on {
		m.permits.blocked = 0
	}
	m.ask()
}

// ask works out whether the core has an interrupt to look at.
func (m *Machine) ask() { m.core.Pending = m.st.requests&^m.permits.blocked != 0 }

// blockServed blocks a vector that was served.
func (m *Machine) blockServed(vector uint8) {
	if !m.permits.open {
		m.permits.blocked |= m.permits.guard & (1 << vector)
		m.ask()
	}
}

// Alert pauses the machine when one of these vectors is flagged that was not before.
func (m *Machine) Alert(vectors uint64) { m.permits.alert = vectors }

func (m *Machine) risen(vector uint8) {
	if m.permits.alert&^m.st.requests>>vector&1 != 0 {
		m.permits.rose |= 1 << vector
		m.Pause()
	}
}

// Requests is the vectors that are flagged and enabled, as a set of numbers.
func (m *Machine) Requests() uint64 { return m.st.requests }

// Wakes is the vectors that end the present sleep; all if the CPU is awake.
func (m *Machine) Wakes() uint64 {
	if m.st.sleep == awake {
		return ^uint64(0)
	}
	return m.lay.wake[m.st.sleep]
}

// RunTo is RunUntil for a cycle.
func (m *Machine) RunTo(cycle uint64) {
	m.paused, m.rateChanged = false, true
	for m.rateChanged && m.st.stop == Running && !m.paused {
		m.run(cycle)
	}
}

// Idle lets time pass to a cycle, but the CPU, awake or asleep, does nothing unless it is woken: by an interrupt that is permitted. It
// tells whether the cycle was reached; if not, something was flagged that Alert names, or the machine has stopped.
func (m *Machine) Idle(cycle uint64) bool {
	from, wasAwake := m.core.Cycles, m.st.sleep == awake
	if wasAwake && from < cycle {
		m.st.stalled = cycle
	}
	m.idles, m.idlesFrom = wasAwake, from // a reset on the way asks
	m.RunTo(cycle)
	if m.idles = false; wasAwake {
		m.st.slept += m.core.Cycles - from
	}
	if m.st.sleep == awake {
		m.st.stalled = 0
	}
	return m.core.Cycles >= cycle
}

// SleepCycles is how many of them were spent asleep, or in Idle.
func (m *Machine) SleepCycles() uint64 {
	if m.idles {
		return m.st.slept + m.core.Cycles - m.idlesFrom
	}
	if m.st.sleep != awake {
		return m.st.slept + m.core.Cycles - m.st.sleptAt
	}
	return m.st.slept
}

// CatchUp lets happen what is due. A machine that was paused may not have come to it; then two that are in the same state do not look
// the same.
func (m *Machine) CatchUp() {
	m.paused = false
	for m.st.next <= m.core.Cycles && m.st.stop == Running && !m.paused {
		m.fire()
	}
}

// Upcoming is the cycle at which the next event is due, of any device or of the board; Never if none is.
func (m *Machine) Upcoming() uint64 { return m.st.next }

// Again is the first cycle at which the flag of a timer or of the ADC, whose interrupt is enabled and waits to be served, would rise once more: then
// a tick, or a reading, is lost. Never if none is.
func (m *Machine) Again() uint64 {
	first := uint64(periph.Never)
	d := m.dev()
	for i := range m.chip.Timers {
		first = min(first, m.momentOf(d.timers[i].Again(m)))
	}
	return min(first, m.momentOf(d.adc.Again()))
}

// AgainOf is Again for one vector. It is not known of all.
func (m *Machine) AgainOf(vector uint8) (cycle uint64, ok bool) {
	d := m.dev()
	for i := range m.chip.Timers {
		if clock, at, ok := d.timers[i].AgainOf(m, vector); ok {
			return m.momentOf(clock, at), true
		}
	}
	return 0, false
}

// Owners is the devices that answer at an address below SRAM, as a set; none if the address only holds a value.
func (m *Machine) Owners(addr uint16) (set uint64) {
	if int(addr) < len(m.lay.claim) {
		for _, d := range m.lay.claim[addr] {
			set |= 1 << d
		}
	}
	return set
}

// Steady reports whether reading a register does nothing but give a value that is the same in all cycles from now up to, but not
// including, one (Never if it stays for good), unless it is written. That is known of the counters of 8-bit timers.
func (m *Machine) Steady(addr uint16) (until uint64, ok bool) {
	d := m.dev()
	for i := range m.chip.Timers {
		if clock, at, ok := d.timers[i].Steady(m, addr); ok {
			return m.momentOf(clock, at), true
		}
	}
	return 0, false
}

// momentOf is the cycle in which it is some time on a clock; Never if the clock does not run.
func (m *Machine) momentOf(clock periph.Clock, at uint64) uint64 {
	switch {
	case at == periph.Never || !m.running(clock):
		return periph.Never
	case clock == periph.ClkReal:
		return m.st.rate.cycle(at)
	}
	return at + m.st.halted[clock]
}

// TimeOf is when a cycle begins, at the present clock rate.
func (m *Machine) TimeOf(cycle uint64) uint64 { return m.st.rate.ps(cycle) }

// StepOn is Step for machines whose interrupts need permits: while the CPU sleeps, it goes to where something happens, but not beyond a cycle. It reports whether
// the machine was paused in it.
func (m *Machine) StepOn(until uint64) (paused bool) { return m.StepsOn(1, until) }

// StepsOn is StepOn for all instructions that begin within some cycles from now, if nothing else happens on the way; otherwise for fewer.
func (m *Machine) StepsOn(cycles, until uint64) (paused bool) {
	c, from := &m.core, m.core.Cycles
	m.paused = false
	if m.st.sleep == awake && m.st.stop == Running && m.st.reset == 0 && m.st.next > from && m.st.stalled <= from && !(c.Pending && c.I == 1) {
		m.rateChanged, m.spin.steady = false, 0
		c.Run(min(from+cycles, until, m.st.next))
		if c.Cycles > from || m.paused || m.rateChanged || m.st.stop != Running {
			return m.paused
		}
	}
	to := from + 1
	switch {
	case m.st.sleep == awake:
	case m.st.wakeAt > from:
		to = max(to, min(until, m.st.next, m.st.wakeAt))
	case m.st.wakeAt == 0 && m.st.requests&^m.permits.blocked&m.lay.wake[m.st.sleep] == 0:
		to = max(to, min(until, m.st.next))
	}
	if m.st.stop == Running {
		m.run(to)
	}
	return m.paused
}

// Withheld implements periph.Withholder.
func (m *Machine) Withheld(vector uint8) bool { return m.permits.blocked>>vector&1 != 0 }
