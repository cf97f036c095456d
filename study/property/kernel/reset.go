package kernel

import (
	"fmt"
	"slices"

	"motehound/study/property/builtin"
)

// resetFlags is the chip's flags of what has reset it.
func (m *tracker) resetFlags() uint8 {
	c := &m.t.kind.Board.Chip.Control
	return m.m.Peek(c.MCUSR) &^ c.KeepMCUSR
}

// notice finds out that the chip was reset since anybody looked, where a program does not begin at address 0.
func (m *tracker) notice(cycle uint64) {
	if m.m.Resets() != m.resets {
		m.begin(cycle)
		m.booting = true
	}
}

// reset is the program at address 0.
func (m *tracker) reset(cycle uint64) {
	switch {
	case m.m.Resets() != m.resets:
		m.begin(cycle)
	case !m.booting:
		m.again(cycle)
		m.clear(cycle)
	}
	m.booting = false
}

// begin is after a reset of the chip: if the watchdog's flag is new, or the only one that this reset can have set again, it was
// the watchdog.
func (m *tracker) begin(cycle uint64) {
	c := &m.t.kind.Board.Chip.Control
	flags, w, x := m.resetFlags(), uint8(1)<<c.WDRF, uint8(1)<<c.EXTRF
	if flags&w != 0 && (m.flags&w == 0 || flags == m.flags && flags&x == 0) {
		m.timedOut(cycle)
	}
	m.resets, m.flags = m.m.Resets(), flags
	m.clear(cycle)
}

// clear forgets what ended with the reset.
func (m *tracker) clear(cycle uint64) {
	m.nHandlers, m.served = 0, false
	m.queue, m.running = m.queue[:0], false
	m.restart(cycle)
	m.kick, m.kickPC, m.rested, m.site, m.failed = cycle, noPC, m.m.SleepCycles(), noPC, false
}

// timedOut is a reset by the watchdog. Where events come in any order, the program may have had no chance to do anything in time: so it is a finding if it was busy all the time.
func (m *tracker) timedOut(cycle uint64) {
	const most = 50 // part of the time in which it may have done nothing
	if m.failed || m.prepared.opt.Explore && m.m.SleepCycles()-m.rested > (cycle-min(cycle, m.kick))/most {
		return
	}
	at, doing := m.doing()
	last := "there was no WDR since the reset"
	if m.kickPC != noPC {
		last = fmt.Sprintf("the last WDR was in %v", m.t.places(m.kickPC * 2)[0])
	}
	m.report(builtin.Finding{Kind: watchdog, Cycle: cycle,
		Message: fmt.Sprintf("the watchdog resets the mote%s; %s, %s before", doing, last, m.seconds(cycle-min(cycle, m.kick)))}, frame{PC: at})
}

// doing says what the mote was busy with, as far as its kernel's life tells, and where that begins.
func (m *tracker) doing() (pc uint32, text string) {
	if m.nHandlers > 0 {
		v := m.handlers[m.nHandlers-1].vector
		return m.t.entry(v) / 2, " in the handler of " + m.t.vectorName(v)
	}
	if m.running {
		text = " in " + m.t.profile.TaskName(m.task)
		for _, task := range m.t.profile.Tasks() {
			if task.Arg == m.task && len(task.Bodies) > 0 {
				return task.Bodies[0].Lo / 2, text
			}
		}
	}
	if m.kickPC != noPC {
		return m.kickPC, text
	}
	if s, ok := m.t.im.Symbol("main"); ok {
		pc = s.Addr / 2
	}
	return pc, text
}

// again is the program at address 0 without a reset.
func (m *tracker) again(cycle uint64) {
	if m.failed {
		return
	}
	c := m.m.Core()
	if n := m.nHandlers; n > 0 && m.t.unhandled(m.handlers[n-1].vector) {
		v := m.handlers[n-1].vector
		name := m.t.vectorName(v)
		m.report(builtin.Finding{Kind: badInterrupt, Cycle: cycle, Subject: name, Spot: builtin.Spot{Arg: v},
			Message: fmt.Sprintf("%s is served, but has no handler: the program starts over", name)}, m.interrupted(c.SP))
		return
	}
	pc, doing := m.doing()
	at, how := frame{PC: pc}, "returns or runs"
	if m.site != noPC {
		at, how = m.came(), "jumps"
		if m.t.calls(m.site) {
			how = "calls through a null pointer and gets"
		}
	}
	m.report(builtin.Finding{Kind: restart, Cycle: cycle, Message: fmt.Sprintf("the program %s to address 0%s, and starts over without a reset", how, doing)}, at)
}

// sleep is SLEEP, about to be executed.
func (m *tracker) sleep(cycle uint64, pc uint32) {
	mode, ok := sleeps(m.m)
	if !ok || m.failed || m.wakes(mode) {
		return
	}
	c := m.m.Core()
	if c.I == 0 {
		if m.t.handlers {
			text := "sleeps with interrupts off and no watchdog: only a reset wakes it"
			if off, ok := builtin.SwitchedOff(m.m, frame{PC: pc, SP: c.SP}); ok {
				text = fmt.Sprintf("%s; they were switched off in %v", text, off)
			}
			m.report(builtin.Finding{Kind: Halted, Cycle: cycle, Message: text}, frame{PC: pc, SP: c.SP})
		}
		return
	}
	if m.served && !slices.Contains(m.prepared.done, m.t) { // otherwise it has done all that it ever had to
		m.over = true
		m.report(builtin.Finding{Kind: DeadSleep, Cycle: cycle,
			Message: "sleeps, but no interrupt that could end this sleep mode is enabled, and no watchdog: only a reset wakes it"}, frame{PC: pc, SP: c.SP})
	}
}

// halt is CLI in front of a jump to itself.
func (m *tracker) halt(cycle uint64, pc uint32) {
	if m.failed || !m.t.handlers || builtin.Guarded(m.m) {
		return
	}
	at, what := frame{PC: pc, SP: m.m.Core().SP}, "switches interrupts off and stops for ever, without a watchdog"
	if s, ok := m.t.im.Symbol("_exit"); ok && s.Addr == pc*2 {
		what = "the program has ended: main has returned; interrupts are off from now on"
		if call := m.caller(at.SP); m.t.calls(call.PC) || call.PC > 0 && m.t.calls(call.PC-1) {
			at, what = call, "calls exit: the program has ended, and interrupts are off from now on"
		}
	}
	m.report(builtin.Finding{Kind: Halted, Cycle: cycle, Message: what}, at)
}
