package behavior

import (
	"cmp"
	"slices"

	"motehound/observe/calltree"
)

// Access is who touches a variable: an instance of a model, in its handler or in a task.
type Access struct {
	Model string `json:"model"`
	In    string `json:"in"`
	Write bool   `json:"write,omitempty"` // else it only reads
}

// DataOrder is that an access comes after another one, which was the last to write the same variable.
//
// This is how interleavings that matter are found. In a run that a person approved a packet is filled, handed over, and sent, in
// this order; if a reading is written into it and the next to look at it is the radio, the packet is not the one that was
// handed over. A firmware that fills another packet meanwhile is interleaved just as much, but each packet sees the
// approved order.
type DataOrder struct {
	Variable string `json:"variable"`
	After    Access `json:"after"` // it wrote
	Access   Access `json:"access"`
}

func (o DataOrder) compare(p DataOrder) int {
	return cmp.Or(cmp.Compare(o.Variable, p.Variable), o.After.compare(p.After), o.Access.compare(p.Access))
}

func (a Access) compare(b Access) int {
	write := func(x bool) int {
		if x {
			return 1
		}
		return 0
	}
	return cmp.Or(compareNames(a.Model, b.Model), cmp.Compare(a.In, b.In), cmp.Compare(write(a.Write), write(b.Write)))
}

// touched is a Touch by an instance that is known.
type touched struct {
	calltree.Touch
	model  *Model
	number uint32
	start  uint64
	known  bool
}

const (
	nobody   = -2
	mainLoop = -1
)

// who is the number of the model, or main, or nobody.
func (t *touched) who() int32 {
	switch {
	case t.Main:
		return mainLoop
	case t.model == nil:
		return nobody
	}
	return t.model.Number
}

// accesses puts the touches of variables in order, and tells of each after which writing it came. The touches of a variable come
// in their order, before the instance that they are of; those of instances that are not complete count as nobody's. What is
// kept is bounded by the variables and by what open instances have touched.
type accesses struct {
	order     func(after, at *touched)
	variables map[variableKey]*variable
	waiting   map[instanceKey][]*touched
}

type variableKey struct {
	mote int
	name string
}

type instanceKey struct {
	mote   int
	serial uint64
}

type variable struct {
	queue []*touched // of instances that are not known yet, and behind those
	wrote *touched   // the last writing
}

func newAccesses(order func(after, at *touched)) *accesses {
	return &accesses{order: order, variables: map[variableKey]*variable{}, waiting: map[instanceKey][]*touched{}}
}

// touch takes the next touch.
func (a *accesses) touch(x calltree.Touch) {
	k := variableKey{x.Mote, x.Variable}
	v := a.variables[k]
	if v == nil {
		v = &variable{}
		a.variables[k] = v
	}
	t := &touched{Touch: x}
	v.queue = append(v.queue, t)
	if x.Main {
		t.known = true
		v.advance(a.order)
		return
	}
	i := instanceKey{x.Mote, x.Serial}
	a.waiting[i] = append(a.waiting[i], t)
}

// wants tells whether the model of an instance matters.
func (a *accesses) wants(x *calltree.Instance) bool {
	return a.waiting[instanceKey{x.Mote, x.Serial}] != nil
}

// instance says which model an instance is of, nil if that is not known.
func (a *accesses) instance(x *calltree.Instance, m *Model) {
	k := instanceKey{x.Mote, x.Serial}
	list := a.waiting[k]
	if list == nil {
		return
	}
	delete(a.waiting, k)
	for _, t := range list {
		t.known, t.model, t.number, t.start = true, m, x.Number, x.Start
	}
	for _, t := range list {
		a.variables[variableKey{t.Mote, t.Variable}].advance(a.order)
	}
}

// advance reads what is known.
func (v *variable) advance(order func(after, at *touched)) {
	n := 0
	for ; n < len(v.queue) && v.queue[n].known; n++ {
		t := v.queue[n]
		if t.who() != nobody && v.wrote != nil && v.wrote.who() != nobody {
			order(v.wrote, t)
		}
		if t.Write {
			v.wrote = t
		}
	}
	v.queue = slices.Delete(v.queue, 0, n)
}

// close ends a run: what is not known is nobody's.
func (a *accesses) close() {
	clear(a.variables)
	clear(a.waiting)
}

// orderKey is a DataOrder with models by number.
type orderKey struct {
	variable  string
	after, at int32
	inA, inB  string
	write     bool
}

func keyOf(after, at *touched) orderKey {
	return orderKey{at.Of, after.who(), at.who(), after.In, at.In, at.Write}
}
