package instrument

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"

	"motehound/firmware/jsonfile"
	"motehound/firmware/pathtrace/cflow"
	"motehound/firmware/pathtrace/number"
)

// format and version are what a map begins with.
const (
	format  = "motehound trace map"
	version = 1
)

// MaxProcs is the most procedures that the runtime tells apart.
const MaxProcs = 16384

// A Map reads records back: the procedures of a program by their ids, and the functions that are in no record.
type Map struct {
	Format  string `json:"format"`
	Version int    `json:"version"`
	Procs   []Proc `json:"procs"` // by id; ids may be missing
	Units   []Unit `json:"units"`
}

// A Unit is one source file as it was compiled.
type Unit struct {
	Name string `json:"name"`
	Sum  string `json:"sum,omitempty"` // of its procedures; empty if there are none. See Plan.Mark
	Left []Left `json:"left,omitempty"`
}

// A Proc is an instrumented procedure.
type Proc struct {
	ID    int    `json:"id"`
	Name  string `json:"name"`
	Kind  string `json:"kind"` // plain, interrupt or task
	Unit  string `json:"unit"`
	File  string `json:"file"`
	Line  int    `json:"line"`
	Bits  int    `json:"bits"` // of its path numbers
	Paths int    `json:"paths"`

	Files  []string `json:"files"` // of its blocks and edges
	Blocks []Block  `json:"blocks"`
	Edges  []Edge   `json:"edges"`
	Cuts   []int    `json:"cuts,omitempty"` // edges at which a path ends and the next begins

	numbering *number.Numbering
}

// A Block is what runs as a whole. Blocks 0 and 1 are the procedure's entry and exit.
type Block struct {
	Lines []Line   `json:"lines,omitempty"`
	Calls []string `json:"calls,omitempty"` // functions that it calls directly
}

// A Line is an index into a procedure's files, and a line.
type Line [2]int

// An Edge leads from a block to another.
type Edge struct {
	From  int    `json:"from"`
	To    int    `json:"to"`
	Way   string `json:"way"` // next, true, false, case, jump or return
	Label string `json:"label,omitempty"`
	Line  Line   `json:"line"`
}

func procOf(f *cflow.Func, unit string, numbering *number.Numbering) Proc {
	p := Proc{Name: f.Name, Kind: f.Kind.String(), Unit: unit, File: f.Pos.File, Line: f.Pos.Line, Bits: numbering.Bits(),
		Paths: numbering.Paths, Cuts: numbering.Cut, numbering: numbering}
	line := func(at cflow.Pos) Line {
		i := slices.Index(p.Files, at.File)
		if i < 0 {
			i = len(p.Files)
			p.Files = append(p.Files, at.File)
		}
		return Line{i, at.Line}
	}
	for _, b := range f.Blocks {
		var block Block
		for _, at := range b.Lines {
			block.Lines = append(block.Lines, line(at))
		}
		for _, c := range b.Calls {
			block.Calls = append(block.Calls, c.Name)
		}
		p.Blocks = append(p.Blocks, block)
	}
	for _, e := range f.Edges {
		p.Edges = append(p.Edges, Edge{e.From, e.To, e.Way.String(), e.Label, line(e.Pos)})
	}
	return p
}

// Read reads a map and checks it.
func Read(r io.Reader) (*Map, error) {
	text, err := io.ReadAll(r)
	if err != nil {
		return nil, err
	}
	m := &Map{}
	if err := jsonfile.Read("not a trace map, or a damaged one", text, m); err != nil {
		return nil, err
	}
	if m.Format != format {
		return nil, fmt.Errorf("not a trace map: its format is %q, not %q", m.Format, format)
	}
	if m.Version != version {
		return nil, fmt.Errorf("trace map of version %d: this program reads version %d; build the firmware again with it", m.Version, version)
	}
	for i := range m.Procs {
		p := &m.Procs[i]
		if p.ID < 0 || p.ID >= MaxProcs || i > 0 && m.Procs[i-1].ID >= p.ID {
			return nil, fmt.Errorf("damaged trace map: procedure %q has id %d, out of order", p.Name, p.ID)
		}
		if err := p.check(); err != nil {
			return nil, fmt.Errorf("damaged trace map: procedure %d, %q: %w", p.ID, p.Name, err)
		}
	}
	return m, nil
}

// check makes sure that a procedure can be decoded.
func (p *Proc) check() error {
	g := number.Graph{Blocks: len(p.Blocks), Entry: cflow.Entry, Exit: cflow.Exit}
	inside := func(l Line) bool { return l[0] >= 0 && l[0] < len(p.Files) && l[1] >= 0 }
	for _, e := range p.Edges {
		if !inside(e.Line) {
			return fmt.Errorf("line %v of an edge: there are %d files", e.Line, len(p.Files))
		}
		g.Edges = append(g.Edges, number.Edge{From: e.From, To: e.To})
	}
	for _, b := range p.Blocks {
		if slices.ContainsFunc(b.Lines, func(l Line) bool { return !inside(l) }) {
			return fmt.Errorf("a block's line is in none of %d files", len(p.Files))
		}
	}
	switch p.Kind {
	case cflow.Plain.String(), cflow.Interrupt.String(), cflow.Task.String():
	default:
		return fmt.Errorf("kind %q", p.Kind)
	}
	numbering, err := number.With(g, p.Cuts)
	if err != nil {
		return err
	}
	if numbering.Paths != p.Paths || numbering.Bits() != p.Bits {
		return fmt.Errorf("%d paths in %d bits, its graph has %d in %d", p.Paths, p.Bits, numbering.Paths, numbering.Bits())
	}
	p.numbering = numbering
	return nil
}

// Write writes the map.
func (m *Map) Write(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	return e.Encode(m)
}

// New is a map without procedures.
func New() *Map { return &Map{Format: format, Version: version, Procs: []Proc{}, Units: []Unit{}} }

// Proc is the procedure with an id, or nil.
func (m *Map) Proc(id int) *Proc {
	i, ok := slices.BinarySearchFunc(m.Procs, id, func(p Proc, id int) int { return p.ID - id })
	if !ok {
		return nil
	}
	return &m.Procs[i]
}

// Add gives a unit's procedures their ids and takes them in, in place of what the unit had before. A procedure that had
// an id keeps it, so that a file that is compiled again fits to those that are not.
func (m *Map) Add(unit string, p *Plan) error {
	old := map[string]int{}
	used := make([]bool, MaxProcs)
	m.Procs = slices.DeleteFunc(m.Procs, func(q Proc) bool {
		if q.Unit == unit {
			old[q.Name] = q.ID
			return true
		}
		used[q.ID] = true
		return false
	})
	for i := range p.Procs {
		p.Procs[i].ID = -1
		if id, ok := old[p.Procs[i].Name]; ok {
			p.Procs[i].ID, used[id] = id, true
		}
	}
	free := 0
	for i := range p.Procs {
		if p.Procs[i].ID >= 0 {
			continue
		}
		for free < MaxProcs && used[free] {
			free++
		}
		if free == MaxProcs {
			return fmt.Errorf("more than %d procedures: instrument fewer components", MaxProcs)
		}
		p.Procs[i].ID, used[free] = free, true
	}
	m.Procs = append(m.Procs, p.Procs...)
	slices.SortFunc(m.Procs, func(a, b Proc) int { return a.ID - b.ID })
	m.Units = slices.DeleteFunc(m.Units, func(u Unit) bool { return u.Name == unit })
	u := Unit{Name: unit, Left: p.Left}
	if len(p.Procs) > 0 {
		u.Sum = sum(p.Procs)
	}
	m.Units = append(m.Units, u)
	slices.SortFunc(m.Units, func(a, b Unit) int { return cmpString(a.Name, b.Name) })
	return nil
}
