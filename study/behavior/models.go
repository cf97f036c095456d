package behavior

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"motehound/observe/calltree"
)

// Model is what instances of one interrupt share that are the same in its depth: an event-procedure model.
type Model struct {
	Vector  uint16
	Depth   Depth
	Name    string         // A18, B18, ... by first appearance; with @ and its depth if it is dropped
	Number  int32          // in its Cast
	Common  *calltree.Node // the common part
	Dropped bool           // not of interest: not in model sequences
	New     bool           // of a verification: nobody approved it

	head  int32      // digest in the whole depth
	chain [][]int32  // with a half depth: the members' functions of the layer below, shortest first
	lines [][]string // chain, as a model file has it
}

// Cast numbers the models of all interrupts.
type Cast struct {
	Book   *calltree.Book
	Lens   *Lens
	Models []*Model         // by Number
	own    []*calltree.Node // by Node.ID: ownPart of it, once it was needed
}

// newCast makes an empty Cast over a Book.
func newCast(b *calltree.Book) *Cast { return &Cast{Book: b, Lens: newLens()} }

// classifier sorts the instances of an interrupt into models at a depth.
//
// In a half depth "the same" is not transitive: bc is the same as abc and as bcd, which are not the same. So an instance
// joins the first model, in order of appearance, to all of whose members it is the same; else it begins a model. That
// depends on nothing but the order of the instances, and all members of a model are the same to each other, as 4.3 asks. Their
// functions in the half layer then lie in each other, and the shortest are the common part.
type classifier struct {
	cast   *Cast
	vector uint16
	depth  Depth
	models []*Model
	byHead map[int32][]*Model
	byTree map[*calltree.Node]*Model
}

func newClassifier(c *Cast, vector uint16, depth Depth) *classifier {
	return &classifier{cast: c, vector: vector, depth: depth, byHead: map[int32][]*Model{}, byTree: map[*calltree.Node]*Model{}}
}

// find is the model of a tree, nil if there is none.
func (c *classifier) find(tree *calltree.Node) *Model {
	if m, ok := c.byTree[tree]; ok {
		return m
	}
	tree = c.view(tree)
	var layer []int32
	if c.depth.half() {
		layer = c.cast.Lens.layer(tree, c.depth.layers())
	}
	for _, m := range c.byHead[c.cast.Lens.digest(tree, c.depth.whole())] {
		if m.takes(layer) {
			return m
		}
	}
	return nil
}

// takes tells whether a half layer is the same as that of all members.
func (m *Model) takes(layer []int32) bool {
	return !slices.ContainsFunc(m.chain, func(member []int32) bool { return !related(member, layer) })
}

// take is the model of a tree, a new one if need be.
func (c *classifier) take(tree *calltree.Node) *Model {
	if m := c.byTree[tree]; m != nil {
		return m
	}
	m := c.find(tree)
	if m == nil {
		m = c.add(letters(len(c.models)) + fmt.Sprint(c.vector))
	}
	c.join(m, c.view(tree))
	if c.depth == AppDepth && isForeign(m.Common) {
		m.Dropped = true
	}
	c.byTree[tree] = m
	return m
}

// view is what of a tree is looked at.
func (c *classifier) view(tree *calltree.Node) *calltree.Node {
	if c.depth == AppDepth {
		return c.cast.ownPart(tree)
	}
	return tree
}

// recall is find, remembering the answer, for a Classifier to which nothing is added.
func (c *classifier) recall(tree *calltree.Node) *Model {
	m, ok := c.byTree[tree]
	if !ok {
		m = c.find(tree)
		c.byTree[tree] = m
	}
	return m
}

// add makes a model without members.
func (c *classifier) add(name string) *Model {
	m := &Model{Vector: c.vector, Depth: c.depth, Name: name, Number: int32(len(c.cast.Models))}
	c.models = append(c.models, m)
	c.cast.Models = append(c.cast.Models, m)
	return m
}

// join makes a tree a member.
func (c *classifier) join(m *Model, tree *calltree.Node) {
	first := m.Common == nil
	if first {
		m.head = c.cast.Lens.digest(tree, c.depth.whole())
		c.byHead[m.head] = append(c.byHead[m.head], m)
	}
	shortest := first
	if c.depth.half() {
		shortest = m.include(c.cast.Lens.layer(tree, c.depth.layers()), layerLines(tree, c.depth.layers()))
	}
	if shortest {
		m.Common = cutTree(c.cast.Book, tree, c.depth.layers())
	}
}

// include makes a half layer one of those seen; it tells whether it is new and the shortest.
func (m *Model) include(layer []int32, lines []string) bool {
	at, known := slices.BinarySearchFunc(m.chain, layer, func(a, b []int32) int { return cmp.Compare(len(a), len(b)) })
	if known { // of the same size are only equal ones
		return false
	}
	m.chain, m.lines = slices.Insert(m.chain, at, layer), slices.Insert(m.lines, at, lines)
	return at == 0
}

// layerLines is the functions of one layer as lines.
func layerLines(tree *calltree.Node, layer int) []string {
	lines := []string{}
	for _, it := range sequence(tree, layer) {
		if it.Layer == layer {
			lines = append(lines, formatLine(it.Node, 1))
		}
	}
	return lines
}

// letters is A, B, ... Z, AA, AB, ...
func letters(i int) string {
	s := string(rune('A' + i%26))
	for i = i/26 - 1; i >= 0; i = i/26 - 1 {
		s = string(rune('A'+i%26)) + s
	}
	return s
}

// isForeign tells whether a view of the application's code has none of it.
func isForeign(view *calltree.Node) bool {
	return len(view.Calls) == 1 && len(view.Calls[0].Calls) == 0 && view.Calls[0].Func.Library
}

// Drop says that a model is not of interest: that which has a name at a depth.
type Drop struct {
	Model string
	Depth Depth
}

// Scope is how deep to look at each interrupt, and what to leave out (4.4, step 2): instances of dropped models are
// filtered out at the depth of the drop, and what is left is classified at the next depth.
type Scope struct {
	Depth  Depth            // of interrupts that Depths does not name
	Depths map[uint16]Depth // by interrupt
	Drops  []Drop
	// Background is interrupts that come at any time, as a clock's: they interleave nobody, and their flows do not matter.
	Background []uint16
	// Timers is the interrupts by which the chip's timers count: overflows and compare matches. Those that do nothing else are background.
	Timers []uint16
}

// Of is the depth of an interrupt.
func (p *Scope) Of(vector uint16) Depth {
	if d, ok := p.Depths[vector]; ok {
		return d
	}
	return p.Depth
}

// Check reports whether the drops make sense.
func (p *Scope) Check() error {
	for _, d := range p.Drops {
		v, err := VectorOf(d.Model)
		if err != nil {
			return err
		}
		if d.Depth > p.Of(v) {
			return fmt.Errorf("%s is to be dropped at depth %v, but interrupt %d only has depth %v: give a greater --depth",
				d.Model, d.Depth, v, p.Of(v))
		}
	}
	return nil
}

// VectorOf is the interrupt in a model's name.
func VectorOf(name string) (uint16, error) {
	digits := strings.TrimLeft(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZ")
	var v uint16
	if _, err := fmt.Sscanf(digits, "%d", &v); err != nil || digits == name || fmt.Sprint(v) != digits {
		return 0, fmt.Errorf("%q is not the name of a model: that is letters and an interrupt's number, such as B18", name)
	}
	return v, nil
}

// sorter classifies the instances of one interrupt through the stages of a scope: all but the last only filter.
type sorter struct {
	stages []*classifier
	drops  []map[string]bool // by stage
}

func newSorter(c *Cast, vector uint16, p *Scope) *sorter {
	final := p.Of(vector)
	at := map[Depth]map[string]bool{final: {}}
	for _, d := range p.Drops {
		if v, err := VectorOf(d.Model); err != nil || v != vector {
			continue
		}
		if at[d.Depth] == nil {
			at[d.Depth] = map[string]bool{}
		}
		at[d.Depth][d.Model] = true
	}
	s := &sorter{}
	for _, d := range slices.Sorted(maps.Keys(at)) {
		s.stages = append(s.stages, newClassifier(c, vector, d))
		s.drops = append(s.drops, at[d])
	}
	return s
}

// take is the model of a tree: that of the last stage, or the dropped one.
func (s *sorter) take(tree *calltree.Node) *Model {
	for i, c := range s.stages {
		m := c.take(tree)
		if s.drops[i][m.Name] {
			m.Dropped = true
		}
		if m.Dropped || i == len(s.stages)-1 {
			return m
		}
	}
	panic("BUG: a sorter without stages")
}

// models are those that matter: the last stage's, and what was dropped before.
func (s *sorter) models() []*Model {
	var list []*Model
	for i, c := range s.stages {
		for _, m := range c.models {
			if m.Dropped || i == len(s.stages)-1 {
				list = append(list, m)
			}
		}
	}
	return list
}
