package memory

import (
	"motehound/isa/avr"
	"motehound/study/property/builtin"
)

// report adds a finding, or counts it if its cause is known: kind, object and where in the source. In inlined functions, and in those without
// lines (the library's), that is the function and its call.
func (m *tracker) report(c *avr.Core, f builtin.Finding) {
	if m.news(c, &f) {
		m.add(c, f)
	}
}

// news completes a finding's spot, and counts the finding if that is known. Else there is more to say of it, to add it then: that takes long, and one wrong loop finds the same thing many
// thousand times.
func (m *tracker) news(c *avr.Core, f *builtin.Finding) bool {
	if m.lost {
		return false
	}
	m.reports++
	f.Cycle, f.PC = c.Cycles, c.PC*2
	f.Spot = builtin.Spot{Code: f.PC, Caller: m.caller(c), About: f.Subject}
	if f.About == "" {
		f.About = f.Accessed
	}
	return !m.Known(f.Kind, f.Spot)
}

// add adds a finding that is news, or counts it if its cause is known after all.
func (m *tracker) add(c *avr.Core, f builtin.Finding) {
	inner := builtin.Places(m.t.im, f.PC)
	f.Place = inner[0]
	f.Chain = append(inner[1:], m.callers(c)...)
	f.Source[0] = f.Place
	if len(f.Chain) > 0 && (len(inner) > 1 || f.File == "") && f.Kind != badReturn { // with a return address, its call is lost
		f.Source = [2]builtin.Place{{Function: f.Function}, f.Chain[0]}
	}
	m.Report(f)
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
