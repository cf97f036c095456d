package wait

import (
	"fmt"

	"motehound/study/property/builtin"
)

// Arduino's delay() counts milliseconds by a timer and by how often that has overflowed, which its handler counts. With interrupts off the count stands still. delay() then goes on to read the
// timer, so its loop is none of those that are looked at elsewhere; and it does end, after about two milliseconds and by accident, when the timer begins anew and the time seems to go back.
// delay(0) and delay(1) do what they say.

// stopwatch is the variable by which delay() waits.
const stopwatch = "timer0_overflow_count"

// shortest is the shortest delay that needs the handler, in milliseconds.
const shortest = 2

// findDelay finds Arduino's delay(), if the firmware has it.
func (t *table) findDelay() {
	f, ok := t.im.Symbol("delay")
	count, counted := t.im.Symbol(stopwatch)
	if ok && counted && t.writers[uint16(count.Addr)] != nil {
		t.delay = f.Addr / 2
		t.at = append(t.at, t.delay)
	}
}

// delays looks at a call of delay().
func (m *tracker) delays(cycle uint64) {
	c := m.m.Core()
	ms := uint32(c.R[22]) | uint32(c.R[23])<<8 | uint32(c.R[24])<<16 | uint32(c.R[25])<<24
	if c.I == 1 || ms < shortest {
		return
	}
	entry := builtin.Frame{PC: m.t.delay, SP: c.SP}
	at := entry
	if calls := builtin.Unwind(m.m, entry); len(calls) > 0 {
		at = calls[0]
	}
	count, _ := m.t.im.Symbol(stopwatch)
	since, _ := m.since(at.PC)
	m.found(builtin.Finding{Kind: interruptsOff, Cycle: cycle, Subject: "delay", Harmless: true, Spot: builtin.Spot{Code: 2 * at.PC, About: "delay"},
		Message: fmt.Sprintf("delay(%d) with interrupts off%s: it does not wait so long, since %s stands still; %s", ms, since, stopwatch, m.written(m.t.writers[uint16(count.Addr)]))},
		2*at.PC, at)
}
