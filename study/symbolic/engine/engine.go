package engine

import (
	"cmp"
	"slices"

	"motehound/study/symbolic/core"
	"motehound/study/symbolic/expr"
	"motehound/study/symbolic/mapping"
	"motehound/study/symbolic/search"
	"motehound/study/symbolic/solver"
	"motehound/world/medium"
)

// Engine explores one Config.
type Engine struct {
	cfg      Config
	x        *core.Explorer
	solver   *solver.Solver
	pool     *expr.Pool
	search   search.Searcher
	groups   []*group // by search.State; nil for those that are gone
	g        *group   // the one that was run last
	nodes    []*node  // by mapping.State; nil for those that are gone
	todo     []*node  // forked in the present window, and still to run
	alive    int      // nodes that are not gone
	findings []Finding
	stats    Stats
	err      error // of a check
	inputs   map[inputKey]expr.VarIndex
	cover    []cover // by mote
	ended    []Outcome
	more     bool // there were more of them
	left     []Left
	told     int       // the window in which progress was last told
	lookers  int       // motes that have checks at places
	sendings []sending // of the present window, still to be delivered
	prompt   []uint64  // by mote: vectors that never wait
	offered  []bool    // by fault: it was possible somewhere
	cuts     int       // of Config.Piece that were made
	since    uint64    // instructions at the last one
	asked    uint64    // how often it was asked, in the middle of windows, whether to end
}

// inputKey names a symbolic byte of input from outside, or of a frame: those that are no variable of a mote.
type inputKey struct {
	list  int // serialInput or frameInput
	index int // in the Config's list
	byte  int
}

const (
	serialInput = iota
	frameInput
)

// Stats counts.
type Stats struct {
	Windows      int
	Groups       int // of outcomes that were parted from others
	Frames       int // characters and bytes on the air, each time that some states send one
	Infeasible   int // receivers that contradicted their sender
	Choices      int // answers other than the ordinary one
	Same         int // of those, interrupts that waited although nothing else came before them
	Parted       int // states that a Check's Part has split in two
	Unparted     int // states that it has not split, because there were too many
	Outcomes     int // that were run to their end: with MaxPaths the feasible ones, without it as the mapping counts them, at most a billion
	Unknown      int // combinations for which the solver did not decide whether they are feasible
	Unplaced     int // findings for which no outcome was found in which they happen
	Instructions uint64
	Pieces       int    // that the outcomes are to be cut into: see Piece. Then nothing else is known.
	Stopped      string // why it ended before its time; empty if it did not
	Unfinished   int    // states that were not run to the end because of that, or for want of memory; see Engine.Left
}

// New makes an engine at time 0.
func New(cfg Config) (*Engine, error) {
	if err := cfg.check(); err != nil {
		return nil, err
	}
	cfg.complete()
	e := &Engine{cfg: cfg, x: core.New(cfg.Core), solver: cfg.Core.Solver, pool: cfg.Core.Pool, inputs: map[inputKey]expr.VarIndex{},
		offered: make([]bool, len(cfg.World.Faults))}
	var err error
	if e.search, err = search.New(cfg.Searcher, cfg.Seed); err != nil {
		return nil, err
	}
	if err := e.resume(); err != nil {
		return nil, err
	}
	g := e.newGroup(search.Root)
	e.g = g
	var first []mapping.State
	for i := range cfg.World.Motes {
		n, err := e.boot(g, i)
		if err != nil {
			return nil, err
		}
		e.cover = append(e.cover, newCover(n.s))
		stream, _ := cfg.World.Motes[i].Kind.RadioVectors()
		e.prompt = append(e.prompt, stream)
		if e.asserts(i) {
			e.lookers++
		}
		first = append(first, n.id)
	}
	g.mapping = mapping.New(cfg.Mapping, e, first)
	return e, nil
}

// Offered reports whether a fault of the Config was possible somewhere.
func (e *Engine) Offered(fault int) bool { return e.offered[fault] }

// boot makes the first state of a mote.
func (e *Engine) boot(g *group, i int) (*node, error) {
	m := e.cfg.World.Motes[i]
	s, err := e.x.New(e.mote(i))
	if err != nil {
		return nil, err
	}
	n := &node{e: e, g: g, mote: i, s: s, boot: m.BootFrom, used: make([]uint32, len(e.cfg.World.Faults)), onAt: medium.Never,
		acts: e.cfg.fromOutside(i)}
	s.Listen(n)
	type input struct {
		Serial
		index int // in Config.Serial
	}
	var inputs []input
	for k, in := range e.cfg.Serial {
		inputs = append(inputs, input{in, k})
	}
	for _, in := range e.cfg.World.Serial {
		inputs = append(inputs, input{Serial{Serial: in}, -1})
	}
	slices.SortStableFunc(inputs, func(a, b input) int { return cmp.Compare(a.At, b.At) })
	for _, in := range inputs {
		if in.Mote == i {
			e.feed(n, in.Serial, in.index)
		}
	}
	e.enter(n)
	return n, nil
}

// VarsOf lists the variables of a mote that become symbolic.
func (c *Config) VarsOf(mote int) (list []core.Input) {
	for _, v := range c.Vars {
		if v.Mote == mote {
			list = append(list, v.Input)
		}
	}
	return list
}

// mote is what package core is to know of a mote.
func (e *Engine) mote(i int) core.Mote {
	m := e.cfg.World.Motes[i]
	conf := core.Mote{Index: i, Kind: m.Kind, ID: m.ID, Drift: int64(m.Drift), Inputs: e.cfg.VarsOf(i)}
	for _, v := range m.Vars {
		conf.Sets = append(conf.Sets, core.Setting{Path: v.Path, Value: v.Value})
	}
	for _, c := range e.cfg.Checks {
		if c.Place != "" && c.Mote == i {
			conf.Stops = append(conf.Stops, c.Place)
		}
	}
	for _, r := range e.cfg.Readings {
		if r.Mote == i {
			conf.Sensors = append(conf.Sensors, r.Sensor)
		}
	}
	for _, s := range e.cfg.World.Sensors {
		if s.Mote == i {
			conf.Sensors = append(conf.Sensors, core.Sensor{Channel: s.Channel, Value: s.Value})
		}
	}
	return conf
}

// enter gives a node its name.
func (e *Engine) enter(n *node) {
	n.id = mapping.State(len(e.nodes))
	e.nodes = append(e.nodes, n)
	n.g.nodes = append(n.g.nodes, n)
	e.alive++
}

// Explorer is the states' explorer: its counts, and what was left out.
func (e *Engine) Explorer() *core.Explorer { return e.x }

// Stats is the counts so far.
func (e *Engine) Stats() Stats { return e.stats }
