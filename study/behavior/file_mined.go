package behavior

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"motehound/observe/calltree"
)

// Source is what a model file says about its origin, and how ids and names are found.
type Source struct {
	Firmware, SHA256 string
	Filter           calltree.Filter
	VectorName       func(uint16) string
	MoteID           func(index int) int
}

// FileOf is the model file of what was mined.
func (m *Miner) FileOf(mined []MinedVector, src Source) *File {
	f := &File{Version: fileVersion, Firmware: src.Firmware, SHA256: src.SHA256, Depth: m.scope.Depth.String(), Every: m.watched == nil,
		Filter: FileFilter{Include: src.Filter.Include, Exclude: src.Filter.Exclude, Helpers: src.Filter.Helpers, Wiring: src.Filter.Wiring,
			Kernel: src.Filter.Kernel}}
	names := map[*Model]string{}
	for _, v := range mined {
		for _, model := range v.Models {
			names[model] = fileName(model, v.Depth)
		}
	}
	for _, v := range mined {
		out := FileVector{Vector: v.Vector, Name: src.VectorName(v.Vector), Depth: v.Depth.String(), Watched: v.Watched, Loose: v.Loose,
			Idle: v.Background}
		for i, model := range v.Models {
			fm := fileModel(model, names[model])
			fm.Count, fm.Summary = v.Counts[i], summary(m.Cast.Lens, model, v.Models)
			if model.Dropped && model.Depth != v.Depth {
				fm.Depth = model.Depth.String()
			}
			out.Models = append(out.Models, fm)
		}
		for _, flow := range v.Flows {
			ff := FileFlow{Models: m.Cast.Names(flow.Pattern), Main: flow.Main, Count: flow.Count, Share: math.Round(flow.Share*1e4) / 1e4}
			for _, o := range flow.Others {
				ff.Interleaved = append(ff.Interleaved, FileInterleaving{Model: names[o.Model], Inside: o.Inside, Between: o.Between,
					Example: &FileExample{Mote: src.MoteID(o.Mote % motesPerRun), Run: o.Mote / motesPerRun, Instance: o.At.Number, Cycle: o.At.Start}})
			}
			out.Flows = append(out.Flows, ff)
		}
		f.Vectors = append(f.Vectors, out)
	}
	m.addOrders(f, names)
	f.sort()
	return f
}

// addOrders adds how data was used.
func (m *Miner) addOrders(f *File, names map[*Model]string) {
	if f.Data = m.data; m.scope.Depth == AppDepth {
		f.Rules, f.Requests = m.rules.rules(), m.asked.requests()
	}
	for k, o := range m.orders { // sorted later
		f.Orders = append(f.Orders, DataOrder{k.variable, Access{names[o.after], k.inA, true}, Access{names[o.at], k.inB, k.write}})
	}
}

// fileName is a model's name; one that was dropped before the last depth has its depth in it, since names begin anew there.
func fileName(m *Model, final Depth) string {
	if m.Depth == final {
		return m.Name
	}
	return fmt.Sprint(m.Name, "@", m.Depth)
}

func fileModel(m *Model, name string) FileModel {
	fm := FileModel{Name: name, Dropped: m.Dropped, Functions: formatTree(m.Common, m.Depth.layers())}
	if m.Depth.half() {
		fm.Variants = m.lines
	}
	return fm
}

// Names is a pattern as people read it.
func (c *Cast) Names(p Pattern) string {
	list := make([]string, len(p))
	for i, n := range p {
		list[i] = c.Models[n].Name
	}
	return strings.Join(list, " ")
}

// approved is an interrupt of a model file, made ready to compare with.
type approved struct {
	file   *FileVector
	depth  Depth
	stages []*classifier // by depth, the last is the interrupt's
	novel  *classifier   // what nobody approved
	flows  []Pattern
	others []modelSet // M(J) of each flow
}

// load makes the interrupts of a file ready.
func load(c *Cast, f *File) (all map[uint16]*approved, byName map[string]*Model, err error) {
	if err := f.check(); err != nil {
		return nil, nil, err
	}
	all, byName = map[uint16]*approved{}, map[string]*Model{}
	for i := range f.Vectors {
		v := &f.Vectors[i]
		a := &approved{file: v}
		a.depth, _ = ParseDepth(v.Depth)
		stages := map[int]*classifier{int(a.depth): newClassifier(c, v.Vector, a.depth)}
		for j := range v.Models {
			m, err := loadModel(c, stages, a.depth, v.Vector, &v.Models[j])
			if err != nil {
				return nil, nil, err
			}
			byName[v.Models[j].Name] = m
		}
		for _, d := range slices.Sorted(maps.Keys(stages)) {
			a.stages = append(a.stages, stages[d])
		}
		a.novel = newClassifier(c, v.Vector, a.depth)
		all[v.Vector] = a
	}
	for _, a := range all { // each by itself
		for _, flow := range a.file.Flows {
			var p Pattern
			for _, name := range strings.Fields(flow.Models) {
				p = append(p, byName[name].Number)
			}
			var others modelSet
			for _, x := range flow.Interleaved {
				others.add(byName[x.Model].Number)
			}
			a.flows, a.others = append(a.flows, p), append(a.others, others)
		}
	}
	return all, byName, nil
}

// loadModel puts a model of a file into the stage of its depth.
func loadModel(c *Cast, stages map[int]*classifier, depth Depth, vector uint16, fm *FileModel) (*Model, error) {
	if fm.Depth != "" {
		depth, _ = ParseDepth(fm.Depth)
	}
	stage := stages[int(depth)]
	if stage == nil {
		stage = newClassifier(c, vector, depth)
		stages[int(depth)] = stage
	}
	tree, err := parseTree(c.Book, fm.Functions)
	if err != nil {
		return nil, fmt.Errorf("model %s: %w", fm.Name, err)
	}
	m := stage.add(fm.Name)
	m.Dropped = fm.Dropped
	stage.join(m, tree)
	for _, lines := range fm.Variants {
		variant, err := parseTree(c.Book, lines)
		if err != nil {
			return nil, fmt.Errorf("model %s: a variant: %w", fm.Name, err)
		}
		if layer := c.Lens.layer(variant, 1); depth.half() && m.takes(layer) {
			m.include(layer, lines)
		}
	}
	return m, nil
}
