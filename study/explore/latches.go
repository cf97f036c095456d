package explore

import (
	"slices"

	"motehound/firmware/image"
	"motehound/mote"
	"motehound/mote/chip"
)

// Lost updates of ports. PORTF |= 1 is three instructions where the port is beyond the reach of SBI, or where several bits change: E reads the register, V changes it, and E
// writes back what it has read. The pins that V has set are as they were. A register PORTx or DDRx has a lost update if the last access of E before V
// only reads it, the first one behind V only writes it, V writes it (or toggles it by PINx), and it then has a value that it has in neither order. SBI and CBI
// are one instruction, so they never are on both sides.

// latch is a register of a port that keeps what was written to it.
type latch struct {
	image.Scalar
	toggle uint16 // the register by which bits of it are toggled; 0 for none
}

func latchesOf(c *chip.Chip) (list []latch) {
	add := func(kind string, port uint8, addr, toggle uint16) {
		name, at := kind+string(rune(port)), uint32(addr)
		list = append(list, latch{image.Scalar{Name: name, Object: name, Addr: at, Size: 1, Whole: image.Range{Lo: at, Hi: at + 1}}, toggle})
	}
	for n := range c.Ports {
		p := &c.Ports[n]
		toggle := uint16(0)
		if p.PINToggles {
			toggle = p.PIN
		}
		add("PORT", p.Name, p.PORT, toggle)
		add("DDR", p.Name, p.DDR, 0)
	}
	return list
}

// latched is what a mote's ports keep, in the order of latches.
func (k *kind) latched(m *mote.Mote) []byte {
	return peeked(m, k.latches, func(l *latch) uint32 { return l.Addr })
}

// peeked is what registers of a mote are.
func peeked[T any](m *mote.Mote, list []T, addr func(*T) uint32) []byte {
	values := make([]byte, len(list))
	for n := range list {
		values[n] = m.Peek(uint16(addr(&list[n])))
	}
	return values
}

// writtenBy tells whether an interrupt changes a register.
func (l *latch) writtenBy(f *contact) bool {
	return slices.Contains(f.sets, uint16(l.Addr)) || l.toggle != 0 && slices.Contains(f.sets, l.toggle)
}

// around are the accesses of E to the register on both sides of V, if the one before only reads it and the one behind only writes it.
func (l *latch) around(alone []entry, k int) (before, behind *entry) {
	before = lastAt(alone[:k], l.Addr)
	for n := k; n < len(alone) && behind == nil; n++ {
		if alone[n].at(l.Addr) {
			behind = &alone[n]
		}
	}
	if before == nil || behind == nil || before.touch.Write || behind.touch.Read || !before.open && !behind.open {
		return nil, nil
	}
	return before, behind
}

// at tells whether an instruction touches an address.
func (e *entry) at(addr uint32) bool { return e.touches && uint32(e.touch.Addr) == addr }

// lastAt is the last of some instructions that touches an address; nil if none does.
func lastAt(list []entry, addr uint32) *entry {
	for n := len(list) - 1; n >= 0; n-- {
		if list[n].at(addr) {
			return &list[n]
		}
	}
	return nil
}

// portAt finds a register of a port that has lost an update; nil if none has.
func (k *kind) portAt(at *spot, mixed *end, r *orders, f *contact) *race {
	for n := range k.latches {
		l := &k.latches[n]
		is, first, last := mixed.ports[n], r.first.ports[n], r.last.ports[n]
		if is == first || is == last || last != r.late.ports[n] || !l.writtenBy(f) {
			continue
		}
		if before, behind := l.around(at.alone, at.k); before != nil {
			return &race{kind: "lost update", shared: l.Scalar, wrong: l.Scalar, is: []byte{is}, first: []byte{first}, last: []byte{last},
				before: before.pc, addr: before.touch.Addr, behind: behind.pc, writes: true, sent: behind.pc}
		}
	}
	return nil
}

// portStraddled tells whether an interrupt that comes before an instruction may lose an update of a port.
func (k *kind) portStraddled(alone []entry, at int, f *contact) bool {
	return len(f.sets) > 0 && slices.ContainsFunc(k.latches, func(l latch) bool {
		before, _ := l.around(alone, at)
		return before != nil && l.writtenBy(f)
	})
}
