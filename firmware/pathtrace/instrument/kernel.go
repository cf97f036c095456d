package instrument

import (
	"fmt"
	"slices"
	"strings"

	"motehound/firmware/pathtrace/cflow"
)

// Kernel is how kernels call the runtime, whether they are traced or not. What is empty is not called.
type Kernel struct {
	Rest string // an expression before sleeping, with interrupts off, which tells whether to look for work again instead
	Nap  string // a statement where a kernel that never sleeps has nothing to do
	Tick string // a statement in the handler of the kernel's clock
	Stop string // a statement before a loop that does nothing, for ever
}

// sleepers put the CPU to sleep when there is no task. They are called with interrupts off, and who calls them looks for a task again
// when they return, as it must: any interrupt ends the sleep. TinyOS 1 expects interrupts on then.
const (
	sleeper2 = "McuSleepC__McuSleep__sleep"
	sleeper1 = "__nesc_atomic_sleep"
)

// polls is Contiki's function that has an event worked on, if there is one: main calls it over and over.
const polls = "process_run"

// ticks is the handler of timer 0, TinyOS' clock on the Mica boards.
const ticks = "__vector_15"

// find is a function of the unit, or nil.
func (p *Plan) find(name string) *cflow.Func {
	if p.unit == nil {
		return nil
	}
	i := slices.IndexFunc(p.unit.Funcs, func(f *cflow.Func) bool { return strings.ReplaceAll(f.Name, "$", "__") == name })
	if i < 0 {
		return nil
	}
	return p.unit.Funcs[i]
}

// Ticks reports whether the unit is TinyOS with its clock.
func (p *Plan) Ticks() bool {
	return p.find(ticks) != nil && (p.find(sleeper1) != nil || p.find(sleeper2) != nil)
}

// Rests reports whether the unit has a kernel that Rewrite makes call the runtime, or stops for good somewhere.
func (p *Plan) Rests() bool {
	return p.find(sleeper1) != nil || p.find(sleeper2) != nil || p.polls() || len(p.stops()) > 0
}

// polls reports whether the unit is Contiki's with the queue of events.
func (p *Plan) polls() bool {
	f := p.find(polls)
	return f != nil && f.Result != "" && strings.Contains(string(p.unit.Text[f.Body.From:f.Body.To]), "poll_requested")
}

// stops is the loops that do nothing, for ever.
func (p *Plan) stops() (loops []cflow.Stmt) {
	if p.unit == nil {
		return nil
	}
	for _, f := range p.unit.Funcs {
		if f.Refused == "" && !f.Exempt {
			loops = append(loops, f.Stops...)
		}
	}
	return loops
}

// hook has the unit's kernel call the runtime.
func (p *Plan) hook(e *edits, calls Calls) {
	first := func(f *cflow.Func, text string) { e.after(f.Body.From+1, 0, outside, text) }
	if f := p.find(sleeper2); f != nil && calls.Rest != "" {
		first(f, fmt.Sprintf(" if (%s) return;", calls.Rest))
	}
	if f := p.find(sleeper1); f != nil && calls.Rest != "" && calls.LetIn != "" {
		first(f, fmt.Sprintf(" if (%s) { %s; return; }", calls.Rest, calls.LetIn))
	}
	if p.polls() && calls.Nap != "" {
		first(p.find(polls), fmt.Sprintf(" if (nevents == 0 && !poll_requested) %s;", calls.Nap))
	}
	if p.Ticks() && calls.Tick != "" {
		first(p.find(ticks), fmt.Sprintf(" %s;", calls.Tick))
	}
	if calls.Stop == "" {
		return
	}
	for _, s := range p.stops() {
		e.before(s.From, s.Order, outside, fmt.Sprintf("{ %s; ", calls.Stop))
		e.after(s.To, s.Order, outside, " }")
	}
}
