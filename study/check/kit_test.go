package check

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"motehound/study/finding"
)

// program is a small system as data: variables with few values, and actions that are enabled by the value of one and change others.
// It is made at random, or by hand for protocols.
type program struct {
	initial []uint8
	values  uint8
	actions []action
	bad     []badState
	goals   []goalState
	healed  int // variable that Heal sets to 1; -1 for none
	motes   int
}

// action is an event with its meaning: if guard == value, each write sets a variable to a value computed from up to two others.
type action struct {
	event  Event
	guards []guard
	sets   []assign
}

type guard struct{ v, is uint8 }

// assign sets v to (a*x + b*y + c) mod values.
type assign struct{ v, x, y, a, b, c uint8 }

// badState is a property over two variables, looked at whenever one of them is written.
type badState struct {
	name           string
	v, is, w, also uint8
	harmless       bool
}

// goalState is an eventually property.
type goalState struct {
	goal finding.Goal
	v    uint8
	is   uint8
}

// toy runs a program.
type toy struct {
	p       *program
	vars    []uint8
	serials map[uint64]uint32
	seen    *recorder
	off     bool // no footprints
	gone    bool // released
}

// recorder notes the states in which systems were asked for events: those that an exploration visited.
type recorder struct {
	mu     sync.Mutex
	states map[string]bool
	dead   map[string]bool
	fired  int
	clones int // that were not released
}

func newToy(p *program) *toy {
	return &toy{p: p, vars: slices.Clone(p.initial), serials: make(map[uint64]uint32), seen: &recorder{states: make(map[string]bool),
		dead: make(map[string]bool)}}
}

func (s *toy) Enabled(dst []Event) []Event {
	s.alive()
	n := len(dst)
	for _, a := range s.p.actions {
		if s.enabled(a) {
			e := a.event
			e.Serial = s.serials[e.key()>>8]
			dst = append(dst, e)
		}
	}
	// The order differs from state to state, as the contract allows: a fixed one would hide mistakes in what is asleep where.
	if k := len(dst) - n; k > 1 {
		if h := s.Hash()[0]; h%3 == 0 {
			slices.Reverse(dst[n:])
		}
	}
	s.seen.mu.Lock()
	s.seen.states[string(s.vars)] = true
	if len(dst) == n {
		s.seen.dead[string(s.vars)] = true
	}
	s.seen.mu.Unlock()
	return dst
}

func (s *toy) enabled(a action) bool {
	for _, g := range a.guards {
		if s.vars[g.v] != g.is {
			return false
		}
	}
	return true
}

func (s *toy) Fire(e Event) (Step, error) {
	s.alive()
	for _, a := range s.p.actions {
		if a.event.key() == e.key() && e.Serial == s.serials[e.key()>>8] && s.enabled(a) {
			return s.do(a), nil
		}
	}
	return Step{}, fmt.Errorf("%v is not enabled", e)
}

func (s *toy) do(a action) Step {
	s.seen.mu.Lock()
	s.seen.fired++
	s.seen.mu.Unlock()
	s.serials[a.event.key()>>8]++
	foot := new(Footprint)
	// Alternatives exclude each other: all take the head of one queue.
	queue := 1000 + uint32(a.event.key()>>8)%1_000_000
	foot.Write(queue, queue+1)
	for _, g := range a.guards {
		foot.Read(uint32(g.v), uint32(g.v)+1)
	}
	before := slices.Clone(s.vars)
	for _, w := range a.sets {
		if w.a != 0 {
			foot.Read(uint32(w.x), uint32(w.x)+1)
		}
		if w.b != 0 {
			foot.Read(uint32(w.y), uint32(w.y)+1)
		}
		foot.Write(uint32(w.v), uint32(w.v)+1)
		s.vars[w.v] = (w.a*before[w.x] + w.b*before[w.y] + w.c) % s.p.values
	}
	step := Step{Footprint: foot}
	for _, b := range s.p.bad {
		touched := slices.ContainsFunc(a.sets, func(w assign) bool { return w.v == b.v || w.v == b.w })
		if !touched {
			continue
		}
		foot.Read(uint32(b.v), uint32(b.v)+1)
		foot.Read(uint32(b.w), uint32(b.w)+1)
		if s.vars[b.v] == b.is && s.vars[b.w] == b.also {
			step.Violations = append(step.Violations, finding.Violation{Property: b.name, Kind: finding.Safety, Mote: a.event.Mote, Harmless: b.harmless})
		}
	}
	if s.off {
		step.Footprint = nil
	}
	return step
}

func (s *toy) Clone() System {
	s.alive()
	s.seen.mu.Lock()
	s.seen.clones++
	s.seen.mu.Unlock()
	c := &toy{p: s.p, vars: slices.Clone(s.vars), serials: make(map[uint64]uint32), seen: s.seen, off: s.off}
	for k, v := range s.serials {
		c.serials[k] = v
	}
	return c
}

func (s *toy) alive() {
	if s.gone {
		panic("a system is used after it was released")
	}
}

func (s *toy) Release() {
	s.alive()
	s.gone = true
	s.seen.mu.Lock()
	s.seen.clones--
	s.seen.mu.Unlock()
}

func (s *toy) CopyFrom(from System) {
	f := from.(*toy)
	s.alive()
	f.alive()
	copy(s.vars, f.vars)
	clear(s.serials)
	for k, v := range f.serials {
		s.serials[k] = v
	}
	s.off = f.off
}

func (s *toy) Track(on bool) { s.off = !on }
func (s *toy) Describe(e Event) string {
	return fmt.Sprintf("%v %d/%d option %d", e.Class, e.Mote, e.Source, e.Option)
}

func (s *toy) Hash() [2]uint64 {
	h := [2]uint64{1, 2}
	for _, v := range s.vars {
		h[0] = mix(h[0] ^ uint64(v))
		h[1] = mix(h[1] + uint64(v)*3)
	}
	return h
}

func (s *toy) Goals() []finding.Goal {
	var g []finding.Goal
	for _, x := range s.p.goals {
		g = append(g, x.goal)
	}
	return g
}

func (s *toy) Live(dst []bool) []bool {
	for _, x := range s.p.goals {
		dst = append(dst, s.vars[x.v] == x.is)
	}
	return dst
}

// Heal sets the variable that says so: faults are guarded by it.
func (s *toy) Heal() { s.vars[s.p.healed] = 1 }

// randomProgram makes a program in which motes have variables of their own and share some.
func randomProgram(seed uint64) *program {
	rng := rand.New(rand.NewPCG(seed, 17))
	motes, own, shared := 2+rng.IntN(2), 1+rng.IntN(2), 1+rng.IntN(2)
	vars := motes*own + shared
	p := &program{values: 2 + uint8(rng.IntN(2)), motes: motes, healed: -1}
	for range vars {
		p.initial = append(p.initial, uint8(rng.IntN(int(p.values))))
	}
	value := func() uint8 { return uint8(rng.IntN(int(p.values))) }
	for m := range motes {
		// variable gives one of the mote's own variables, or rarely one that is shared.
		variable := func() uint8 {
			if rng.IntN(4) == 0 {
				return uint8(motes*own + rng.IntN(shared))
			}
			return uint8(m*own + rng.IntN(own))
		}
		for source := range 1 + rng.IntN(3) {
			class := []Class{Interrupt, Task, Frame, Fault, Input}[rng.IntN(5)]
			guards := []guard{{variable(), value()}}
			if rng.IntN(3) == 0 {
				guards = append(guards, guard{variable(), value()})
			}
			for option := range 1 + rng.IntN(2) {
				a := action{event: Event{Mote: int16(m), Class: class, Source: uint16(source), Option: uint8(option)}, guards: guards}
				for range 1 + rng.IntN(2) {
					a.sets = append(a.sets, assign{v: variable(), x: variable(), y: variable(), a: value(), b: value(), c: value()})
				}
				p.actions = append(p.actions, a)
			}
		}
	}
	for i := range rng.IntN(3) {
		p.bad = append(p.bad, badState{name: fmt.Sprintf("bad %d", i), v: uint8(rng.IntN(vars)), is: value(), w: uint8(rng.IntN(vars)),
			also: value(), harmless: rng.IntN(3) == 0})
	}
	for i := range 1 + rng.IntN(2) {
		p.goals = append(p.goals, goalState{goal: finding.Goal{Property: fmt.Sprintf("goal %d", i), Mote: int16(i % motes)}, v: uint8(rng.IntN(vars)), is: value()})
	}
	return p
}

// looseProgram makes a program of many small actions that rarely touch the same variable, so that much can be swapped and some
// cannot. Most of them can be done only once or twice.
func looseProgram(seed uint64) *program {
	rng := rand.New(rand.NewPCG(seed, 23))
	vars := 4 + rng.IntN(4)
	p := &program{values: 3, healed: -1, motes: 3, initial: make([]uint8, vars)}
	pick := func() uint8 { return uint8(rng.IntN(vars)) }
	for i := range 3 + rng.IntN(5) {
		v := pick()
		from := uint8(rng.IntN(2))
		a := action{event: Event{Mote: int16(i % 3), Class: Interrupt, Source: uint16(i)}, guards: []guard{{v, from}},
			sets: []assign{{v: v, c: from + 1}}}
		if rng.IntN(2) == 0 {
			a.guards = append(a.guards, guard{pick(), uint8(rng.IntN(3))})
		}
		if rng.IntN(2) == 0 {
			a.sets = append(a.sets, assign{v: pick(), x: pick(), a: uint8(rng.IntN(3)), c: uint8(rng.IntN(3))})
		}
		p.actions = append(p.actions, a)
	}
	for i := range 2 {
		p.bad = append(p.bad, badState{name: fmt.Sprintf("bad %d", i), v: pick(), is: uint8(1 + rng.IntN(2)), w: pick(), also: 2,
			harmless: rng.IntN(2) == 0})
	}
	return p
}

// cyclicProgram makes a program of actions that go round and round in variables of their own, each now and then held up by
// another's. Its states have many ways in, with different events asleep.
func cyclicProgram(seed uint64) *program {
	rng := rand.New(rand.NewPCG(seed, 29))
	vars := 2 + rng.IntN(3)
	p := &program{values: 2 + uint8(rng.IntN(3)), healed: -1, motes: vars, initial: make([]uint8, vars)}
	for v := range vars {
		for from := range p.values {
			for source := range 1 + rng.IntN(2) {
				if rng.IntN(8) == 0 {
					continue
				}
				to := uint8(rng.IntN(int(p.values)))
				a := action{event: Event{Mote: int16(v), Class: Interrupt, Source: uint16(from)*4 + uint16(source)},
					guards: []guard{{uint8(v), from}}, sets: []assign{{v: uint8(v), c: to}}}
				if rng.IntN(3) == 0 {
					a.guards = append(a.guards, guard{uint8(rng.IntN(vars)), uint8(rng.IntN(int(p.values)))})
				}
				if rng.IntN(6) == 0 {
					a.sets = append(a.sets, assign{v: uint8(rng.IntN(vars)), c: uint8(rng.IntN(int(p.values)))})
				}
				p.actions = append(p.actions, a)
			}
		}
	}
	return p
}

// truth is what breadth-first search without any cleverness knows of a program, up to a depth.
type truth struct {
	states   map[string]int // distance
	dead     map[string]bool
	shortest map[string]int // by property
	whole    bool           // nothing was cut
	fired    int
}

func bruteForce(p *program, depth int) *truth {
	t := &truth{states: make(map[string]int), dead: make(map[string]bool), shortest: make(map[string]int), whole: true}
	level := []*toy{newToy(p)}
	t.states[string(level[0].vars)] = 0
	for d := 0; len(level) > 0; d++ {
		var next []*toy
		for _, s := range level {
			events := s.Enabled(nil)
			if len(events) == 0 {
				t.dead[string(s.vars)] = true
				for i, live := range s.Live(nil) {
					t.note(p.goals[i].goal.Property, d, live)
				}
			}
			if d == depth && len(events) > 0 {
				t.whole = false
				continue
			}
			for _, e := range events {
				c := s.Clone().(*toy)
				step, err := c.Fire(e)
				if err != nil {
					panic(err)
				}
				t.fired++
				over := false
				for _, v := range step.Violations {
					t.note(v.Property, d+1, false)
					over = over || !v.Harmless
				}
				if _, known := t.states[string(c.vars)]; known || over {
					continue
				}
				t.states[string(c.vars)] = d + 1
				next = append(next, c)
			}
		}
		level = next
	}
	return t
}

func (t *truth) note(property string, distance int, holds bool) {
	if old, ok := t.shortest[property]; !holds && (!ok || distance < old) {
		t.shortest[property] = distance
	}
}

// leaks fails the test if clones of the system were not released.
func (s *toy) leaks(t *testing.T, where string) {
	t.Helper()
	if s.seen.clones != 0 {
		t.Errorf("%s: %d clones were not released", where, s.seen.clones)
	}
}

// sameStates compares sets of states.
func sameStates[V any](t *testing.T, what string, got map[string]bool, want map[string]V) {
	t.Helper()
	if len(got) != len(want) {
		t.Errorf("%d %s, want %d", len(got), what, len(want))
		return
	}
	for s := range want {
		if !got[s] {
			t.Errorf("%s: %v is missing", what, []byte(s))
			return
		}
	}
}
