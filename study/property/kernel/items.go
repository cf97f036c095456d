package kernel

import (
	"fmt"
	"slices"

	life "motehound/firmware/kernel"
	"motehound/isa/avr"
	"motehound/mote/mcu"
	"motehound/study/property/builtin"
)

// item is a step in the life of the mote's kernel.
func (m *tracker) item(it life.Item) {
	switch it.Kind {
	case life.Int:
		m.enter(it)
	case life.Reti:
		m.leave(it)
	case life.Post:
		if len(m.queue) == 0 && !m.running {
			m.restart(it.Cycle)
		}
		if len(m.queue) < maxQueue {
			m.queue = append(m.queue, it.Arg)
		}
	case life.Run:
		if i := slices.Index(m.queue, it.Arg); i >= 0 {
			m.queue = slices.Delete(m.queue, i, i+1)
		}
		m.task, m.running = it.Arg, true
		m.restart(it.Cycle)
	case life.End:
		m.running = false
		m.restart(it.Cycle)
	case life.Fail:
		m.refused(it)
	}
}

// refused is a post that has failed.
func (m *tracker) refused(it life.Item) {
	kind, ok := m.refusal(it.Arg)
	if !ok {
		return
	}
	name := m.t.profile.TaskName(it.Arg)
	f := builtin.Finding{Kind: kind, Cycle: it.Cycle, Subject: name, Spot: builtin.Spot{Arg: it.Arg}, Message: fmt.Sprintf("the kernel's queue refuses %s: it is full", name)}
	if kind == failedPost {
		f.Message = fmt.Sprintf("the post of %s fails: it waits already", name)
	}
	// The refusal is seen before the function's RET, or behind it.
	c := m.m.Core()
	at := frame{PC: c.PC, SP: c.SP}
	if m.t.kind.Program().At(c.PC).Op == avr.OpRet {
		at = m.caller(c.SP)
	}
	m.report(f, at)
}

// refusal says what it means that a task is refused, and whether anybody wants to know.
func (m *tracker) refusal(task uint16) (builtin.Kind, bool) {
	switch m.t.profile.Kernel {
	case "TinyOS 1":
		return queueFull, true
	case "Contiki":
		return queueFull, task&0xFF != contikiPoll
	case "TinyOS 2":
		return failedPost, m.prepared.opt.FailedPosts
	}
	if slices.Contains(m.queue, task) {
		return failedPost, m.prepared.opt.FailedPosts
	}
	return queueFull, true
}

// contikiPoll is PROCESS_EVENT_POLL of Contiki's process.h: the low byte of a task's number is its event.
const contikiPoll = 0x82

// enter is an interrupt.
func (m *tracker) enter(it life.Item) {
	m.notice(it.Cycle)
	m.recover()
	c := m.m.Core()
	active, most := 0, 1
	for _, h := range m.handlers[:m.nHandlers] {
		if h.vector == it.Arg && h.sure {
			active++
		}
	}
	if m.t.nests(it.Arg) {
		most = maxNested
	}
	if active >= most {
		m.reentered(it, c.SP)
	}
	if m.nHandlers == maxHandlers {
		copy(m.handlers[:], m.handlers[1:])
		m.nHandlers--
	}
	m.handlers[m.nHandlers] = handler{start: it.Cycle - c.EntryCycles(), sp: c.SP, vector: it.Arg, sure: true}
	m.nHandlers++
	m.served = true
}

// maxNested is how often a handler may be active at once that declares to be re-entrant: it does not get its work done, and
// uses up the stack.
const maxNested = 4

func (m *tracker) reentered(it life.Item, sp uint16) {
	name := m.t.vectorName(it.Arg)
	interrupted := m.interrupted(sp)
	m.report(builtin.Finding{Kind: Reentry, Cycle: it.Cycle, Subject: name, Spot: builtin.Spot{Arg: it.Arg},
		Message: fmt.Sprintf("the handler of %s is entered while it is active, in %v", name, m.t.places(interrupted.PC * 2)[0])},
		frame{PC: m.t.entry(it.Arg) / 2, SP: sp})
}

// odd is a RETI, about to be executed. One that is not where the innermost handler's stack pointer says belongs to something
// else: a kernel that changes stacks in a handler, or a function that returns that way. Which handlers are active is a guess then.
func (m *tracker) odd() {
	if n := m.nHandlers; n > 0 && m.handlers[n-1].sp != m.m.Core().SP {
		for i := range m.handlers[:n] {
			m.handlers[i].sure = false
		}
	}
}

// leave is the end of a handler.
func (m *tracker) leave(it life.Item) {
	if m.nHandlers == 0 {
		return
	}
	m.nHandlers--
	if m.nHandlers > 0 {
		return
	}
	if m.prepared.opt.Explore {
		return
	}
	if h := m.handlers[0]; h.sure {
		m.took(h, it.Cycle+m.m.Core().EntryCycles()) // RETI takes as long as the entry
	}
	if it.Cycle-min(it.Cycle, m.since) >= m.bound() {
		m.stormy(it.Cycle)
		m.restart(it.Cycle)
	}
}

// took adds the time of a handler to that in which a task makes no progress.
func (m *tracker) took(h handler, until uint64) {
	if start := max(h.start, m.since); until > start {
		if len(m.by) == 0 {
			m.by = make([]uint64, maxVectors)
		}
		m.busy += until - start
		m.by[h.vector%maxVectors] += until - start
	}
}

// bound is for how many cycles a task may wait for handlers.
func (m *tracker) bound() uint64 { return m.prepared.StormTime / 1_000_000 * m.m.Hertz() / 1_000_000 }

// restart begins to look for a storm anew: a task has made progress, or came to wait.
func (m *tracker) restart(cycle uint64) {
	m.since = cycle
	if m.busy != 0 {
		m.busy = 0
		clear(m.by)
	}
}

// kept tells which task waits, or runs and gets nowhere.
func (m *tracker) kept() (task uint16, verb string, ok bool) {
	switch {
	case len(m.queue) > 0:
		return m.queue[0], "waits", true
	case m.running:
		return m.task, "stands still", true
	}
	return 0, "", false
}

// stormy reports that handlers took nearly all of the time.
func (m *tracker) stormy(cycle uint64) {
	task, verb, ok := m.kept()
	elapsed := cycle - m.since
	if !ok || m.busy*100 < elapsed*m.prepared.StormPercent {
		return
	}
	worst := uint16(0)
	for v, n := range m.by {
		if n > m.by[worst] {
			worst = uint16(v)
		}
	}
	name := m.t.vectorName(worst)
	m.report(builtin.Finding{Kind: storm, Cycle: cycle, Subject: name, Spot: builtin.Spot{Arg: worst},
		Message: fmt.Sprintf("handlers, above all of %s, take %d%% of %s while %s %s", name, min(100, m.busy*100/elapsed), m.seconds(elapsed),
			m.t.profile.TaskName(task), verb)}, frame{PC: m.t.entry(worst) / 2})
}

// Pending implements builtin.Tracker: a handler that has been active for so long that its end need not be waited for.
func (m *tracker) Pending() (builtin.Finding, bool) {
	task, verb, ok := m.kept()
	if !ok || m.prepared.opt.Explore || m.nHandlers == 0 || !m.handlers[0].sure || m.m.Stopped() != mcu.Running {
		return builtin.Finding{}, false
	}
	now, h := m.m.Cycles(), m.handlers[0]
	if start := max(h.start, m.since); now < start || now-start < m.bound() {
		return builtin.Finding{}, false
	}
	name := m.t.vectorName(h.vector)
	f := builtin.Finding{Kind: storm, Cycle: now, Subject: name, Spot: builtin.Spot{Arg: h.vector, Code: m.t.entry(h.vector)},
		Message: fmt.Sprintf("the handler of %s does not end for %s while %s %s", name, m.seconds(now-h.start), m.t.profile.TaskName(task), verb)}
	return m.Complete(m.locate(f, frame{PC: m.m.Core().PC, SP: m.m.Core().SP})), true
}

func (m *tracker) seconds(cycles uint64) string {
	return fmt.Sprintf("%.3g s", float64(cycles)/float64(m.m.Hertz()))
}
