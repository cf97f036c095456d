package mcu

import (
	"math/bits"

	"motehound/isa/avr"
	"motehound/mote/digest"
	"motehound/mote/periph"
	"motehound/mote/relative"
)

var (
	stateTable = relative.Of[state]()
	coreTable  = relative.Of[avr.State]()
)

// Clocks is what the machine's clocks show.
func (m *Machine) Clocks() relative.Now {
	return relative.Now{
		relative.Cycles: m.core.Cycles, relative.IO: m.Now(periph.ClkIO), relative.ADC: m.Now(periph.ClkADC), relative.Real: m.Time(),
	}
}

// AppendRelative feeds the machine's state to a digest as it looks from now: machines with the same digest, at whatever times, do the
// same from now on. It changes nothing in the machine. RAM from the address beyond up to the stack pointer is dead and left out: the
// program has no variables there. Say 0x10000 if all of it matters.
//
// Notes, and counts of instructions, resets and cycles asleep, do not count, nor do its permits.
func (m *Machine) AppendRelative(h *digest.Digest, now *relative.Now, beyond uint32) {
	m.appendCore(h)
	m.appendPlans(h)
	m.appendClock(h, now)
	m.appendState(h, now)
	m.appendDevices(h, now)
	h.Bulk(m.scratch)
	m.appendRAM(h, beyond)
	h.Word(m.flash.Hash())
	h.Word(m.eeprom.Hash())
	m.page.AppendState(h)
}

// appendCore: of the cycle after which interrupts are served again it matters only whether it is this one.
func (m *Machine) appendCore(h *digest.Digest) {
	c := m.core.State
	c.Canon()
	h.Word(uint64(c.I) & b2i(c.Enabled == c.Cycles))
	coreTable.Append(h, &c, nil)
}

// appendPlans takes the events that are planned. One on a clock that stands still is as far away as it was when the chip fell asleep.
func (m *Machine) appendPlans(h *digest.Digest) {
	st, runs := m.st, &sleepModes[m.st.sleep].runs
	now := m.Time()
	for w, word := range st.active {
		for ; word != 0; word &= word - 1 {
			i := (w*64 + bits.TrailingZeros64(word)) % maxSlots
			from, clock := m.core.Cycles, st.slotClock[i]
			if !runs[clock] {
				from = st.sleptAt
			}
			h.Word(relative.Distance(st.slot[i], from))
			if clock == periph.ClkReal {
				h.Word(relative.Distance(st.real[i], now)) // counts when the clock rate changes
			} else {
				h.Word(uint64(clock))
			}
		}
	}
}

// Planned reports whether the board has an event of a kind planned.
func (m *Machine) Planned(kind uint8) bool {
	return m.st.slot[m.lay.first[boardID]+int(kind)] != periph.Never
}

// longAgo is a number of cycles after which nobody plans anything for the time before: events come late by an instruction at most.
const longAgo = 256

// appendClock takes how the CPU's cycles lie to picoseconds and to the edges of the board's crystal: fractions of a picosecond decide
// to which cycle a moment is rounded.
func (m *Machine) appendClock(h *digest.Digest, now *relative.Now) {
	r := &m.st.rate
	if m.core.Cycles >= r.baseCycle && m.st.next >= r.baseCycle {
		ago := m.core.Cycles - r.baseCycle
		hi, lo := bits.Mul64(ago, r.n)
		h.Word(bits.Rem64(hi, lo, r.d))
		h.Word(min(ago, longAgo))
	} else { // the rate changes with this cycle, or an event from before is pending
		h.Word(relative.Distance(r.baseCycle, m.core.Cycles))
		h.Word(relative.Distance(r.beforePs, now[relative.Real]))
		h.Word(relative.Distance(r.basePs, now[relative.Real]))
	}
	if m.opt.CrystalHz != 0 {
		since, fraction := periph.CrystalPhase(now[relative.Real], uint64(m.opt.CrystalHz))
		h.Word(since)
		h.Word(fraction)
	}
}

// appendState takes all that is in the state struct but its plans and clocks.
func (m *Machine) appendState(h *digest.Digest, now *relative.Now) {
	c := *m.st
	c.spi.Forget()
	adc := &m.dev().adc
	c.adc.Forget(now, m.st.slot[m.lay.first[adc.ID]+int(adc.SampleKind())] == periph.Never)
	c.eeprom.Forget(now)
	c.selfProg.Forget()
	c.watchdog.Forget(m.chip.Watchdog, now)
	c.clock.Forget(now)
	stateTable.Append(h, &c, now)
}

func (m *Machine) appendDevices(h *digest.Digest, now *relative.Now) {
	ports, timers, usarts := m.devices()
	for i := range ports {
		ports[i].AppendRelative(h, now)
	}
	for i := range timers {
		t := periph.Timer{Cfg: &m.chip.Timers[i], S: &timers[i], CrystalHz: m.opt.CrystalHz}
		t.AppendRelative(h, now)
	}
	for i := range usarts {
		u := periph.USART{Cfg: &m.chip.USARTs[i], S: &usarts[i]}
		u.AppendRelative(h, now)
	}
	for _, o := range m.others() {
		o.AppendRelative(h, now)
	}
}

// appendRAM takes the variables and the stack.
func (m *Machine) appendRAM(h *digest.Digest, beyond uint32) {
	variables, stack := m.LiveRAM(beyond)
	h.Bulk(variables)
	if stack != nil {
		h.Bulk(stack)
	}
}

// RAM is the chip's SRAM. It must not be changed.
func (m *Machine) RAM() []uint8 { return m.ram }

// LiveRAM is the RAM without what is dead: the variables, which end at an address, and the stack. A stack pointer among the variables, or
// outside the RAM, says nothing of what is dead: then all is in the first part.
func (m *Machine) LiveRAM(beyond uint32) (variables, stack []uint8) {
	base := uint32(m.chip.RAMBase)
	first, top := beyond-base, uint32(m.core.SP)+1-base // where the variables end, and where the stack begins
	if beyond < base || top > uint32(len(m.ram)) || first > top {
		return m.ram, nil
	}
	return m.ram[:first], m.ram[top:]
}

func b2i(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}
