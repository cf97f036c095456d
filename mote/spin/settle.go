package spin

import (
	"iter"
	"slices"
)

// compare looks at the end of a pass: it is settled if each byte is what its mark at the head says of the next iteration. If not, it
// finds better marks for the head, unless ok is false.
func (f *Finder) compare() (settled, ok bool) {
	settled = true
	check := func(head *mark, was uint8, end mark, is uint8) bool {
		next, good := f.better(*head, was, end, is)
		settled = settled && next == *head
		*head = next
		return good
	}
	for r := range f.regs {
		if f.headRegs[r].kind == same && f.regs[r].kind == same && f.real.R[r] == f.ghost.R[r] {
			continue // nearly always
		}
		if !check(&f.headRegs[r], f.real.R[r], f.regs[r], f.ghost.R[r]) {
			return false, false
		}
	}
	for i, w := range f.wrote {
		if slices.ContainsFunc(f.wrote[:i], func(x written) bool { return x.addr == w.addr }) {
			continue
		}
		head := mark{}
		at := slices.IndexFunc(f.headMem, func(m memMark) bool { return m.addr == w.addr })
		if at >= 0 {
			head = f.headMem[at].m
		}
		if !check(&head, w.old, f.memAt(w.addr), f.ram[w.addr-f.ghost.RAMBase]) {
			return false, false
		}
		if at >= 0 {
			f.headMem[at].m = head
		} else if head.kind != same {
			f.headMem = append(f.headMem, memMark{w.addr, head})
		}
	}
	const flags = 0x7F
	differ := (f.murky | (f.real.SREG()^f.ghost.SREG())&flags) &^ f.headFlags
	if f.stale != 0 {
		return false, false
	}
	f.headFlags |= differ
	return settled && differ == 0, true
}

// better is the mark that a byte should have at the head, whose mark and value there and at the end are given. It is the head's if that
// describes the next iteration too.
func (f *Finder) better(head mark, was uint8, end mark, is uint8) (mark, bool) {
	unknown := mark{kind: stale}
	switch {
	case end.kind == stale, end.kind == saved && end.f.c != 0:
		return head, false
	case head.kind == stale:
		return head, true
	case end.kind == same && head.kind == same:
		if was == is {
			return head, true
		}
		return mark{kind: part, f: form{c: int64(was), a: int64(int8(is - was))}}, true
	case end.kind != part:
		return unknown, true
	case head.kind == part && head.b == end.b && head.f.shift(1) == end.f:
		return head, true
	}
	end.f = f.fold(end.f)
	end.f = end.f.shift(-1)
	if end.f.src != 0 || end.byteOf() != was || f.pass > maxPasses-3 {
		return unknown, true
	}
	return end, true
}

// fold writes a form without its counter, if that ticks as often in each iteration.
func (f *Finder) fold(x form) form {
	if x.src == 0 {
		return x
	}
	if per, ok := f.perIteration(x.src - 1); ok {
		x.a, x.m, x.src = x.a+x.m*per, 0, 0
	}
	return x
}

// perIteration is how often a counter ticks in an iteration, if that is the same in each.
func (f *Finder) perIteration(src uint8) (int64, bool) {
	s := &f.sources[src]
	if f.cycle == 0 || s.tap == 0 || f.cycle%s.tap != 0 {
		return 0, false
	}
	return int64(f.cycle / s.tap), true
}

// measure finds out how many iterations there are.
func (f *Finder) measure() {
	head := f.real.Cycles
	n := (f.limit - head) / f.cycle
	for _, b := range f.bounds {
		n = min(n, maxForms)
		last, ok := f.last(&b, n)
		if !ok {
			n = 0
			break
		}
		n = min(n, last+1)
	}
	if f.until < f.limit { // all reads of the last iteration come before it ends
		n = min(n, (max(f.until, head)-head)/f.cycle)
	}
	f.loop = Loop{N: n, Cycles: f.cycle, Instructions: f.ghost.Instructions - f.real.Instructions, Rest: f.told || !f.known(), Told: f.told, At: f.visited,
		Dead: Dead{Flags: f.headFlags}, Work: f.work}
	rough := f.rough || len(f.headMem) > 0
	for r, m := range f.headRegs {
		if m.kind == stale {
			f.loop.Dead.Regs |= 1 << r
		}
		rough = rough || m.kind != same && r >= pointers
	}
	f.loop.Pointers = !rough
}

// known tells whether the marks say of everything what it is at the end.
func (f *Finder) known() bool {
	for _, m := range f.regs {
		if m.kind > part {
			return false
		}
	}
	for _, m := range f.mem {
		if m.m.kind > part {
			return false
		}
	}
	return f.murky == 0
}

// Touches is what is to be done to the chip after a Skip of n iterations without Rest, in this order.
func (f *Finder) Touches(n uint64) iter.Seq[Touch] {
	return func(yield func(Touch) bool) {
		for _, t := range f.touches {
			t.Cycle += (n - 1) * f.cycle
			if !yield(t) {
				return
			}
		}
	}
}

// Skip puts the core to where it is after n iterations, up to the loop's N, or one less if it has a Rest. Since Find saw it, it has done some of them.
func (f *Finder) Skip(n, done uint64) {
	c := f.real
	for _, place := range f.counts {
		c.Counts.CountMany(place, n-done)
	}
	regs, mem, from, k := &f.regs, f.mem, &f.ghost.State, n-1 // the end of the last one
	if f.loop.Rest {
		regs, mem, from, k = &f.headRegs, f.headMem, &c.State, n // the head of the next
	} else {
		for _, w := range f.wrote {
			c.RAM[w.addr-c.RAMBase] = f.ram[w.addr-c.RAMBase]
		}
		c.SetSREG(from.SREG())
	}
	for r, m := range regs {
		if c.R[r] = from.R[r]; m.kind == part {
			c.R[r] = uint8(f.at(m.f, k) >> (8 * m.b))
		}
	}
	for _, m := range mem {
		if m.m.kind == part {
			c.RAM[m.addr-c.RAMBase] = uint8(f.at(m.m.f, k) >> (8 * m.m.b))
		}
	}
	if f.ghost.Enabled != f.enabled {
		c.Enabled = f.ghost.Enabled + (n-1)*f.loop.Cycles
	}
	c.Cycles += (n - done) * f.loop.Cycles
	c.Instructions += (n - done) * f.loop.Instructions
}
