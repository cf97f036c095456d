// Package core runs one mote for many inputs at once: the symbolic core.
//
// A State is a mote on one path. It always runs concretely, in the same emulator as everywhere else, with inputs for which its path
// is taken (its Model). Beside the mote a shadow holds what of it depends on inputs: an expression for each such register, flag and
// byte of SRAM; devices and frames carry theirs in cells. Instructions that touch nothing of that run as ever; the others are lifted
// (package isa/avr/lift) over the shadow. Where control depends on an input, the state follows the side that its model takes, and if
// a solver finds inputs for the other side, a copy of the state takes it: its bytes are worked out anew under the new model.
//
// Invariants:
//   - Under the state's model every expression has the value that is in the mote.
//   - The model satisfies the path. Nothing happens that depends on inputs and is not in the path: where a device or the core decides
//     on a symbolic byte (a timer's register, a frame's length, RAMPZ), the condition is added.
//   - What is not followed is counted and reported (LeftOut): values beyond a bound, what the solver did not decide, what a device
//     decided in the midst of something. Branches that were turned into if-then-else are counted too (Stats.Merged).
//   - A mote without symbolic inputs runs as it does without this package, bit by bit.
//   - Everything depends on the inputs given here and their order alone.
//
// Time stays concrete. A branch that was merged takes the time of the side that the model takes, so a copy whose model takes the other
// side is off by a few cycles: a finding is to be replayed before it is believed.
package core

import (
	"fmt"
	"slices"

	"motehound/mote"
	"motehound/mote/periph"
	"motehound/study/symbolic/expr"
	"motehound/study/symbolic/solver"
)

// Config is how an Explorer explores. The zero value of a bound is its default, a negative one is none.
type Config struct {
	Pool   *expr.Pool
	Solver *solver.Solver

	Values int  // how many values of one jump target, address or device register are followed; 64
	Table  int  // bytes of the largest object of which reading at a symbolic index makes one if-then-else, not a case for each byte; 1024
	Select int  // and writing, which changes an expression for each byte; 256
	Merge  int  // instructions of the longest branch that is turned into if-then-else; 8
	Aboard int  // how many states of a mote are kept ready to run; 256
	Orders bool // RunUntil returns when an interrupt is requested: see State.Rose
	Verify bool // compare the shadow with the mote after each lifted instruction; for tests, since it is slow
}

// Explorer explores. All its states share one pool of expressions and one solver. It is used by one goroutine at a time.
type Explorer struct {
	cfg    Config
	pool   *expr.Pool
	solver *solver.Solver
	eval   *expr.Evaluator
	under  int // which model the evaluator has: State.modelID
	models int
	stats  Stats
	states int
	tables []*table
	vars   map[inputKey]expr.ID
	left   []LeftOut
}

// Stats counts what an explorer has done.
type Stats struct {
	Lifted    int // instructions that touched something symbolic
	Branches  int // on symbolic conditions
	Merged    int // branches that were turned into if-then-else
	Forks     int
	Pinned    int // symbolic bytes by whose value a device or the core decided
	Undecided int // accesses at symbolic addresses of which it is not certain what object they are meant for
	Selects   int // accesses at symbolic addresses that became if-then-else
	LeftOut   int // what was not followed, as often as it came up
}

// LeftOut is something that was not followed.
type LeftOut struct {
	Mote int
	PC   uint32 // flash byte address
	Place
	What  string
	Count int
}

func (l LeftOut) String() string {
	if l.Place == (Place{}) {
		return fmt.Sprintf("mote %d: %s", l.Mote, l.What)
	}
	return fmt.Sprintf("mote %d, %s: %s", l.Mote, l.Place, l.What)
}

// New makes an explorer.
func New(cfg Config) *Explorer {
	bound := func(p *int, usual int) {
		switch {
		case *p == 0:
			*p = usual
		case *p < 0:
			*p = 1 << 30
		}
	}
	bound(&cfg.Values, 64)
	bound(&cfg.Table, 1024)
	bound(&cfg.Select, 256)
	bound(&cfg.Aboard, 256)
	if cfg.Merge == 0 {
		cfg.Merge = 8
	}
	return &Explorer{cfg: cfg, pool: cfg.Pool, solver: cfg.Solver, eval: cfg.Pool.NewEvaluator(), vars: map[inputKey]expr.ID{}}
}

// Stats is the counts so far.
func (x *Explorer) Stats() Stats { return x.stats }

// LeftOut is what was not followed so far, each thing once.
func (x *Explorer) LeftOut() []LeftOut { return slices.Clone(x.left) }

// Aboard is how many states of a mote are kept ready to run.
func (x *Explorer) Aboard() int { return x.cfg.Aboard }

func (x *Explorer) leaveOut(l LeftOut) {
	x.stats.LeftOut++
	i := slices.IndexFunc(x.left, func(o LeftOut) bool { return o.Mote == l.Mote && o.PC == l.PC && o.What == l.What })
	if i < 0 {
		i = len(x.left)
		x.left = append(x.left, l)
	}
	x.left[i].Count++
}

// evaluator computes under a state's model.
func (x *Explorer) evaluator(s *State) *expr.Evaluator {
	if s.modelID != x.under {
		x.eval.Use(s.model)
		x.under = s.modelID
	}
	return x.eval
}

func (x *Explorer) number() int {
	x.states++
	return x.states - 1
}

// Mote is what a first state is made of.
type Mote struct {
	Index   int // in the network: it is in the names and origins of inputs
	Kind    *mote.Kind
	ID      uint16
	Drift   int64 // ppm that its crystal is off
	Sets    []Setting
	Inputs  []Input
	Stops   []string // places, as in Input.At, before which RunUntil returns
	Sensors []Sensor
}

// Setting is a variable's value. It is set whenever main is reached for the first time after a reset: start-up code has copied and
// cleared the variables by then.
type Setting struct {
	Path  string // as image.Lookup takes it
	Value int64
}

// New makes the state of a mote that is switched on now.
func (x *Explorer) New(m Mote) (*State, error) {
	t, err := x.tableOf(&m)
	if err != nil {
		return nil, err
	}
	f := &fleet{x: x, table: t, conf: m}
	r := f.add()
	s := &State{
		x: x, fleet: f, rig: r, mote: m.Index, id: x.number(), path: solver.NewSet(x.pool),
		sh: newShadow(m.Kind.Board.Chip.RAMBase, m.Kind.Board.Chip.RAMSize), readings: make([]int, len(m.Sensors)),
		covered: make([]uint64, (len(t.blocks)+63)/64), alarm: periph.Never,
	}
	mot := m.Kind.New(m.ID, m.Drift, r) // it does nothing yet that is a state's
	r.cur = s
	r.fit(mot)
	if x.cfg.Orders {
		s.order.served = make([]uint64, 64)
	}
	r.arrange()
	return s, nil
}

// tableOf is the table of a kind of motes with some marks, shared by all that have the same.
func (x *Explorer) tableOf(m *Mote) (*table, error) {
	for _, t := range x.tables {
		if t.kind == m.Kind && slices.Equal(t.inputs, m.Inputs) && slices.Equal(t.sets, m.Sets) && slices.Equal(t.stops, m.Stops) {
			return t, nil
		}
	}
	t, err := newTable(m)
	if err == nil {
		x.tables = append(x.tables, t)
	}
	return t, err
}
