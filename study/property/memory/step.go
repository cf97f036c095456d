package memory

import (
	"motehound/isa/avr"
	"motehound/study/property/builtin"
)

// tracker follows one mote.
type tracker struct {
	builtin.Base
	state
	t     *table
	asked bool // reads of SRAM that nothing wrote are found, too

	reports int // how often something was found, known or not
	was     remembered
}

// Over implements avr.Shadow.
func (m *tracker) Over(plain, p *avr.Program) *avr.Program { return m.t.marked(plain, p) }

// Step implements avr.Shadow. It is called for a good part of all instructions: what is rare is elsewhere.
func (m *tracker) Step(c *avr.Core) {
	t := m.t
	m.Changed = true
	i := t.start[c.PC]
	for {
		o := &t.ops[i]
		i++
		switch o.verb {
		case doEnd:
			return
		case doSet:
			m.reg[o.d&31] = o.id
		case doMov:
			m.reg[o.d&31] = m.reg[o.r&31]
		case doMovw:
			m.reg[o.d&31], m.reg[(o.d+1)&31] = m.reg[o.r&31], m.reg[(o.r+1)&31]
		case doAdd:
			if b := m.reg[o.r&31]; b != tagNone {
				if a := m.reg[o.d&31]; a != tagNone {
					b = m.sum(o, a, b)
				}
				m.reg[o.d&31] = b
			}
		case doSub:
			if b := m.reg[o.r&31]; b != tagNone {
				m.reg[o.d&31] = m.difference(o, b)
			}
		case doAddK:
			if a := m.reg[o.d&31]; a == tagNone || o.k != noPair && m.alone(a, o.k) {
				m.reg[o.d&31] = o.id
			}
		case doSubK:
			m.reg[o.d&31] = t.lessConstant(m.reg[o.d&31], o.k)
		case doNeg:
			m.reg[o.d&31] = negated(m.reg[o.d&31])
		case doLocal:
			if m.reg[o.d&31] == tagSP && m.reg[(o.d+1)&31] == tagSP {
				m.pointTo(c, o.d&31, o.id)
			}
		case doShift:
			if id := m.reg[o.d&31]; id >= tagFirst && int(id)-tagFirst >= len(t.constants) {
				m.shift(o)
			}
		case doPush:
			m.put(c.SP+o.k, m.reg[o.d&31])
			if o.k == 0 && c.SP <= m.deepest { // the last of some
				m.descend(c, c.SP-1)
			}
		case doPop:
			m.reg[o.d&31] = m.get(c, c.SP+o.k)
		case doLds:
			if o.id != 0 {
				m.astray(c, o, false)
			}
			v := m.ram[o.k]
			if v >= tagReturn {
				v = m.special(c, v, t.ramBase+o.k)
			}
			m.reg[o.d&31] = v
			return
		case doSts:
			if o.id != 0 {
				m.astray(c, o, true)
			}
			m.ram[o.k] = m.reg[o.d&31]
			return
		case doLoad:
			p := o.r & 30
			a := uint16(c.R[p]) | uint16(c.R[p+1])<<8
			a += o.k
			if id := m.reg[p]; id >= tagFirst {
				if n := int(id - tagFirst); n >= len(m.origin) || m.reg[p+1] != id || a-m.origin[n].lo >= m.origin[n].size {
					m.judge(c, o, a, false)
				}
			} else if id != tagSP || o.id != 0 {
				m.odd(c, o, a, false)
			}
			m.reg[o.d&31] = m.get(c, a)
			return
		case doStore:
			p := o.r & 30
			a := uint16(c.R[p]) | uint16(c.R[p+1])<<8
			a += o.k
			if id := m.reg[p]; id >= tagFirst {
				if n := int(id - tagFirst); n >= len(m.origin) || m.reg[p+1] != id || a-m.origin[n].lo >= m.origin[n].size {
					m.judge(c, o, a, true)
				}
			} else if id != tagSP || o.id != 0 {
				m.odd(c, o, a, true)
			}
			if i := uint(a) - uint(t.ramBase); i < uint(len(m.ram)) {
				if m.ram[i] == tagReturn && a > c.SP {
					m.smash(c, a)
				}
				m.ram[i] = m.reg[o.d&31]
			}
			return
		default:
			m.rare(c, o)
		}
	}
}

// rare is what happens less often.
func (m *tracker) rare(c *avr.Core, o *op) {
	switch o.verb {
	case doCopy:
		p := o.r & 30
		a := uint16(c.R[p]) | uint16(c.R[p+1])<<8
		m.put(a+o.k, tagNone)
		if i := int(a+o.k) - int(m.t.ramBase); i >= 0 && i < len(m.t.initial) {
			m.ram[i] = m.t.initial[i]
		}
	case doCall:
		m.mark(c.SP-m.t.retBytes, tagReturn)
		m.descend(c, c.SP-m.t.retBytes)
	case doReserve:
		m.mark(c.SP-m.t.retBytes, tagNone)
		m.descend(c, c.SP-m.t.retBytes)
	case doEnter:
		m.mark(c.SP, tagReturn)
		m.descend(c, c.SP)
	case doRet:
		m.ret(c, c.SP+o.k)
	case doJump:
		m.jump(c, o)
	case doBoot:
		m.boot()
	case doSPH:
		m.oldSP = c.SP
	case doSPL:
		m.moveSP(c, o)
	case doIO:
		m.reserved(c, o.k)
	}
}

// get is the tag of a byte of the data space.
func (m *tracker) get(c *avr.Core, a uint16) uint16 {
	if i := uint(a) - uint(m.t.ramBase); i < uint(len(m.ram)) {
		if v := m.ram[i]; v < tagReturn {
			return v
		}
		return m.special(c, m.ram[i], a)
	}
	if a < 32 {
		return m.reg[a]
	}
	return tagNone
}

func (m *tracker) put(a, tag uint16) {
	if i := uint(a) - uint(m.t.ramBase); i < uint(len(m.ram)) {
		m.ram[i] = tag
	}
}

// mark tags the return address behind sp.
func (m *tracker) mark(sp, tag uint16) {
	for n := range m.t.retBytes {
		m.put(sp+1+n, tag)
	}
}

// special is a load of a byte whose tag is about the byte itself.
func (m *tracker) special(c *avr.Core, tag, a uint16) uint16 {
	if tag == tagUnwritten && m.asked {
		m.unwritten(c, a)
	}
	return tagNone
}

// pointTo makes a pair that points into the frame a pointer to a local.
func (m *tracker) pointTo(c *avr.Core, d uint8, site uint16) {
	y := uint16(c.R[28]) | uint16(c.R[29])<<8
	h := (site*31 + y*7) % maxPointers
	for range 32 {
		switch p := &m.pointers[h]; {
		case p.site == 0:
			*p = pointer{site, y}
			fallthrough
		case p.site == site && p.y == y:
			id := tagFirst + uint16(len(m.t.constants)) + h
			m.reg[d], m.reg[(d+1)&31] = id, id
			return
		}
		h = (h + 1) % maxPointers
	}
}

// shift moves a pointer to a local within the local's own function: one pointer, to whichever local, serves to reach them all.
func (m *tracker) shift(o *op) {
	n := int(m.reg[o.d&31]) - tagFirst - len(m.t.constants)
	if n >= maxPointers || m.reg[(o.d+1)&31] != m.reg[o.d&31] {
		return
	}
	s := m.t.sites[m.pointers[n].site-1]
	if locals := m.t.frames[s.frame].locals; s.frame == int(o.id) && find(locals, s.k) != find(locals, s.k+o.k) {
		m.reg[o.d&31], m.reg[(o.d+1)&31] = tagSP, tagSP
	}
}

// boot begins anew: registers and SRAM keep what they have, but nothing of it is a frame's any more.
func (m *tracker) boot() {
	for i, v := range m.ram {
		if v == tagReturn {
			m.ram[i] = tagNone
		}
	}
	m.deepest, m.floor, m.smashed, m.lost = 0xFFFF, m.t.floor, bounds{}, false
}
