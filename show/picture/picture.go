// Package picture draws behaviour models: call trees, job flows, what interleaves them, and violations beside what was approved. One
// layout serves three outputs: SVG for print, Graphviz dot, and an HTML page with folding and source code.
//
// Invariants: a picture depends only on its input, to the byte; it knows names and lines, but no machine; all text from a firmware, its
// sources or a model file is cleaned at the entry (see clean) and escaped at the exit; nothing in a picture refers to another file.
package picture

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"unicode"

	"motehound/study/behavior"
)

// Picture is what is drawn.
type Picture struct {
	Title      string
	Firmware   string
	SHA256     string // of the firmware; "" if it is not known
	Motehound  string // the version
	Vectors    []Vector
	Violations []Violation
	Checked    string // of a verification: what was checked, a sentence
	Sources    []Source

	guide  *guide
	models map[string]*Model
}

// Vector is an interrupt.
type Vector struct {
	Number                     uint16
	Name, Depth                string
	Watched, Background, Loose bool
	Models                     []*Model
	Flows                      []Flow
	Rivals                     []Flow // the flows of what the job flow leaves
}

// Model is an event-procedure model.
type Model struct {
	Name, Summary string
	Count         uint64
	Dropped, New  bool
	Tree          []*Node
}

// Node is one invocation, or several equal ones in a row.
type Node struct {
	Function, Kind string // interrupt, task, post, call, inlined or jump
	File           string // last part of its name
	Line           int
	Layer          int
	First, Last    int     // position in the layered function sequence, from 1; Last differs if it stands for several
	Times          int     // how many in a row
	Source         int     // index in Sources, -1 if its file is not known
	Sites          []Place // where its caller calls it
	Calls          []*Node
}

// Place is a line of a source.
type Place struct{ Source, Line int }

// Source is a source file of the code, as it is shown beside the trees. Note says why it cannot be.
type Source struct {
	File  string   `json:"file"`
	Lines []string `json:"lines"`
	Note  string   `json:"note"`
}

// Flow is a job flow or another stretch.
type Flow struct {
	Names       []string // twice the same is two or more
	Main        bool
	Count       int
	Share       float64
	Interleaved []Interleaving
}

// Interleaving is a model that interleaves a flow.
type Interleaving struct {
	Model           string
	Inside, Between bool
	Example         string
	New             bool   // nobody approved it
	Member          string // at which model of the flow, "" if that is not known
}

// newPicture makes a picture of a model file. Without a guide there is no code, and a call is a call however it was compiled.
func newPicture(f *behavior.File, g *guide) (*Picture, error) {
	if g == nil {
		g = newGuide()
	}
	p := &Picture{Title: "Behaviour models", Firmware: clean(f.Firmware), SHA256: clean(f.SHA256), guide: g, models: map[string]*Model{}}
	for i := range f.Vectors {
		fv := &f.Vectors[i]
		v := Vector{Number: fv.Vector, Name: clean(fv.Name), Depth: clean(fv.Depth), Watched: fv.Watched, Background: fv.Idle, Loose: fv.Loose}
		for j := range fv.Models {
			fm := &fv.Models[j]
			path, err := fm.Path()
			if err != nil {
				return nil, fmt.Errorf("model %s: %w", fm.Name, err)
			}
			m := &Model{Name: clean(fm.Name), Summary: clean(fm.Summary), Count: fm.Count, Dropped: fm.Dropped}
			m.Tree = folded(p.nodes(path))
			v.Models = append(v.Models, m)
			p.models[m.Name] = m
		}
		for _, ff := range fv.Flows {
			v.Flows = append(v.Flows, flowOf(&ff))
		}
		p.Vectors = append(p.Vectors, v)
	}
	// What is checked comes first; what only interleaves it last.
	slices.SortStableFunc(p.Vectors, func(a, b Vector) int { return rank(&a) - rank(&b) })
	return p, nil
}

func rank(v *Vector) int {
	switch {
	case v.Watched && !v.Background:
		return 0
	case v.Background:
		return 2
	}
	return 1
}

func flowOf(ff *behavior.FileFlow) Flow {
	f := Flow{Names: names(ff.Models), Main: ff.Main, Count: ff.Count, Share: ff.Share}
	for _, x := range ff.Interleaved {
		o := Interleaving{Model: clean(x.Model), Inside: x.Inside, Between: x.Between}
		if x.Example != nil {
			o.Example = fmt.Sprintf("as at instance %d of mote %d", x.Example.Instance, x.Example.Mote)
		}
		f.Interleaved = append(f.Interleaved, o)
	}
	return f
}

// addRival adds a flow that covers less than the job flow, to see why that is it.
func (p *Picture) addRival(vector uint16, models string, count int, share float64) {
	for i := range p.Vectors {
		if v := &p.Vectors[i]; v.Number == vector {
			v.Rivals = append(v.Rivals, Flow{Names: names(models), Count: count, Share: share})
		}
	}
}

// keep leaves out all models but these, and the flows of all.
func (p *Picture) keep(models []string) error {
	for _, name := range models {
		if p.models[name] == nil {
			return fmt.Errorf("--model %s: the file has no such model", name)
		}
	}
	var kept []Vector
	for _, v := range p.Vectors {
		v.Models = slices.DeleteFunc(v.Models, func(m *Model) bool { return !slices.Contains(models, m.Name) })
		v.Flows, v.Rivals = nil, nil
		if len(v.Models) > 0 {
			kept = append(kept, v)
		}
	}
	p.Vectors = kept
	return nil
}

// FindSources has the sources of the code found.
func (p *Picture) FindSources(find func(file string) (lines []string, note string)) {
	for i := range p.Sources {
		s := &p.Sources[i]
		lines, note := find(s.File)
		s.Lines, s.Note = []string{}, clean(note)
		for _, l := range lines {
			s.Lines = append(s.Lines, clean(l))
		}
	}
}

// source is the index of a file, -1 for none.
func (p *Picture) source(file string) int {
	if file == "" {
		return -1
	}
	at := slices.IndexFunc(p.Sources, func(s Source) bool { return s.File == file })
	if at < 0 {
		at = len(p.Sources)
		p.Sources = append(p.Sources, Source{File: file, Lines: []string{}, Note: "not looked for"})
	}
	return at
}

// model is a model by name; one that the file does not have has a name only.
func (p *Picture) model(name string) *Model {
	if m := p.models[name]; m != nil {
		return m
	}
	return &Model{Name: name}
}

func names(models string) []string {
	list := strings.Fields(models)
	for i := range list {
		list[i] = clean(list[i])
	}
	return list
}

// clean replaces what has no business in a name or a line of code: what XML cannot have, and what turns the direction of text.
func clean(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\t':
			return r
		case r < ' ' || r == 0x7f || r == 0xfffe || r == 0xffff || unicode.Is(unicode.Bidi_Control, r):
			return unicode.ReplacementChar
		}
		return r
	}, strings.ToValidUTF8(text, "\uFFFD"))
}

// base is the last part of a path, as model files have it.
func base(file string) string {
	if file == "" {
		return ""
	}
	return path.Base(strings.ReplaceAll(file, `\`, "/"))
}
