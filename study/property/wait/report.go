package wait

import (
	"fmt"
	"slices"
	"strings"

	"motehound/firmware/image"
	"motehound/isa/avr"
	"motehound/study/property/builtin"
)

// reached looks at the loops that the program may be about to come into.
func (m *tracker) reached(cycle uint64, pc uint32) {
	if pc == m.t.delay && pc != 0 {
		m.delays(cycle)
	}
	n, _ := slices.BinarySearchFunc(m.t.sites, pc, func(s site, pc uint32) int { return int(s.pc) - int(pc) })
	for ; n < len(m.t.sites) && m.t.sites[n].pc == pc; n++ {
		s := &m.t.sites[n]
		if s.loop.polls {
			m.masked(cycle, s)
		} else {
			m.stale(cycle, s)
		}
	}
}

// masked looks for a wait with interrupts off.
func (m *tracker) masked(cycle uint64, s *site) {
	c := m.m.Core()
	in := m.t.g.code.At(s.pc)
	if c.I == 1 && !s.loop.masks && in.Op != avr.OpCli && in.Op != avr.OpOut {
		return
	}
	m.g.start(c, c.RAM)
	if !m.g.circles(s.loop, false) || m.saved() {
		return
	}
	for _, x := range m.g.loads {
		if list := m.writers(x.addr); list != nil {
			name := m.name(x.addr)
			since, in := m.since(s.pc)
			if others := slices.DeleteFunc(slices.Clone(list), func(w writer) bool { return int(w.vector) == in }); len(others) > 0 {
				list = others
			}
			m.report(builtin.Finding{Kind: interruptsOff, Cycle: cycle, Subject: name, Harmless: true,
				Message: fmt.Sprintf("waits for %s for ever, with interrupts off%s; %s", name, since, m.written(list))}, s, x.pc)
			return
		}
	}
}

// stale looks for a wait for a variable that is not read any more.
func (m *tracker) stale(cycle uint64, s *site) {
	m.begin(s, m.m.Core().RAM)
	if !m.g.circles(s.loop, true) || m.g.acted || m.saved() {
		return
	}
	decided, left := m.g.decided, m.g.decided == 0
	if left && s.loop.pins {
		return
	}
	if left { // the compiler has found that the loop never ends, and has left the test without its branch
		decided, m.g.branch = m.g.flags, s.loop.head
	}
	var read []load
	for n, x := range m.g.loads {
		if decided>>n&1 != 0 && (!s.loop.pins || m.sameLine(x.pc, m.g.branch)) {
			read = append(read, x)
		}
	}
	branch := m.g.branch // the compiler may count the load to another line
	for _, x := range read {
		v := m.variable(x.addr)
		if v == nil || v.Volatile {
			continue
		}
		list := m.writers(x.addr)
		for _, w := range list {
			kept, known := m.changes(s, w, x.addr)
			if !kept && (known && !left || !m.untouched(v)) {
				continue
			}
			name, waits := m.name(x.addr), "waits for %s for ever: it"
			if s.loop.pins {
				waits = "waits for a pin, and asks in vain for %s, which"
			}
			m.report(builtin.Finding{Kind: readOnce, Cycle: cycle, Subject: name, Harmless: true,
				Message: fmt.Sprintf(waits+" is read once%s, before the loop, and never again; %s: declare it volatile", name, m.at(branch), m.written(list))}, s, branch)
			return
		}
	}
}

// begin has the ghost be where the mote is, with some RAM.
func (m *tracker) begin(s *site, ram []uint8) {
	m.g.start(m.m.Core(), ram)
	if s.loop.pins {
		m.g.pins = func(addr uint16) (uint8, bool) {
			if !m.t.pins[addr] {
				return 0, false
			}
			return m.m.Peek(addr), true
		}
	}
}

// sameLine tells whether two instructions are of the same line: a variable that is asked for in a loop is read there, as far as its author is concerned. Who copies it before has another line for that.
func (m *tracker) sameLine(pc, other uint32) bool {
	a, b := builtin.Places(m.t.im, 2*pc)[0], builtin.Places(m.t.im, 2*other)[0]
	return a.File != "" && a.File == b.File && a.Line == b.Line
}

// saved tells whether the watchdog ends the loop that the ghost is in.
func (m *tracker) saved() bool { return builtin.Guarded(m.m) && !m.g.kicks }

// variable is the variable around an address; nil if there is none, or nothing is known of its type.
func (m *tracker) variable(addr uint16) *image.Var {
	for _, v := range m.t.im.Vars() {
		if t := v.Type.Strip(); v.Space == image.Data && !v.Register && t != nil && uint32(addr) >= v.Addr && uint32(addr) < v.Addr+t.Size {
			return v
		}
	}
	return nil
}

// untouched tells whether a variable has the value that it has after a reset.
func (m *tracker) untouched(v *image.Var) bool {
	for n := range v.Type.Strip().Size {
		if m.m.Peek(uint16(v.Addr+n)) != m.t.initial(v.Addr+n) {
			return false
		}
	}
	return true
}

// initial is what a byte of RAM is after a reset: part of .data, or 0.
func (t *table) initial(addr uint32) uint8 {
	start, ok1 := t.im.Symbol("__data_start")
	end, ok2 := t.im.Symbol("__data_end")
	from, ok3 := t.im.Symbol("__data_load_start")
	if at := from.Addr + addr - start.Addr; ok1 && ok2 && ok3 && addr >= start.Addr && addr < end.Addr && at < uint32(len(t.im.Flash)) {
		return t.im.Flash[at]
	}
	return 0
}

func (m *tracker) name(addr uint16) string {
	if s, ok := m.t.im.ScalarAt(uint32(addr)); ok {
		return s.Name
	}
	return fmt.Sprintf("%#04x", addr)
}

// at names the line of an instruction, if it is known.
func (m *tracker) at(pc uint32) string {
	if p := builtin.Places(m.t.im, 2*pc)[0]; p.File != "" {
		return fmt.Sprintf(" at %s:%d", p.File, p.Line)
	}
	return ""
}

// written says who writes a variable.
func (m *tracker) written(list []writer) string {
	var names []string
	for _, w := range list {
		if s := m.vector(int(w.vector)) + " writes it" + m.at(w.pc); !slices.Contains(names, s) {
			names = append(names, s)
		}
	}
	if len(names) > 2 {
		names = append(names[:2], fmt.Sprintf("%d more", len(names)-2))
	}
	return strings.Join(names, ", ")
}

// since says where interrupts were switched off, and in which handler the mote is; 0 if in none.
func (m *tracker) since(pc uint32) (text string, vector int) {
	at := builtin.Frame{PC: pc, SP: m.m.Core().SP}
	for _, x := range append([]builtin.Frame{at}, builtin.Unwind(m.m, at)...) {
		f, ok := m.t.im.FuncAt(x.PC * 2)
		if n := slices.Index(m.t.kind.Handlers(), f.Addr/2); ok && n > 0 {
			return fmt.Sprintf(" in the handler of %s", m.vector(n)), n
		}
	}
	if p, ok := builtin.SwitchedOff(m.m, at); ok && p.File != "" {
		return fmt.Sprintf(" since %s:%d", p.File, p.Line), 0
	}
	return "", 0
}

func (m *tracker) vector(n int) string { return m.t.kind.Board.Chip.VectorName(uint8(n)) }

// report adds a finding about an instruction of a loop, or in front of one.
func (m *tracker) report(f builtin.Finding, s *site, pc uint32) {
	f.Spot = builtin.Spot{Code: 2 * s.loop.head, About: f.Subject}
	m.found(f, 2*pc, builtin.Frame{PC: s.pc, SP: m.m.Core().SP})
}

// found adds a finding about an instruction, to which calls have led.
func (m *tracker) found(f builtin.Finding, pc uint32, at builtin.Frame) {
	m.reports++
	m.Changed = true
	if m.Known(f.Kind, f.Spot) {
		return
	}
	f.PC = pc
	inner := builtin.Places(m.t.im, f.PC)
	f.Place, f.Chain = inner[0], inner[1:]
	for _, up := range builtin.Unwind(m.m, at) {
		f.Chain = append(f.Chain, builtin.Places(m.t.im, up.PC*2)...)
	}
	f.Chain = f.Chain[:min(len(f.Chain), builtin.MaxChain)]
	m.Report(f)
}
