package scenario

import (
	"fmt"

	"go.starlark.net/starlark"

	"motehound/firmware/image"
)

// Verdict is how a property stands in one state.
type Verdict struct {
	Holds bool
	Motes []int // those that violate it, if it is a matter of single motes
}

// Evaluator evaluates properties. It keeps what it learned of firmware, and must be used by one goroutine at a time.
type Evaluator struct {
	Print func(msg string) // gets what properties print; nil drops it

	thread   *starlark.Thread
	arg      [1]starlark.Value // of the function being called, which copies it
	view     View
	unknowns Unknowns // the view, if some of it is not known
	net      *network
	nodes    []*node
	layout   map[*image.Image]map[string]*place
	fitting  map[fitKey]starlark.Tuple // what n.vars found
	reads    ReadSet
}

// NewEvaluator makes an evaluator.
func NewEvaluator() *Evaluator {
	e := &Evaluator{layout: map[*image.Image]map[string]*place{}, fitting: map[fitKey]starlark.Tuple{}}
	e.thread = &starlark.Thread{Name: "property", Print: func(thread *starlark.Thread, msg string) {
		if e.Print != nil {
			e.Print(fmt.Sprintf("%s: %s", callerPos(thread), msg))
		}
	}}
	e.thread.SetMaxExecutionSteps(evaluateSteps)
	e.thread.OnMaxSteps = func(thread *starlark.Thread) {
		thread.Cancel(fmt.Sprintf("the property takes more than %d steps: look for a loop that does not end", evaluateSteps))
	}
	e.net = &network{e: e}
	return e
}

// Evaluate says how a property stands in a state. For properties at code see EvaluateAt.
func (e *Evaluator) Evaluate(p *Property, v View) (Verdict, error) {
	e.start(v)
	if q, ok := p.Fn.(*quantified); ok && q.over == overEach {
		return e.perMote(p, q.fn)
	}
	holds, err := e.ask(e.thread, p.Fn, e.net)
	if err != nil {
		return Verdict{}, e.failed(p, err)
	}
	return Verdict{Holds: holds}, nil
}

// EvaluateAt says how a property stands for one mote: one at code that the mote has reached, or any other of which PerMote is
// true. Those hold for motes that are not alive.
func (e *Evaluator) EvaluateAt(p *Property, v View, mote int) (Verdict, error) {
	e.start(v)
	fn := p.Fn
	if q, ok := fn.(*quantified); ok {
		if !e.alive(mote) {
			return Verdict{Holds: true}, nil
		}
		fn = q.fn
	}
	holds, err := e.ask(e.thread, fn, e.node(mote))
	if err != nil {
		return Verdict{}, e.failed(p, err)
	}
	if holds {
		return Verdict{Holds: true}, nil
	}
	return Verdict{Motes: []int{mote}}, nil
}

// Forbids reports whether a property at code says that the place must not be reached: it is false whatever the state. Then it is judged
// by nobody coming there.
func (e *Evaluator) Forbids(p *Property, v View) bool {
	said, err := e.EvaluateAt(p, v, max(0, p.Mote))
	reads := e.Reads()
	return err == nil && !said.Holds && len(reads.Memory) == 0 && len(reads.Facts) == 0
}

// Reads is what the last evaluation depended on, also when it failed. It is good until the next one.
func (e *Evaluator) Reads() ReadSet {
	e.reads.settle()
	return e.reads
}

func (e *Evaluator) start(v View) {
	e.view = v
	e.unknowns, _ = v.(Unknowns)
	e.reads = ReadSet{Memory: e.reads.Memory[:0], Facts: e.reads.Facts[:0]}
	e.thread.Steps = 0
	n := v.Motes()
	for len(e.nodes) < n {
		e.nodes = append(e.nodes, newNode(e, len(e.nodes)))
	}
	e.nodes = e.nodes[:n]
	for i, node := range e.nodes {
		if im := v.Image(i); im != node.image {
			node.image, node.vars = im, e.places(im)
		}
	}
}

// places is what is known of the variables of a firmware.
func (e *Evaluator) places(im *image.Image) map[string]*place {
	if e.layout[im] == nil {
		e.layout[im] = map[string]*place{}
	}
	return e.layout[im]
}

// perMote asks about every mote, so that all that violate the property are known.
func (e *Evaluator) perMote(p *Property, fn starlark.Callable) (Verdict, error) {
	var v Verdict
	for i := range e.nodes {
		if !e.alive(i) {
			continue
		}
		holds, err := e.ask(e.thread, fn, e.nodes[i])
		if err != nil {
			return Verdict{}, e.failed(p, err)
		}
		if !holds {
			v.Motes = append(v.Motes, i)
		}
	}
	v.Holds = len(v.Motes) == 0
	return v, nil
}

// failed is the error of a property, and makes the evaluator ready for the next one.
func (e *Evaluator) failed(p *Property, err error) error {
	e.thread.Uncancel()
	at := placed(err, p.Pos.File).(*Error)
	return &Error{Pos: at.Pos, Msg: fmt.Sprintf("property %q: %s", p.Name, at.Msg), Calls: at.Calls}
}

// ask calls a function and takes its answer as C would: 0 is false.
func (e *Evaluator) ask(thread *starlark.Thread, fn starlark.Callable, arg starlark.Value) (bool, error) {
	e.arg[0] = arg
	v, err := starlark.Call(thread, fn, e.arg[:], nil)
	if err != nil {
		return false, err
	}
	switch v := v.(type) {
	case starlark.Bool:
		return bool(v), nil
	case starlark.Int:
		return v.Sign() != 0, nil
	case Unknown:
		return bool(v.Truth()), nil
	case starlark.NoneType:
		return false, answerError(fn, "returned nothing")
	}
	return false, answerError(fn, "returned a "+v.Type())
}

func answerError(fn starlark.Callable, what string) error {
	var at Pos
	if f, ok := fn.(*starlark.Function); ok {
		at = position(f.Position())
	}
	return errorAt(at, "%s %s: return True or False", fn.Name(), what)
}

func (e *Evaluator) alive(i int) bool { return e.look(AspectAlive, i, 0) != 0 }

func (e *Evaluator) linked(from, to int) bool { return e.look(AspectLinked, from, to) != 0 }

// look is how an aspect stands, and notes that it was asked for.
func (e *Evaluator) look(a Aspect, mote, other int) uint64 {
	v := look(e.view, a, mote, other)
	e.reads.Facts = append(e.reads.Facts, Fact{a, mote, other, v})
	return v
}

func (e *Evaluator) node(i int) *node { return e.nodes[i] }

// load reads bytes of a mote, and notes that.
func (e *Evaluator) load(mote int, addr, n uint32) uint64 {
	e.reads.Memory = append(e.reads.Memory, Read{mote, addr, addr + n})
	bits := uint64(0)
	for i := range n {
		bits |= uint64(e.view.LoadByte(mote, (addr+i)&0xFFFF)) << (8 * i)
	}
	return bits
}
