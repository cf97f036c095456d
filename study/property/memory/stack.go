package memory

import (
	"fmt"
	"slices"

	"motehound/firmware/image"
	"motehound/isa/avr"
	"motehound/study/property/builtin"
)

// descend looks at a stack pointer that may be lower than ever.
func (m *tracker) descend(c *avr.Core, sp uint16) {
	if sp >= m.deepest {
		return
	}
	m.deepest = sp
	floor, what := m.floor, "the variables"
	if floor == m.t.floor && m.t.brk >= 0 && m.t.brk+1 < len(c.RAM) {
		if brk := uint16(c.RAM[m.t.brk]) | uint16(c.RAM[m.t.brk+1])<<8; brk > floor {
			floor, what = brk, "the heap"
		}
	}
	if sp+1 >= floor {
		return
	}
	met, into := what, what
	if o := find(m.t.objects, sp+1); o != nil && o.named {
		met = image.Readable(o.name)
		into = fmt.Sprintf("variables (%s)", met)
	}
	m.report(c, builtin.Finding{Kind: stack, Message: fmt.Sprintf("the stack grew into %s: SP is %#04x%s", into, sp, m.recursion(c)), Accessed: met})
	m.lost = true // variables and frames overwrite each other
}

// recursion names the function that is on the stack most often, if that is often.
func (m *tracker) recursion(c *avr.Core) string {
	const often = 4
	var sites []uint32 // return addresses: one for each function
	active := map[uint32]int{}
	m.returns(c, func(pc uint32) bool {
		f, ok := m.t.im.FuncAt(2 * pc)
		if active[f.Addr]++; ok && active[f.Addr] == 1 {
			sites = append(sites, pc)
		}
		return true
	})
	most, text := often-1, ""
	for _, pc := range sites {
		f, _ := m.t.im.FuncAt(2 * pc)
		if n := active[f.Addr]; n > most {
			most = n
			text = fmt.Sprintf("; %s is active %d times", image.Readable(f.Name), n)
			if call := builtin.Places(m.t.im, 2*(pc-1))[0]; call.File != "" {
				text += fmt.Sprintf(", by calls at %s:%d", call.File, call.Line)
			}
		}
	}
	return text
}

// moveSP is the second half of a write to SP: a frame is made or given up, or the stack is another one from now on.
func (m *tracker) moveSP(c *avr.Core, o *op) {
	old, sp := m.oldSP, c.SP&0xFF00|uint16(c.R[o.d&31])
	if old == 0 {
		old = c.SP
	}
	m.oldSP = 0
	m.switchTo(sp, m.reg[o.d&31] == tagSP)
	lo, hi := min(old, sp), max(old, sp)
	for a := int(lo) + 1; a <= int(hi); a++ { // free, or about to be a frame's: no return addresses
		if i := a - int(m.t.ramBase); i >= 0 && i < len(m.ram) && m.ram[i] == tagReturn {
			m.ram[i] = tagNone
		}
	}
	m.descend(c, sp)
}

// switchTo notes on which stack a mote goes on. A value that was made from SP is a frame's, or one that SP had before: then it is a thread's stack only if a thread began there.
func (m *tracker) switchTo(sp uint16, made bool) {
	lo := m.t.floor
	t := find(m.t.objects, sp)
	switch {
	case t == nil && made && sp < lo:
		return
	case t == nil:
	case slices.Contains(m.stacks[:], t.lo):
		lo = t.lo
	case made:
		return
	default:
		lo = t.lo
		if n := slices.Index(m.stacks[:], 0); n >= 0 {
			m.stacks[n] = lo
		}
	}
	if lo != m.floor || !made {
		m.floor, m.deepest = lo, 0xFFFF
	}
}

// smash is a store to a return address.
func (m *tracker) smash(c *avr.Core, a uint16) {
	if find(m.t.objects, c.SP) != find(m.t.objects, a) {
		return // another thread's stack
	}
	m.report(c, builtin.Finding{Kind: badReturn, Message: "overwrites a return address on the stack", Accessed: "return address"})
	if m.smashed.size == 0 {
		m.smashed.lo = a
	}
	lo, hi := min(a, m.smashed.lo), max(a+1, m.smashed.lo+m.smashed.size)
	m.smashed = bounds{lo, hi - lo}
}

// ret is a return: the address is behind sp.
func (m *tracker) ret(c *avr.Core, sp uint16) {
	for n := range m.t.retBytes {
		if sp+1+n-m.smashed.lo < m.smashed.size {
			m.lost = true
		}
	}
	m.mark(sp, tagNone)
	if i := int(sp) + int(m.t.retBytes) - int(m.t.ramBase); i >= 1 && i < len(c.RAM) {
		pc := uint32(c.RAM[i]) | uint32(c.RAM[i-1])<<8
		if m.t.retBytes == 3 && i >= 2 {
			pc |= uint32(c.RAM[i-2]) << 16
		}
		m.land(c, pc, "returns")
	}
}

// jump is an indirect jump or call.
func (m *tracker) jump(c *avr.Core, o *op) {
	pc := uint32(c.R[30]) | uint32(c.R[31])<<8
	if m.t.kind.Program().At(c.PC).Reads()&avr.EIND != 0 {
		pc |= uint32(c.EIND) << 16
	}
	if pc == 0 && o.k == 0 {
		m.report(c, builtin.Finding{Kind: Null, Message: "calls through a null pointer", Accessed: "address 0"})
		m.lost = true
		return
	}
	m.land(c, pc, "jumps")
}

// land looks at where control goes.
func (m *tracker) land(c *avr.Core, pc uint32, verb string) {
	if pc < uint32(len(m.t.isCode)) && m.t.isCode[pc] {
		return
	}
	m.report(c, builtin.Finding{Kind: jump, Message: fmt.Sprintf("%s to %#x, where there is no code", verb, pc*2), Accessed: fmt.Sprintf("%#x", pc*2)})
	m.lost = true
}

// reserved is a write to an I/O address that has no register.
func (m *tracker) reserved(c *avr.Core, a uint16) {
	m.report(c, builtin.Finding{Kind: reserved, Message: fmt.Sprintf("writes the reserved I/O address %#04x", a), Accessed: fmt.Sprintf("%#04x", a), Harmless: true})
}

func (m *tracker) unwritten(c *avr.Core, a uint16) {
	name := m.name(c, a)
	m.report(c, builtin.Finding{Kind: unwritten, Message: "reads " + name + ", which nothing wrote", Accessed: name, Harmless: true})
}

// name says what is at a data address.
func (m *tracker) name(c *avr.Core, a uint16) string {
	switch {
	case a < 32:
		return fmt.Sprintf("r%d", a)
	case a < m.t.ramBase:
		return m.t.kind.Board.Chip.RegisterName(a)
	case int(a) >= int(m.t.ramBase)+m.t.ramSize:
		return fmt.Sprintf("%#04x, where there is no memory", a)
	case a > c.SP:
		if m.ram[a-m.t.ramBase] == tagReturn {
			return "a return address"
		}
		return "the stack"
	}
	if o := find(m.t.objects, a); o != nil {
		return image.Readable(o.name)
	}
	return "memory without a variable"
}
