package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"motehound/firmware/disk"
	"motehound/firmware/jsonfile"
	"motehound/job"
	"motehound/job/document"
	"motehound/study/behavior"
	"motehound/study/builds"
	"motehound/study/verdict"
	"motehound/world"
	"motehound/world/recipe"
)

// modelVerifyFlags are those of model verify.
type modelVerifyFlags struct {
	modelFlags
	out    string
	strict bool
	draw   pictureFlags
}

func modelVerifyCommand() *cobra.Command {
	var f modelVerifyFlags
	cmd := &cobra.Command{
		Use:   "verify [flags] --models FILE FIRMWARE|SCENARIO",
		Short: "Check a run against approved models",
		Long: `Runs a firmware and reports what is not as in the approved file: event procedures that are like none of its models, with the
function where they leave the nearest one; stretches of a model sequence that are not made of its job flows; and models that
interleave a flow which they did not interleave before. Depths, drops and filters are those of the file. Each cause is told once,
with its first instance. Exit status 1 means that there are violations.

A file has the models of one firmware. In a network of different firmware, the motes that run it are checked, or those of --node. If
--models names a folder, each file in it is held against the motes that run its firmware.

--out DIR keeps report.json, for 'model approve', and a recipe for each violation that replays to it. --html,
--svg and --dot draw the violations beside what was approved.`,
		Args: exactlyOne("firmware file", "example:sense"),
		RunE: func(cmd *cobra.Command, args []string) error { return f.verify(cmd.Context(), args[0]) },
	}
	fl := cmd.Flags()
	f.register(fl)
	fl.BoolVar(&f.strict, "strict", false, "what is new is a violation even if every rule holds")
	fl.StringVar(&f.out, "out", "", about("out"))
	f.draw.register(fl)
	f.registerOutput(fl)
	return cmd
}

// verifiedDocument is what model verify prints as JSON.
type verifiedDocument struct {
	Verdict    verdict.Verdict      `json:"verdict"` // violated, or unknown: a run shows what it shows
	LeftOut    []string             `json:"left_out"`
	Instances  uint64               `json:"instances"`
	TimeS      float64              `json:"time_s"`
	Hash       string               `json:"hash"`
	Violations []*verifiedViolation `json:"violations"`
	New        []*verifiedViolation `json:"new"`            // not approved, but every rule about it held
	More       int                  `json:"more,omitempty"` // occurrences of causes that are not listed
	Models     string               `json:"models"`
	Firmware   string               `json:"firmware"` // that was checked
	Motes      []int                `json:"motes"`    // node ids
}

// verifiedViolation is a violation with the moment and the recipe that leads to it.
type verifiedViolation struct {
	*behavior.Violation
	VectorName string `json:"vector_name"`
	UntilPS    uint64 `json:"until_ps"`
	Recipe     string `json:"recipe,omitempty"`
}

// maxRecipes is how many violations get a recipe.
const maxRecipes = 20

func (f *modelVerifyFlags) verify(ctx context.Context, firmware string) error {
	if isFolder(f.models) {
		return f.verifyFolder(ctx, firmware)
	}
	file, err := readModels(f.models)
	if err != nil {
		return err
	}
	if err := f.makeOut(); err != nil {
		return err
	}
	term := newTerminal(f.json, f.quiet, nil)
	rec, w, _, err := f.load(ctx, firmware, term)
	if err != nil {
		return err
	}
	of, err := f.subject(w, file, term)
	if err != nil {
		return err
	}
	book := behavior.NewBook()
	doc, err := f.hold(ctx, rec, w, of, file, book, term)
	if errors.Is(err, verdict.ErrInterrupted) {
		return unfinished(term)
	}
	if err != nil {
		return err
	}
	if err := f.draw.drawVerified(file, doc, book, of.Name()); err != nil {
		return err
	}
	if err := f.keepReport(doc); err != nil {
		return err
	}
	return f.report(doc, term)
}

// makeOut makes the folder of --out, before a long run.
func (f *modelVerifyFlags) makeOut() error {
	if f.out != "" {
		if err := os.MkdirAll(f.out, 0o755); err != nil {
			return fmt.Errorf("--out: %w", err)
		}
	}
	return nil
}

// hold makes a run and holds the motes of a build to approved models.
func (f *modelVerifyFlags) hold(ctx context.Context, rec *recipe.Recipe, w *world.World, of *builds.Build, file *behavior.File, book *behavior.Book,
	term *terminal) (*verifiedDocument, error) {
	name := job.VectorName(of.Kind.Board.Chip)
	doc := &verifiedDocument{Models: f.models, Firmware: of.Name(), Motes: idsOf(w, of)}
	moments := map[*behavior.Violation]uint64{}
	v, err := behavior.NewVerifier(book, file, func(x *behavior.Violation) { moments[x] = moment(w, x) })
	if err != nil {
		return nil, fmt.Errorf("%s: %w", f.models, err)
	}
	if err := f.observe(ctx, rec, w, of, book, file.Filter.Filter(), term, v); err != nil {
		return nil, err
	}
	term.doing("comparing with the approved models")
	type graded struct{ violations, news []*behavior.Violation }
	all, ok := job.Awaited(term.host().Patience(ctx), func() (x graded) {
		x.violations, x.news = v.Finish()
		return x
	})
	term.clear()
	if !ok {
		return nil, verdict.ErrInterrupted
	}
	violations, news := all.violations, all.news
	doc.Instances, doc.More = v.Checked()
	if f.strict {
		violations, news = append(violations, news...), nil
	}
	listed := func(list []*behavior.Violation) []*verifiedViolation {
		all := []*verifiedViolation{}
		for _, x := range list {
			all = append(all, &verifiedViolation{Violation: x, VectorName: name(x.Vector), UntilPS: moments[x]})
		}
		return all
	}
	doc.Violations, doc.New = listed(violations), listed(news)
	if f.field.trace == "" {
		doc.TimeS, doc.Hash = float64(w.Now())/world.Second, w.Hash().String()
	}
	if doc.Instances == 0 && ctx.Err() != nil {
		return nil, verdict.ErrInterrupted
	}
	if doc.Instances == 0 {
		return nil, fmt.Errorf("%w in %v that %s watches: run longer (--time), or look at other motes (--node)", errNoProcedure, f.time, f.models)
	}
	kept, err := f.keep(ctx, rec, doc, term)
	if err != nil {
		return nil, err
	}
	c := verdict.Case{Findings: len(doc.Violations)}
	c.Miss("other runs: this was one")
	if ctx.Err() != nil {
		c.Miss(verdict.Interrupted)
	}
	if !kept {
		c.Miss("recipes: there was no time to make the run again up to each violation")
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
func (f *modelVerifyFlags) subject(w *world.World, file *behavior.File, term *terminal) (*builds.Build, error) {
	all, err := f.builds(w)
	if err != nil {
		return nil, err
	}
	b := modelled(file, all)
	if len(all) == 1 {
		if mixed := len(builds.Of(w).All()) > 1; mixed && b == nil {
			term.note("the models are of %s, and are compared with %s", file.Firmware, all[0])
		}
		return all[0], nil
	}
	if b != nil {
		term.note("%s is checked, which the models are of", b)
		return b, nil
	}
	return nil, fmt.Errorf("%s has the models of %s, and these motes run %d firmware files: choose motes of one with --node: %s", f.models,
		cmp.Or(file.Firmware, "a firmware that it does not name"), len(all), builds.List(all))
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

// keepReport writes report.json into the folder of --out.
func (f *modelVerifyFlags) keepReport(doc *verifiedDocument) error {
	if f.out == "" {
		return nil
	}
	return job.WriteFile("--out", filepath.Join(f.out, "report.json"), func(to io.Writer) error { return document.Write(to, doc) })
}

// report prints what was found.
func (f *modelVerifyFlags) report(doc *verifiedDocument, term *terminal) error {
	if f.json {
		if err := document.Write(stdout, doc); err != nil {
			return err
		}
	} else {
		p := modelPrinter{to: term.text}
		p.verified(doc, f.out)
	}
	if doc.Verdict == verdict.Violated {
		return errFound
	}
	return nil
}

// moment is when the first instance of a violation began, as the mote that has just shown it can tell.
func moment(w *world.World, x *behavior.Violation) uint64 {
	m := w.Motes()[x.Mote]
	since := (m.Cycles() - min(x.Start, m.Cycles())) * (1_000_000_000_000 / m.Hertz())
	return max(m.Time()-min(since, m.Time()), 1)
}

// keep makes the run again up to each violation, in order of time, and keeps a recipe of each. It tells whether there was time for all.
func (f *modelVerifyFlags) keep(ctx context.Context, rec *recipe.Recipe, doc *verifiedDocument, term *terminal) (all bool, err error) {
	if f.out == "" || f.field.trace != "" { // what came from the field is not run here
		return true, nil
	}
	defer term.clear()
	byTime := slices.Clone(doc.Violations)
	byTime = byTime[:min(len(byTime), maxRecipes)]
	slices.SortStableFunc(byTime, func(a, b *verifiedViolation) int { return cmp.Compare(a.UntilPS, b.UntilPS) })
	if len(byTime) == 0 {
		return true, nil
	}
	w, err := rec.World(job.OpenFirmware)
	if err != nil {
		return false, err
	}
	for n, x := range byTime {
		term.doing("making recipe %d of %d", n+1, len(byTime))
		if !w.RunUnless(func() bool { return ctx.Err() != nil }, x.UntilPS) {
			return false, nil
		}
		r := *rec
		r.Finish(w)
		x.Recipe = filepath.Join(f.out, x.ID+".json")
		if err := job.Movable(&r, f.out).Write(x.Recipe); err != nil {
			return false, fmt.Errorf("--out: %w", err)
		}
	}
	return true, nil
}

// maxReport is how large the files of models and reports may be.
const maxReport = 256 << 20

// readModels reads the file of --models.
func readModels(name string) (*behavior.File, error) {
	if name == "" {
		return nil, errors.New("--models FILE is missing: the approved models, which 'motehound model mine --models FILE' makes")
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

func modelApproveCommand() *cobra.Command {
	var models string
	var ids []string
	var all bool
	cmd := &cobra.Command{
		Use:   "approve --models FILE (--all | --id ID...) REPORT",
		Short: "Add violations to the approved models",
		Long: `Adds violations that turned out to be fine to the file: those with the given ids, or all. REPORT is what 'model verify --json'
printed, or DIR/report.json of its --out DIR.`,
		Args: exactlyOne("report of model verify", "DIR/report.json"),
		RunE: func(_ *cobra.Command, args []string) error { return approveModels(models, args[0], ids, all) },
	}
	fl := cmd.Flags()
	fl.SortFlags = false
	fl.StringVar(&models, "models", "", about("models"))
	fl.StringArrayVar(&ids, "id", nil, "add the violation with this `id` (repeatable)")
	fl.BoolVar(&all, "all", false, about("all"))
	return cmd
}

func approveModels(models, report string, ids []string, all bool) error {
	if all == (len(ids) > 0) {
		return errors.New("say which violations are fine: --all, or --id ID")
	}
	file, err := readModels(models)
	if err != nil {
		return err
	}
	data, err := disk.Read(report, maxReport)
	if err != nil {
		return err
	}
	var doc struct {
		Violations *[]*behavior.Violation `json:"violations"`
		New        []*behavior.Violation  `json:"new"`
	}
	if err := jsonfile.Read("not a report of 'model verify'", data, &doc); err != nil {
		return jsonfile.Named(report, err)
	}
	if doc.Violations == nil {
		return fmt.Errorf("%s is not a report of 'model verify': it has no violations", report)
	}
	if slices.Contains(*doc.Violations, nil) || slices.Contains(doc.New, nil) {
		return fmt.Errorf("%s is not a report of 'model verify': a violation is null", report)
	}
	added, err := file.Approve(append(*doc.Violations, doc.New...), ids)
	if err != nil {
		return fmt.Errorf("%s: %w", report, err)
	}
	if len(added) == 0 {
		fmt.Fprintln(stdout, "nothing to add: the file has it all")
		return nil
	}
	if err := disk.Write(models, file.Bytes(), 0o666); err != nil {
		return fmt.Errorf("--models: %w", err)
	}
	for _, what := range added {
		fmt.Fprintln(stdout, "added", what)
	}
	return nil
}
