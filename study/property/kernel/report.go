package kernel

import (
	"slices"

	"motehound/study/property/builtin"
)

// frame is an instruction and what the stack pointer is there.
type frame = builtin.Frame

// report adds a finding about an instruction, or counts it if its cause is known.
func (m *tracker) report(f builtin.Finding, at frame) {
	if f.Kind != badInterrupt { // which comes anywhere
		f.Code = at.PC * 2
	}
	if !m.Known(f.Kind, f.Spot) {
		m.Report(m.locate(f, at))
	}
}

// locate says where a finding is.
func (m *tracker) locate(f builtin.Finding, at frame) builtin.Finding {
	f.PC, f.Harmless = at.PC*2, slices.Contains(harmless, f.Kind)
	inner := m.t.places(f.PC)
	if f.Kind == failure && len(inner) > 1 && inner[0].Function == f.Subject {
		inner = inner[1:] // inlined: the caller is what matters
	}
	f.Place, f.Chain = inner[0], inner[1:]
	if at.SP != 0 {
		for _, up := range builtin.Unwind(m.m, at) {
			f.Chain = append(f.Chain, m.t.places(up.PC*2)...)
		}
	}
	if len(f.Chain) > builtin.MaxChain {
		f.Chain = f.Chain[:builtin.MaxChain]
	}
	return f
}

// returnAddress is the one behind a stack pointer.
func (m *tracker) returnAddress(sp uint16) (pc uint32) {
	for n := range m.t.ret {
		pc = pc<<8 | uint32(m.m.Peek(sp+1+n))
	}
	return pc % max(1, m.t.kind.Program().Words())
}

// interrupted is where a handler that has pushed nothing yet returns to.
func (m *tracker) interrupted(sp uint16) frame {
	return frame{PC: m.returnAddress(sp), SP: sp + m.t.ret}
}

// caller is the call that a function which has pushed nothing yet returns behind.
func (m *tracker) caller(sp uint16) frame {
	f := m.interrupted(sp)
	if f.PC > 0 {
		f.PC--
	}
	return f
}

// came is the jump or call from which control came here.
func (m *tracker) came() frame {
	sp := m.m.Core().SP
	if m.t.calls(m.site) {
		sp += m.t.ret
	}
	return frame{PC: m.site, SP: sp}
}

// z is where an indirect jump or call goes.
func (m *tracker) z(pc uint32) uint32 {
	c := m.m.Core()
	to := uint32(c.R[30]) | uint32(c.R[31])<<8
	if m.t.ret == 3 && m.t.extended(pc) {
		to |= uint32(c.EIND) << 16
	}
	return to
}
