package memory

import (
	"slices"

	"motehound/isa/avr"
	"motehound/study/property/builtin"
)

// cause is what a finding is listed once for: kind, object and where in the source. In inlined functions, and in those without
// lines (the library's), that is the function and its call.
type cause struct {
	kind   Kind
	object string
	at     [2]builtin.Place
}

// report adds a finding, or counts it if its cause is known.
func (m *tracker) report(c *avr.Core, f Finding) {
	if m.lost {
		return
	}
	f.Mote, f.Cycle, f.PC, f.Count = m.mote, c.Cycles, c.PC*2, 1
	f.object = f.Object
	if f.object == "" {
		f.object = f.Accessed
	}
	f.kind, f.caller = f.Kind, m.caller(c)
	for i := range m.findings { // without looking up names: it may happen often
		if g := &m.findings[i]; g.PC == f.PC && g.caller == f.caller && g.kind == f.kind && g.object == f.object {
			g.Count++
			return
		}
	}
	inner := builtin.Places(m.t.im, f.PC)
	f.Place = inner[0]
	f.Chain = append(inner[1:], m.callers(c)...)
	f.at[0] = f.Place
	if len(f.Chain) > 0 && (len(inner) > 1 || f.File == "") && f.Kind != Return { // with a return address, its call is lost
		f.at = [2]builtin.Place{{Function: f.Function}, f.Chain[0]}
	}
	for i := range m.findings {
		if g := &m.findings[i]; g.cause == f.cause {
			g.Count++
			return
		}
	}
	f.silent, f.At = m.silenced(f), m.watch.world.TimeOf(m.mote, f.Cycle)
	m.findings = append(m.findings, f)
}

// caller is the innermost return address.
func (m *tracker) caller(c *avr.Core) (pc uint32) {
	m.returns(c, func(addr uint32) bool { pc = addr; return false })
	return pc
}

// callers are the calls under way.
func (m *tracker) callers(c *avr.Core) []builtin.Place {
	var list []builtin.Place
	m.returns(c, func(pc uint32) bool {
		if pc > 0 && !m.t.startup[min(pc-1, uint32(len(m.t.startup)-1))] {
			list = append(list, builtin.Places(m.t.im, (pc-1)*2)...)
		}
		return len(list) < builtin.MaxChain
	})
	return list
}

// returns visits the return addresses on the stack, the innermost first, while it is told to: the tags say where they are.
func (m *tracker) returns(c *avr.Core, visit func(pc uint32) bool) {
	n := int(m.t.retBytes)
	for i := int(c.SP) + 1 - int(m.t.ramBase); i >= 0 && i+n <= len(m.ram); i++ {
		if m.ram[i] != tagReturn {
			continue
		}
		pc := uint32(0)
		for _, b := range c.RAM[i : i+n] {
			pc = pc<<8 | uint32(b)
		}
		i += n - 1
		if !visit(pc) {
			return
		}
	}
}

// silenced tells whether the user has accepted a finding.
func (m *tracker) silenced(f Finding) bool {
	return slices.ContainsFunc(m.watch.opt.Silence, func(s builtin.Silence) bool {
		return s.Covers(f.Kind.Check(), m.t.im, f.PC, f.Object, f.Accessed)
	})
}
