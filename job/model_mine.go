package job

import (
	"context"
	"errors"
	"fmt"
	"motehound/observe/calltree"
	"slices"

	"motehound/firmware/disk"
	"motehound/job/document"
	"motehound/study/behavior"
	"motehound/study/builds"
	"motehound/study/verdict"
	"motehound/world"
	"motehound/world/recipe"
)

// ModelMine asks for the models, job flows and interleavings of a run.
type ModelMine struct {
	Model
	Vectors     []string `json:"vectors,omitempty"`
	Background  []string `json:"background,omitempty"` // interrupts that may come at any time
	Depths      []string `json:"depth,omitempty"`      // LAYERS, app, or VECTOR=LAYERS
	Drops       []string `json:"drop,omitempty"`       // MODEL or MODEL@DEPTH
	Functions   []string `json:"functions,omitempty"`
	Components  []string `json:"components,omitempty"`
	Sources     []string `json:"files,omitempty"`
	Exclude     []string `json:"exclude,omitempty"`
	Helpers     bool     `json:"helpers,omitempty"`
	Wiring      bool     `json:"wiring,omitempty"`
	Kernel      bool     `json:"kernel_functions,omitempty"`
	Runs        *int     `json:"runs,omitempty"` // nil for one, or up to 50 with UntilStable
	UntilStable int      `json:"until_stable,omitempty"`
	Force       bool     `json:"force,omitempty"` // write over an existing file of Models
	Draw        bool     `json:"draw,omitempty"`  // the models of one firmware are wanted, for a picture
}

// NewModelMine is the usual request for a file.
func NewModelMine(file string) ModelMine { return ModelMine{Model: newModel(file)} }

// MinedModels is what was mined of one firmware.
type MinedModels struct {
	Build    string // what it is called
	Document *document.MinedModels
	Book     *calltree.Book // what its functions are
}

// ModelsMined is what model mine found.
type ModelsMined struct {
	Builds  []MinedModels
	Network *document.MinedNetwork // if several firmware files were asked for
}

// Document is what is known, as JSON has it.
func (m *ModelsMined) Document() any {
	if m.Network != nil {
		return m.Network
	}
	return m.Builds[0].Document
}

func (f *ModelMine) filter() calltree.Filter {
	return calltree.Filter{Include: slices.Concat(f.Functions, f.Components, f.Sources), Exclude: f.Exclude, Helpers: f.Helpers, Wiring: f.Wiring, Kernel: f.Kernel}
}

// Do makes the runs, finds the models, and keeps them if that is asked for. With an error there may be a result, too: of the builds before
// it.
func (f ModelMine) Do(ctx context.Context, h Host) (*ModelsMined, error) {
	if !isFolder(f.Models) {
		if err := f.mayWrite(f.Models); err != nil {
			return nil, err
		}
	}
	rec, w, _, err := f.Load(ctx, f.File, h)
	if err != nil {
		return nil, err
	}
	of, err := f.builds(w)
	if err != nil {
		return nil, err
	}
	if len(of) > 1 || isFolder(f.Models) {
		return f.mineSeveral(ctx, rec, of, h)
	}
	doc, book, err := f.mineBuild(ctx, rec, w, of[0], h)
	if errors.Is(err, verdict.ErrInterrupted) {
		return nil, &Unfinished{}
	}
	if err != nil {
		return nil, err
	}
	if f.Models != "" && !doc.Half() {
		if err := disk.Write(f.Models, doc.File.Bytes(), 0o666); err != nil {
			return nil, fmt.Errorf("--models: %w", err)
		}
	}
	return &ModelsMined{Builds: []MinedModels{{of[0].String(), doc, book}}}, nil
}

// mineBuild mines the motes of a build.
func (f *ModelMine) mineBuild(ctx context.Context, rec *recipe.Recipe, w *world.World, of *builds.Build, h Host) (*document.MinedModels, *calltree.Book, error) {
	plan, watched, err := f.plan(of)
	if err != nil {
		return nil, nil, err
	}
	book := calltree.NewBook()
	miner := behavior.NewMiner(book, plan, watched)
	if f.Trace == "" {
		miner.WatchData()
	}
	doc := &document.MinedModels{Board: of.Kind.Board.Name, Motes: idsOf(w, of), Rivals: []document.RivalFlow{}, LeftOut: []string{}}
	err = f.learn(ctx, rec, w, of, miner, doc, h)
	if err == nil && ctx.Err() != nil {
		doc.LeftOut = append(doc.LeftOut, verdict.Interrupted)
		h.say("%s: these models cover only a part of the run", verdict.Interrupted)
		if f.Models != "" {
			h.say("--models %s is not written: an incomplete run must not be approved", f.Models)
		}
	}
	return doc, book, err
}

// plan is what the flags ask for, with the interrupts of a build's chip.
func (f *ModelMine) plan(of *builds.Build) (plan behavior.Scope, watched []uint16, err error) {
	chip := of.Kind.Board.Chip
	if watched, err = VectorNumbers(chip, "vector", f.Vectors); err != nil {
		return plan, nil, err
	}
	if plan, err = depthFlags(f.usualDepth(of), f.Depths, f.Drops, chip.Vector); err != nil {
		return plan, nil, err
	}
	plan.Timers = Timers(chip)
	plan.Background, err = VectorNumbers(chip, "background", f.Background)
	return plan, watched, err
}
