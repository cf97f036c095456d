package behavior

import "slices"

// maxOrders is how many orders of one variable are listed with a violation.
const maxOrders = 64

// learnOrders makes the approved orders of a file ready.
func (v *Verifier) learnOrders(f *File, byName map[string]*Model) {
	number := func(a Access) int32 {
		if a.Model == "" {
			return mainLoop
		}
		return byName[a.Model].Number
	}
	v.orders = map[orderKey]bool{}
	for _, o := range f.Orders {
		v.orders[orderKey{o.Variable, number(o.After), number(o.Access), o.After.In, o.Access.In, o.Access.Write}] = true
	}
	v.access = newAccesses(v.order)
}

// Touch reads the next touch of a variable. Those of an instance come before it.
func (v *Verifier) Touch(t Touch) {
	if v.access != nil {
		v.access.touch(t)
	}
}

// Data tells whether Touch matters.
func (v *Verifier) Data() bool { return v.access != nil }

// NoData says that there is no variable of which Touch could hear: interleavings are checked as if nothing was known of data.
func (v *Verifier) NoData() { v.access = nil }

// order checks an access to a variable against what was approved.
func (v *Verifier) order(after, at *touched) {
	if v.isApproved(after, at) {
		return
	}
	x := after // the one that is reported: of two that are watched the one that was interleaved, since it began first
	if !v.isWatched(after) || v.isWatched(at) && at.start < after.start {
		x = at
	}
	if !v.isWatched(x) {
		return
	}
	a := v.vectors[x.model.Vector]
	c := &Violation{Kind: InterleavingViolation, Vector: x.model.Vector, Model: nameOf(at), Member: nameOf(after), Mote: x.Mote, Instance: x.number,
		Start: x.start, Functions: pathOf(x.model.Common, x.model.Depth), Variable: at.Variable}
	v.involved[c] = slices.Concat(v.entriesBy(after), v.entriesBy(at))
	if len(a.flows) > 0 {
		c.Flow = v.cast.Names(a.flows[0])
	}
	o := DataOrder{at.Of, Access{nameOf(after), after.In, true}, Access{nameOf(at), at.In, at.Write}}
	known := v.report(c, "data\n"+at.Of)
	if known != nil && !isNew(after) && !isNew(at) {
		v.certain[known] = true
	}
	if known != nil && len(known.Orders) < maxOrders && !slices.Contains(known.Orders, o) {
		known.Orders = append(known.Orders, o)
	}
}

func (v *Verifier) isWatched(t *touched) bool {
	return t.model != nil && v.vectors[t.model.Vector].file.Watched
}

// entriesBy are the functions of the application in instances as the one that touched something.
func (v *Verifier) entriesBy(t *touched) []string {
	if n := t.who(); n >= 0 && int(n) < len(v.entriesOf) {
		return v.entriesOf[n]
	}
	return nil
}

func isNew(t *touched) bool { return t.model != nil && t.model.New }

func nameOf(t *touched) string {
	if t.model == nil {
		return ""
	}
	return t.model.Name
}

// isApproved tells whether an order is. A model that is new is a violation itself, or of no interest: it may do what any model of its
// interrupt did in the same handler or task.
func (v *Verifier) isApproved(after, at *touched) bool {
	k := keyOf(after, at)
	if v.orders[k] {
		return true
	}
	if !isNew(after) && !isNew(at) {
		return false
	}
	fits := func(number int32, t *touched) bool {
		return number == t.who() || isNew(t) && number >= 0 && v.cast.Models[number].Vector == t.model.Vector
	}
	for o := range v.orders { // any of them
		if o.variable == k.variable && o.inA == k.inA && o.inB == k.inB && o.write == k.write && fits(o.after, after) && fits(o.at, at) {
			return true
		}
	}
	return false
}
