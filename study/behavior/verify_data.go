package behavior

import (
	"slices"

	"motehound/observe/calltree"
)

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
	v.orders, v.parts = map[orderKey]bool{}, newParts(v.cast)
	for _, o := range f.Orders {
		k := orderKey{o.Variable, number(o.After), number(o.Access), o.After.In, o.Access.In, o.Access.Write}
		v.orders[k] = true
		v.parts.learn(k)
	}
	v.access = newAccesses(v.order)
}

// Touch reads the next touch of a variable. Those of an instance come before it.
func (v *Verifier) Touch(t calltree.Touch) {
	if v.access != nil {
		v.access.touch(t)
	}
}

// Data reports whether Touch matters.
func (v *Verifier) Data() bool { return v.access != nil }

// NoData says that no variable's accesses are seen: interleavings are checked without knowing about data.
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
	v.involved[c], v.members[c] = slices.Concat(v.entriesBy(after), v.entriesBy(at)), []int32{after.who(), at.who()}
	if len(a.flows) > 0 {
		c.Flow = v.cast.Names(a.flows[0])
	}
	o := DataOrder{at.Of, Access{nameOf(after), after.In, true}, Access{nameOf(at), at.In, at.Write}}
	known := v.report(c, "data\n"+at.Of)
	if known != nil && v.isHandedOver(after, at) {
		v.handed[known] = true
		v.certain[known] = v.certain[known] || !isNew(after) && !isNew(at)
	}
	if known != nil && len(known.Orders) < maxOrders && !slices.Contains(known.Orders, o) {
		known.Orders = append(known.Orders, o)
	}
}

func (v *Verifier) isWatched(t *touched) bool {
	return t.model != nil && v.vectors[t.model.Vector].file.Watched
}

// isHandedOver tells whether an access may find data that is not meant for it: the application wrote it, and the access is another writing, or the
// system's, or the writing was a handler's, which comes at any time. Tasks that look at what another task wrote do so one after the other.
func (v *Verifier) isHandedOver(after, at *touched) bool {
	return v.isOwnAccess(after) && (at.Write || !v.isOwnAccess(at) || v.isHandler(after))
}

func (v *Verifier) isHandler(t *touched) bool {
	if t.model == nil {
		return false
	}
	list := partsOf(t.model.Common, t.In)
	return len(list) > 0 && list[0].Kind == calltree.Interrupt
}

// isOwnAccess tells whether the application took part in the handler or task that touched something.
func (v *Verifier) isOwnAccess(t *touched) bool { return t.Main || len(v.entriesIn(t.who(), t.In)) > 0 }

// entriesIn are the functions of the application that the system calls in a handler or task of a model.
func (v *Verifier) entriesIn(model int32, in string) []string {
	if model < 0 || int(model) >= len(v.trees) || v.trees[model] == nil {
		return nil
	}
	var list []string
	for _, n := range partsOf(v.trees[model], in) {
		if n.Kind != calltree.Interrupt && !n.Func.Library {
			list = append(list, n.Func.Name)
		}
		list = append(list, entries(n)...)
	}
	return list
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
	if v.orders[k] || v.parts.approve(k) {
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
