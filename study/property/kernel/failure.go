package kernel

import (
	"fmt"
	"strings"

	"motehound/firmware/image"
	"motehound/study/property/builtin"
)

// routine is the first instruction of a failure routine.
func (m *tracker) routine(cycle uint64, pc uint32) {
	r := m.t.routineAt(pc)
	c := m.m.Core()
	for i := range r.given { // the first argument ends in r25, and begins in an even register
		if c.R[26-(r.given+1)/2*2+i] != 0 {
			return
		}
	}
	at := m.caller(c.SP)
	switch {
	case r.inlined:
		at = frame{PC: pc, SP: c.SP}
	case m.site != noPC:
		at = m.came()
	}
	if m.failed {
		return // one failure routine calls another
	}
	m.failed, m.failedSP = true, c.SP
	f := builtin.Finding{Kind: failure, Cycle: cycle, Subject: image.Readable(r.name), Message: "calls " + image.Readable(r.name), Spot: builtin.Spot{Arg: uint16(pc)}}
	if texts := m.texts(r.texts, r.sure); len(texts) > 0 {
		f.Message = fmt.Sprintf("calls %s: %s", f.Subject, strings.Join(texts, ", "))
	}
	m.report(f, at)
}

// recover notices that a failure routine has returned: one that is called, to its caller; one that was inlined, with the function
// around.
func (m *tracker) recover() {
	if m.failed && m.m.Core().SP > m.failedSP {
		m.failed = false
	}
}

const (
	minText = 2  // characters: shorter ones are more likely numbers
	maxText = 80 // of a text that is shown
)

// texts are what pairs of registers point to, where that is a text in SRAM.
func (m *tracker) texts(pairs []int, sure bool) []string {
	c := m.m.Core()
	var list []string
	for _, r := range pairs {
		if s, ok := m.text(uint16(c.R[r])|uint16(c.R[r+1])<<8, sure); ok {
			list = append(list, s)
		}
	}
	return list
}

// text is the text at an address: printable, with an end and, unless it is sure that there is one, with its beginning there. (The
// linker lets a text be the end of another one.)
func (m *tracker) text(addr uint16, sure bool) (string, bool) {
	chip := m.t.kind.Board.Chip
	end := int(chip.RAMBase) + int(chip.RAMSize)
	if addr < chip.RAMBase || !sure && addr > chip.RAMBase && m.m.Peek(addr-1) >= ' ' && m.m.Peek(addr-1) < 0x7F {
		return "", false
	}
	var b strings.Builder
	for a := int(addr); a < end && b.Len() < maxText; a++ {
		switch v := m.m.Peek(uint16(a)); {
		case v == 0:
			return strings.TrimSpace(b.String()), b.Len() >= minText
		case v == '\n' || v == '\r' || v == '\t':
			b.WriteByte(' ')
		case v < ' ' || v >= 0x7F:
			return "", false
		default:
			b.WriteByte(v)
		}
	}
	return b.String(), b.Len() == maxText
}
