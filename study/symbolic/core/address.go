package core

import (
	"cmp"
	"fmt"
	"math/bits"
	"slices"
	"sort"

	"motehound/firmware/image"
	"motehound/isa/avr"
	"motehound/mote"
	"motehound/study/symbolic/expr"
	"motehound/study/symbolic/solver"
)

// object is a variable, or a table in flash.
type object struct {
	name   string
	lo, hi uint32 // from, up to
}

// single reports whether an object is as small as one number. Those have no index, so an address that begins there and goes elsewhere
// was made from another object, with an offset that the compiler has folded in.
func (o object) single() bool { return o.hi-o.lo <= 4 }

// objectsOf lists the objects of a firmware in SRAM and in flash, by address and without overlaps.
func objectsOf(k *mote.Kind) (data, flash []object) {
	add := func(list *[]object, name string, addr, size uint32) {
		if size > 0 {
			*list = append(*list, object{name, addr, addr + size})
		}
	}
	for _, s := range k.Image.Symbols {
		switch {
		case s.Kind != image.Object:
		case s.Space == image.Data:
			add(&data, s.Name, s.Addr, s.Size)
		case s.Space == image.Flash:
			add(&flash, s.Name, s.Addr, s.Size)
		}
	}
	for _, v := range k.Image.Vars() {
		if t := v.Type.Strip(); v.Space == image.Data && !v.Register && t != nil {
			add(&data, v.Name, v.Addr, t.Size)
		}
	}
	return sorted(data), sorted(flash)
}

// sorted orders objects; of those that overlap the larger stays.
func sorted(list []object) []object {
	slices.SortStableFunc(list, func(a, b object) int {
		return cmp.Or(cmp.Compare(a.lo, b.lo), cmp.Compare(b.hi, a.hi))
	})
	var out []object
	for _, o := range list {
		if n := len(out); n == 0 || o.lo >= out[n-1].hi {
			out = append(out, o)
		}
	}
	return out
}

// find is the object around an address.
func find(list []object, a uint64) (object, bool) {
	i := sort.Search(len(list), func(i int) bool { return uint64(list[i].hi) > a })
	if i == len(list) || uint64(list[i].lo) > a {
		return object{}, false
	}
	return list[i], true
}

// loadAnywhere reads the data space at an address that depends on inputs.
func (r *rig) loadAnywhere(l lifted, addr expr.ID) expr.ID {
	if o, ok := r.inside(l.c, r.table.objects, addr, "reads"); ok && o.hi-o.lo <= uint32(r.x.cfg.Table) {
		return r.choose(addr, o, func(a uint32) expr.ID { return l.load(uint16(a)) })
	}
	return l.load(uint16(r.pick(l.c, addr, "address")))
}

// storeAnywhere writes the data space at an address that depends on inputs: each byte of the object keeps its value or gets the new one.
func (r *rig) storeAnywhere(l lifted, addr, v expr.ID) {
	o, ok := r.inside(l.c, r.table.objects, addr, "writes")
	if !ok || o.hi-o.lo > uint32(r.x.cfg.Select) {
		l.store(uint16(r.pick(l.c, addr, "address")), v)
		return
	}
	r.x.stats.Selects++
	for a := o.lo; a < o.hi; a++ {
		here := r.x.pool.Eq(addr, r.x.pool.Const(16, uint64(a)))
		l.store(uint16(a), r.x.pool.Ite(here, v, l.load(uint16(a))))
	}
}

// loadConstant reads program memory at an address that depends on inputs.
func (r *rig) loadConstant(l lifted, addr expr.ID) expr.ID {
	read := func(a uint32) expr.ID {
		return l.Const(8, uint64(l.c.Bus.ProgWord(a/2)>>(a%2*8)))
	}
	if o, ok := r.inside(l.c, r.table.consts, addr, "reads"); ok && o.hi-o.lo <= uint32(r.x.cfg.Table) {
		return r.choose(addr, o, read)
	}
	return read(uint32(r.pick(l.c, addr, "address")))
}

// inside finds the object that an address was made from, reports it if inputs can lead out of it, and goes on with those that
// do not. Ok is false where the object is not certain: then nothing is said, since a false alarm is a defect.
//
// An address is made from an object if a constant that was added to it is the beginning of an object that can be indexed, or lies in
// the object and so does the address with the present inputs. The compiler folds offsets into constants, as in a[i-1], so a constant
// alone proves nothing. Where no such constant is to be seen, the address may still be in one object for all inputs.
func (r *rig) inside(c *avr.Core, list []object, addr expr.ID, verb string) (object, bool) {
	at, found := find(list, r.x.evaluator(r.cur).Eval(addr))
	base, based := r.baseOf(addr)
	o, ok := find(list, base)
	if !based || !ok || (base != uint64(o.lo) || o.single()) && (!found || at != o) {
		if found && r.x.solver.Check(r.cur.path, r.x.pool.Not(r.within(at, addr))).Result == solver.Unsat {
			return at, true
		}
		if !based {
			r.wild(c, addr, verb)
		} else {
			r.x.stats.Undecided++
		}
		return object{}, false
	}
	r.check(c, r.within(o, addr), Finding{Kind: Bounds, Reg: -1, Lo: o.lo, Hi: o.hi, Message: fmt.Sprintf(
		"%s outside of %s (%d bytes), by an address that depends on input", verb, image.Readable(o.name), o.hi-o.lo)})
	return o, r.cur.end == Going
}

// within is that an address lies in an object.
func (r *rig) within(o object, addr expr.ID) expr.ID {
	p, w := r.x.pool, r.x.pool.Width(addr)
	return p.Ult(p.Sub(addr, p.Const(w, uint64(o.lo))), p.Const(w, uint64(o.hi-o.lo)))
}

// wild reports an address that is made of inputs alone, if it can be anything but SRAM. What it points to is followed case by case.
func (r *rig) wild(c *avr.Core, addr expr.ID, verb string) {
	p := r.x.pool
	if p.Width(addr) != 16 {
		return
	}
	within := p.Ult(p.Sub(addr, p.Const(16, uint64(c.RAMBase))), p.Const(16, uint64(len(c.RAM))))
	r.check(c, within, Finding{Kind: Pointer, Reg: -1, Lo: uint32(c.RAMBase), Hi: uint32(c.RAMBase) + uint32(len(c.RAM)), Message: verb + " where input says, outside of SRAM too"})
}

// baseOf is the constant that an address is a distance from.
func (r *rig) baseOf(x expr.ID) (base uint64, ok bool) {
	p := r.x.pool
	a, b, _ := p.Args(x)
	switch p.Op(x) {
	case expr.Add:
		if v, known := p.Value(a); known {
			return v, true
		}
		if v, known := p.Value(b); known {
			return v, true
		}
	case expr.Sub:
		if v, known := p.Value(a); known {
			return v, true
		}
		if v, known := p.Value(b); known {
			return -v & (1<<p.Width(x) - 1), true
		}
	case expr.Concat:
		if v, known := p.Value(a); known && v != 0 {
			low, _ := r.baseOf(b)
			return v<<p.Width(b) | low, true
		} else if known {
			return r.baseOf(b)
		}
	}
	return 0, false
}

// choose is the byte at an address inside an object: one if-then-else for each bit of the distance.
func (r *rig) choose(addr expr.ID, o object, read func(a uint32) expr.ID) expr.ID {
	r.x.stats.Selects++
	p := r.x.pool
	distance, n := p.Sub(addr, p.Const(p.Width(addr), uint64(o.lo))), o.hi-o.lo
	var tree func(bit int, first uint32) expr.ID
	tree = func(bit int, first uint32) expr.ID {
		if bit < 0 {
			return read(o.lo + first)
		}
		low := tree(bit-1, first)
		if second := first + 1<<bit; second < n {
			return p.Ite(p.Bit(distance, bit), tree(bit-1, second), low)
		}
		return low
	}
	return tree(bits.Len32(n-1)-1, 0)
}
