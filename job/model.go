package job

import (
	"context"
	"fmt"
	"strings"

	"motehound/job/phrase"
	"motehound/observe/calltree"
	"motehound/study/behavior"
	"motehound/study/builds"
	"motehound/world"
	"motehound/world/recipe"
)

// Model is what the jobs about models have in common.
type Model struct {
	World
	Field
	File   string   `json:"file"`             // firmware or scenario
	Node   []string `json:"node"`             // node ids, or all
	Models string   `json:"models,omitempty"` // the file of approved models, or a folder with one for each firmware
}

func newModel(file string) Model {
	return Model{World: NewWorld(), Field: Field{Log: Log{Layout: UsualLayout}}, File: file, Node: []string{"all"}}
}

// builds are those of the motes of --node.
func (f *Model) builds(w *world.World) ([]*builds.Build, error) {
	motes, err := f.motes(w)
	if err != nil {
		return nil, err
	}
	return builds.Of(w).Among(motes), nil
}

// motes are the indices of --node; nil for all.
func (f *Model) motes(w *world.World) ([]int, error) { return ChosenMotes(w, f.Node) }

// listener hears of a run: behavior's Miner and Verifier.
type listener interface {
	Take(calltree.Instance) // in order of start
	Touch(calltree.Touch)
	Data() bool // Touch matters
	NoData()    // there is no variable of which it could hear
}

// observe makes the run of a recipe and tells of the motes of a build.
func (f *Model) observe(ctx context.Context, rec *recipe.Recipe, w *world.World, of *builds.Build, book *calltree.Book, filter calltree.Filter,
	h Host, to listener) error {
	if f.Trace != "" {
		return f.Instances(rec, w, of.Motes, book, h, to.Take)
	}
	opt := calltree.Options{Motes: of.Motes, Filter: filter, ByStart: true}
	if to.Data() {
		opt.Touched = to.Touch
	}
	watch, err := calltree.Watch(w, book, opt, to.Take)
	if err != nil {
		return err
	}
	if to.Data() && !watch.Data() {
		to.NoData()
	}
	for _, n := range watch.Notes() {
		h.note("%s", n)
	}
	drive(ctx, w, rec.Until, 0, h.running(rec.Until))
	watch.Close()
	h.done()
	for _, line := range doubts(watch.Stats()) {
		h.note("%s", line)
	}
	return nil
}

// doubts says what the trees may lack.
func doubts(s calltree.Stats) []string {
	var list []string
	add := func(n uint64, text string) {
		if n > 0 {
			list = append(list, fmt.Sprintf("%s %s", phrase.Grouped(n), text))
		}
	}
	add(s.Deep, "calls were nested too deeply to be followed")
	add(s.Cut, "instances made too many calls: their trees are cut off with an ellipsis")
	add(s.Stray, "times code ran although no call of it was seen: trees may lack functions")
	add(s.Unsure, "instances were open for so long that some of their interleavings are not known")
	return list
}

// depthFlags read --depth and --drop; usual is the depth where none is given.
func depthFlags(usual behavior.Depth, depths, drops []string, vector func(string) (uint8, error)) (behavior.Scope, error) {
	p := behavior.Scope{Depth: usual, Depths: map[uint16]behavior.Depth{}}
	for _, text := range depths {
		name, value, one := strings.Cut(text, "=")
		if !one {
			name, value = "", text
		}
		d, err := behavior.ParseDepth(value)
		if err != nil {
			return p, fmt.Errorf("--depth: %w; or for one interrupt, such as SPI_STC=4", err)
		}
		if !one {
			p.Depth = d
			continue
		}
		v, err := vector(name)
		if err != nil {
			return p, &NoVectorError{Flag: "depth", Err: err}
		}
		p.Depths[uint16(v)] = d
	}
	for _, text := range drops {
		name, depth, given := strings.Cut(text, "@")
		d := behavior.Drop{Model: name}
		v, err := behavior.VectorOf(name)
		if err != nil {
			return p, fmt.Errorf("--drop: %w, or a name with its depth, such as B18@2", err)
		}
		if d.Depth = p.Of(v); given {
			if d.Depth, err = behavior.ParseDepth(depth); err != nil {
				return p, fmt.Errorf("--drop %s: %w", text, err)
			}
		}
		p.Drops = append(p.Drops, d)
	}
	if err := p.Check(); err != nil {
		return p, fmt.Errorf("--drop: %w", err)
	}
	return p, nil
}
