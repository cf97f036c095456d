package plan

import (
	"slices"

	"motehound/world/scenario"
)

// recent is answers that a property has had where nothing it read was symbolic: most states differ in other things.
type recent struct {
	list [4]*answer
	next int
}

// answer is what a property said, and what it depended on.
type answer struct {
	holds  bool
	reads  []scenario.Read
	values []byte // that were read, one range after the other
	facts  []scenario.Fact
}

// answer is what the property would say of a view, if that is known.
func (r *recent) answer(l *look) (holds, ok bool) {
	for _, a := range r.list {
		if a != nil && a.stands(l) {
			return a.holds, true
		}
	}
	return false, false
}

// stands reports whether all that an answer depends on is as it was.
func (a *answer) stands(l *look) bool {
	values := a.values
	for _, r := range a.reads {
		if !l.v.Has(r.Mote) {
			return false
		}
		for addr := r.Lo; addr < r.Hi; addr++ {
			v, x := l.v.Byte(r.Mote, uint16(addr))
			if _, known := l.v.Pool.Value(x); !known || v != values[0] {
				return false
			}
			values = values[1:]
		}
	}
	return !slices.ContainsFunc(a.facts, func(f scenario.Fact) bool {
		return f.Aspect != scenario.AspectTime && f.Aspect != scenario.AspectLinked && !l.v.Has(f.Mote) || !f.Holds(l)
	})
}

// keep remembers an answer to which nothing symbolic has contributed.
func (r *recent) keep(l *look, reads scenario.ReadSet, holds bool) {
	a := &answer{holds: holds, reads: slices.Clone(reads.Memory), facts: slices.Clone(reads.Facts)}
	for _, x := range a.reads {
		for addr := x.Lo; addr < x.Hi; addr++ {
			v, _ := l.v.Byte(x.Mote, uint16(addr))
			a.values = append(a.values, v)
		}
	}
	r.list[r.next] = a
	r.next = (r.next + 1) % len(r.list)
}
