package job

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"motehound/observe/calltree"
	"os"
	"path"
	"path/filepath"
	"slices"

	"motehound/firmware/disk"
	"motehound/firmware/jsonfile"
	"motehound/job/document"
	"motehound/study/behavior"
	"motehound/study/builds"
	"motehound/study/verdict"
	"motehound/world"
	"motehound/world/recipe"
)

// ModelVerify holds a run to approved models.
type ModelVerify struct {
	Model
	Out    string `json:"out,omitempty"`    // the folder for the report, and a recipe of each violation
	Strict bool   `json:"strict,omitempty"` // what is new is a violation even if every rule holds
	Draw   bool   `json:"draw,omitempty"`   // the violations of one firmware are wanted, for a picture
}

// NewModelVerify is the usual request for a file and its approved models.
func NewModelVerify(models, file string) ModelVerify {
	f := ModelVerify{Model: newModel(file)}
	f.Models = models
	return f
}

// VerifiedModels is what one firmware was held to, and what came of it.
type VerifiedModels struct {
	Build    string // what it is called
	Firmware string // its file
	SHA256   string
	Out      string // the folder that has the report
	Document *document.VerifiedModels
	File     *behavior.File // what was approved
	Book     *calltree.Book // what its functions are
}

// ModelsVerified is what model verify found.
type ModelsVerified struct {
	Builds  []VerifiedModels
	Network *document.VerifiedNetwork // if Models is a folder
}

// Document is what is known, as JSON has it.
func (m *ModelsVerified) Document() any {
	if m.Network != nil {
		return m.Network
	}
	return m.Builds[0].Document
}

// Violated reports whether something is.
func (m *ModelsVerified) Violated() bool {
	if m.Network != nil {
		return m.Network.Verdict == verdict.Violated
	}
	return m.Builds[0].Document.Verdict == verdict.Violated
}

// Do makes the run and compares. With an error there may be a result, too: of the builds before it.
func (f ModelVerify) Do(ctx context.Context, h Host) (*ModelsVerified, error) {
	if isFolder(f.Models) {
		return f.verifyFolder(ctx, h)
	}
	file, err := ReadModels(f.Models)
	if err != nil {
		return nil, err
	}
	if err := f.makeOut(); err != nil {
		return nil, err
	}
	rec, w, _, err := f.Load(ctx, f.File, h)
	if err != nil {
		return nil, err
	}
	of, err := f.subject(w, file, h)
	if err != nil {
		return nil, err
	}
	x, err := f.verifyBuild(ctx, rec, w, of, file, h)
	if errors.Is(err, verdict.ErrInterrupted) {
		return nil, &Unfinished{}
	}
	if err != nil {
		return nil, err
	}
	return &ModelsVerified{Builds: []VerifiedModels{x}}, nil
}

// maxRecipes is how many violations get a recipe.
const maxRecipes = 20

// makeOut makes the folder of --out, before a long run.
func (f *ModelVerify) makeOut() error {
	if f.Out != "" {
		if err := os.MkdirAll(f.Out, 0o755); err != nil {
			return fmt.Errorf("--out: %w", err)
		}
	}
	return nil
}

// hold makes a run and holds the motes of a build to approved models.
func (f *ModelVerify) hold(ctx context.Context, rec *recipe.Recipe, w *world.World, of *builds.Build, file *behavior.File, book *calltree.Book,
	h Host) (*document.VerifiedModels, error) {
	name := VectorName(of.Kind.Board.Chip)
	doc := &document.VerifiedModels{Models: f.Models, Firmware: of.Name(), Motes: idsOf(w, of)}
	moments := map[*behavior.Violation]uint64{}
	v, err := behavior.NewVerifier(book, file, func(x *behavior.Violation) { moments[x] = moment(w, x) })
	if err != nil {
		return nil, fmt.Errorf("%s: %w", f.Models, err)
	}
	if err := f.observe(ctx, rec, w, of, book, file.Filter.Filter(), h, v); err != nil {
		return nil, err
	}
	h.doing("comparing with the approved models")
	type graded struct{ violations, news []*behavior.Violation }
	all, ok := Awaited(h.Patience(ctx), func() (x graded) {
		x.violations, x.news = v.Finish()
		return x
	})
	h.done()
	if !ok {
		return nil, verdict.ErrInterrupted
	}
	violations, news := all.violations, all.news
	doc.Instances, doc.More = v.Checked()
	if f.Strict {
		violations, news = append(violations, news...), nil
	}
	listed := func(list []*behavior.Violation) []*document.VerifiedViolation {
		all := []*document.VerifiedViolation{}
		for _, x := range list {
			all = append(all, &document.VerifiedViolation{Violation: x, VectorName: name(x.Vector), UntilPS: moments[x]})
		}
		return all
	}
	doc.Violations, doc.New = listed(violations), listed(news)
	if f.Trace == "" {
		doc.TimeS, doc.Hash = float64(w.Now())/world.Second, w.Hash().String()
	}
	if doc.Instances == 0 && ctx.Err() != nil {
		return nil, verdict.ErrInterrupted
	}
	if doc.Instances == 0 {
		return nil, fmt.Errorf("%w in %v that %s watches: run longer (--time), or look at other motes (--node)", errNoProcedure, f.time(), f.Models)
	}
	kept, err := f.keep(ctx, rec, doc, h)
	if err != nil {
		return nil, err
	}
	c := verdict.Case{Findings: len(doc.Violations)}
	c.Miss("other runs: this was one")
	if ctx.Err() != nil {
		c.Miss(verdict.Interrupted)
	}
	if !kept {
		c.Miss("recipes: no time was left to replay up to each violation")
	}
	doc.Verdict, doc.LeftOut = c.Verdict(), c.LeftOut
	for _, x := range slices.Concat(violations, news) { // now the recipes are made: people know motes by id
		for _, x := range append([]*behavior.Violation{x}, x.Also...) {
			x.Mote = int(w.Motes()[x.Mote].ID())
			for i, m := range x.Motes {
				x.Motes[i] = int(w.Motes()[m].ID())
			}
		}
	}
	return doc, nil
}

// subject is the build that is held to a model file: that of the motes of --node, or else the one that the models are of.
func (f *ModelVerify) subject(w *world.World, file *behavior.File, h Host) (*builds.Build, error) {
	all, err := f.builds(w)
	if err != nil {
		return nil, err
	}
	b := modelled(file, all)
	if len(all) == 1 {
		if mixed := len(builds.Of(w).All()) > 1; mixed && b == nil {
			h.note("the models were made from %s, and are compared with %s", file.Firmware, all[0])
		}
		return all[0], nil
	}
	if b != nil {
		h.note("%s is checked: the models were made from it", b)
		return b, nil
	}
	return nil, fmt.Errorf("%s has the models of %s, but these motes run %d firmware files: choose motes of one firmware with --node: %s", f.Models,
		cmp.Or(file.Firmware, "an unnamed firmware"), len(all), builds.List(all))
}

// modelled is the one among some builds that models are of: by what is in the file, or else by its name; nil if that does not tell.
func modelled(file *behavior.File, all []*builds.Build) *builds.Build {
	for _, is := range []func(*builds.Build) bool{
		func(b *builds.Build) bool { return file.SHA256 == fmt.Sprintf("%x", b.Kind.Image.Hash) },
		func(b *builds.Build) bool { return path.Base(file.Firmware) == path.Base(b.Name()) },
	} {
		var some []*builds.Build
		for _, b := range all {
			if is(b) {
				some = append(some, b)
			}
		}
		if len(some) == 1 {
			return some[0]
		}
	}
	return nil
}

// moment is when the first instance of a violation began, since the start of the world: a mote that has just shown it can tell.
func moment(w *world.World, x *behavior.Violation) uint64 {
	return max(w.TimeOf(x.Mote, min(x.Start, w.Motes()[x.Mote].Cycles())), 1)
}

// keep makes the run again up to each violation, in order of time, and keeps a recipe of each. It tells whether there was time for all.
func (f *ModelVerify) keep(ctx context.Context, rec *recipe.Recipe, doc *document.VerifiedModels, h Host) (all bool, err error) {
	if f.Out == "" || f.Trace != "" { // what came from the field is not run here
		return true, nil
	}
	defer h.done()
	byTime := slices.Clone(doc.Violations)
	byTime = byTime[:min(len(byTime), maxRecipes)]
	slices.SortStableFunc(byTime, func(a, b *document.VerifiedViolation) int { return cmp.Compare(a.UntilPS, b.UntilPS) })
	if len(byTime) == 0 {
		return true, nil
	}
	w, err := rec.World(OpenFirmware)
	if err != nil {
		return false, err
	}
	for n, x := range byTime {
		h.doing("making recipe %d of %d", n+1, len(byTime))
		if !w.RunUnless(func() bool { return ctx.Err() != nil }, x.UntilPS) {
			return false, nil
		}
		r := *rec
		r.Finish(w)
		x.Recipe = filepath.Join(f.Out, x.ID+".json")
		if err := Movable(&r, f.Out).Write(x.Recipe); err != nil {
			return false, fmt.Errorf("--out: %w", err)
		}
	}
	return true, nil
}

// maxReport is how large the files of models and reports may be.
const maxReport = 256 << 20

// ReadModels reads a file of approved models.
func ReadModels(name string) (*behavior.File, error) {
	if name == "" {
		return nil, errors.New("--models FILE is missing; 'motehound model mine --models FILE' makes it")
	}
	data, err := disk.Read(name, maxReport)
	if err != nil {
		return nil, fmt.Errorf("--models: %w", err)
	}
	f, err := behavior.ReadFile(data)
	if err != nil {
		return nil, jsonfile.Named(name, err)
	}
	return f, nil
}
