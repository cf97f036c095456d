package memory

import (
	"fmt"

	"motehound/firmware/image"
	"motehound/isa/avr"
	"motehound/study/property/builtin"
)

// origin is what a tag of a pointer says.
type origin struct {
	v       uint16   // the address that it was made from
	base    uint16   // what is to be added to the addresses of the objects below: Y of locals
	objects []object // those that the address can be about
	sure    bool     // it is an address: a local's, or by its relocation
	frame   *frame   // of a local
}

func (m *tracker) originOf(id uint16) origin {
	n := int(id - tagFirst)
	if n < len(m.t.constants) {
		k := m.t.constants[n]
		return origin{k.v, 0, m.t.objects, k.owner != nil, nil}
	}
	p := m.pointers[n-len(m.t.constants)]
	s := m.t.sites[p.site-1]
	f := &m.t.frames[s.frame]
	return origin{p.y + s.k, p.y, f.locals, true, f}
}

// judge looks at an access that is not inside the object that its pointer is known to be for.
func (m *tracker) judge(c *avr.Core, o *op, a uint16, write bool) {
	id := m.reg[o.r&30]
	if m.reg[o.r&30+1] != id || id >= tagMinus {
		return
	}
	g := m.originOf(id)
	b := &m.origin[id-tagFirst]
	mine, hit := find(g.objects, g.v-g.base), find(g.objects, a-g.base)
	if g.frame != nil && hit != nil && g.shared(o, c.PC*2, b.lo-g.base, hit) {
		return
	}
	if b.size != 0 {
		owner := find(g.objects, b.lo-g.base)
		m.outside(c, g, owner, a, write)
		return
	}
	// A number that looks like an address, added to a pointer that nothing is known of, would be taken for an address with
	// an index. Such an index is as large as an address.
	if x := a - g.v; !g.sure && x >= m.t.ramBase && int(x) < int(m.t.ramBase)+m.t.ramSize {
		return
	}
	if hit == mine && mine != nil {
		*b = bounds{mine.lo + g.base, mine.size()}
		return
	}
	switch firstUse(g, mine, hit) {
	case isMine:
		*b = bounds{mine.lo + g.base, mine.size()}
		m.outside(c, g, mine, a, write)
	case isHit:
		*b = bounds{hit.lo + g.base, hit.size()}
	}
}

// shared tells that a pointer into a frame can be for the local that was accessed too. The compiler knows where its locals are:
// one pointer serves for several, by displacements, and the end of one local is the start of the next.
func (g origin) shared(o *op, pc uint32, owner uint16, hit *object) bool {
	if !g.frame.has(pc) {
		return false
	}
	return o.k != 0 && o.k < 64 || hit.hi == owner
}

// meaning is whose address a constant is.
type meaning uint8

const (
	unclear meaning = iota
	isMine          // the object's that it points into
	isHit           // that of the object that was accessed: an offset was folded into it
)

// firstUse decides on a constant that was never used inside the object it points into: is it that object's, or was an offset
// folded into the address of the one that was accessed? b[i-16] is made from an address in the array in front of b, and any
// object can be walked byte by byte. So it is surely the former's only if there is no object where it led, or a single byte.
func firstUse(g origin, mine, hit *object) meaning {
	v := g.v - g.base
	indexed := mine != nil && mine.array(v-mine.lo)
	switch {
	case hit != nil && (!indexed || !hit.named || hit.size() > 1 || hit.holdsArray() || hit.hi == v):
		return isHit
	case indexed:
		return isMine
	}
	return unclear
}

// outside reports an access outside an object.
func (m *tracker) outside(c *avr.Core, g origin, owner *object, a uint16, write bool) {
	verb := "reads"
	if write {
		verb = "writes"
	}
	hit := m.name(c, a)
	if o := find(g.objects, a-g.base); o != nil {
		hit = image.Readable(o.name)
	}
	f := builtin.Finding{Kind: Bounds, Subject: image.Readable(owner.name), Accessed: hit, Harmless: !write}
	if m.news(c, &f) {
		f.Message = fmt.Sprintf("%s %s %s", owner.at(a-g.base), verb, hit)
		m.add(c, f)
	}
}

// odd is an access through a pointer that is made from no constant, or through a copy of Y.
func (m *tracker) odd(c *avr.Core, o *op, a uint16, write bool) {
	p := o.r & 30
	if m.reg[p] == tagSP {
		if m.reg[p+1] == tagSP {
			m.displaced(c, o, a, write)
		}
		return
	}
	base := uint16(c.R[p]) | uint16(c.R[p+1])<<8
	switch {
	case a < 32 || a < m.t.ramBase && base == o.null || base == 0 && o.null != notNull:
		m.null(c, a, write)
	case a >= m.t.ramBase: // nothing is known
	case write && m.t.io[a]:
		m.reserved(c, a)
	}
}

// firstPair is the first register of X, Y and Z. An instruction that stores through one of them may change it, too.
const firstPair = 26

func (m *tracker) null(c *avr.Core, a uint16, write bool) {
	verb := "reads"
	if write {
		verb = "writes"
	}
	mended := write && a < firstPair && m.Mend(c, uint8(a))
	m.report(c, builtin.Finding{Kind: Null, Message: fmt.Sprintf("%s %s through a null pointer", verb, m.name(c, a)), Accessed: m.name(c, a), Harmless: !write, Mended: mended})
	if write && a < 32 && !mended {
		m.lost = true // registers are overwritten: what the code does from now on is not its own
	}
}

// displaced is an access through Y plus an index, at the distance of a local array.
func (m *tracker) displaced(c *avr.Core, o *op, a uint16, write bool) {
	s := m.t.sites[o.id-1]
	y := uint16(c.R[28]) | uint16(c.R[29])<<8
	locals := m.t.frames[s.frame].locals
	local := find(locals, s.k)
	if at := a - y; at >= local.lo && at < local.hi {
		m.used[o.id] = true
		return
	}
	if !m.used[o.id] {
		return
	}
	m.outside(c, origin{v: y + s.k, base: y, objects: locals}, local, a, write)
}

// astray is a direct access that its relocation shows to be outside its object.
func (m *tracker) astray(c *avr.Core, o *op, write bool) {
	k := m.t.constants[o.id-1]
	m.outside(c, origin{v: k.v, objects: m.t.objects}, k.owner, m.t.ramBase+o.k, write)
}
