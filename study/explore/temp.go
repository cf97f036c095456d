package explore

import (
	"slices"

	"motehound/firmware/image"
	"motehound/mote"
	"motehound/mote/chip"
)

// The registers of a 16-bit timer are written and read by bytes, through one TEMP that all of them share: to write an upper byte, or to read the lower one of TCNT or ICR, puts an upper
// byte there, and to write the lower one, or to read the upper one, takes it. If V comes in between, and uses another register of the timer, E takes what V has put there: OCR1A is
// half of E and half of V.

// temp is the TEMP of a timer.
type temp struct {
	peek    uint16 // where TEMP can be read
	numbers []wide
}

// wide is a register of two bytes.
type wide struct {
	image.Scalar
	counts bool // reading its lower byte puts the upper one into TEMP
}

func tempsOf(c *chip.Chip) (list []temp) {
	for n := range c.Timers {
		t := &c.Timers[n]
		if t.TCNTH == 0 {
			continue
		}
		digit := t.Name[len(t.Name)-1:]
		x := temp{peek: t.TCNTH}
		add := func(name string, low uint16, counts bool) {
			at := uint32(low)
			x.numbers = append(x.numbers, wide{image.Scalar{Name: name, Object: name, Addr: at, Size: 2, Whole: image.Range{Lo: at, Hi: at + 2}}, counts})
		}
		add("TCNT"+digit, t.TCNTL, true)
		add("ICR"+digit, t.ICRL, true)
		for unit, low := range t.OCRL {
			if low != 0 {
				add("OCR"+digit+string(rune('A'+unit)), low, false)
			}
		}
		list = append(list, x)
	}
	return list
}

// held is what a mote's timers have in TEMP.
func (k *kind) held(m *mote.Mote) []byte {
	return peeked(m, k.temps, func(x *temp) uint32 { return uint32(x.peek) })
}

// puts tells whether an instruction puts a byte of a register into TEMP, and takes tells whether one takes it from there.
func (x *wide) puts(e *entry) bool {
	return e.touch.Write && e.at(x.Addr+1) || x.counts && e.touch.Read && e.at(x.Addr)
}

func (x *wide) takes(e *entry) bool {
	return e.touch.Write && e.at(x.Addr) || x.counts && e.touch.Read && e.at(x.Addr+1)
}

// around are the instruction of E that puts a byte into TEMP before V, and the one behind V that takes it, of which register; nil if there are none.
func (t *temp) around(alone []entry, k int) (of *wide, before, behind *entry) {
	puts := func(e *entry) *wide {
		n := slices.IndexFunc(t.numbers, func(x wide) bool { return x.puts(e) })
		if n < 0 {
			return nil
		}
		return &t.numbers[n]
	}
	takes := func(e *entry) bool {
		return slices.ContainsFunc(t.numbers, func(x wide) bool { return x.takes(e) })
	}
	for n := k - 1; n >= 0 && of == nil; n-- {
		if takes(&alone[n]) {
			return nil, nil, nil
		}
		before, of = &alone[n], puts(&alone[n])
	}
	for n := k; n < len(alone) && of != nil; n++ {
		e := &alone[n]
		switch {
		case of.takes(e) && e.touch.Write == before.touch.Write && (e.open || before.open):
			return of, before, e
		case takes(e) || puts(e) != nil:
			return nil, nil, nil
		}
	}
	return nil, nil, nil
}

// tempAt finds a register of which E puts one byte before V and takes it behind V, and V leaves another one there; nil if there is none.
func (k *kind) tempAt(at *spot, f *contact) *race {
	for n := range k.temps {
		if n >= len(f.held) || f.held[n] == f.found[n] {
			continue
		}
		x, before, behind := k.temps[n].around(at.alone, at.k)
		if x == nil {
			continue
		}
		upper := image.Scalar{Name: "the upper byte of " + x.Name, Object: x.Name, Addr: x.Addr + 1, Size: 1, Whole: x.Whole}
		was, kind := f.found[n:n+1], tornRead
		if before.touch.Write {
			kind = tornWrite
		}
		return &race{kind: kind, shared: x.Scalar, wrong: upper, is: f.held[n : n+1], first: was, last: was,
			before: before.pc, addr: before.touch.Addr, behind: behind.pc, writes: true, used: behind.pc}
	}
	return nil
}

// passes tells whether an interrupt that comes before an instruction may leave another byte in TEMP.
func (k *kind) passes(alone []entry, at int, f *contact) bool {
	return slices.ContainsFunc(k.temps, func(t temp) bool {
		_, before, _ := t.around(alone, at)
		return before != nil && before.owners&(f.asks|f.drives) != 0
	})
}
