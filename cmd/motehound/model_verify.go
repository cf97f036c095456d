package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"motehound/study/behavior"
	"motehound/study/verdict"
	"motehound/world"
	"motehound/world/disk"
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

--out DIR keeps report.json, for 'model approve', and a recipe for each violation that replays to it. --html,
--svg and --dot draw the violations beside what was approved.`,
		Args: exactlyOne("firmware file", "example:sense"),
		RunE: func(cmd *cobra.Command, args []string) error { return f.verify(cmd.Context(), args[0]) },
	}
	fl := cmd.Flags()
	f.register(fl, "the approved `file`")
	fl.BoolVar(&f.strict, "strict", false, "what is new is a violation even if every rule holds")
	fl.StringVar(&f.out, "out", "", "keep report.json and recipes in this `folder`")
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
	file, err := readModels(f.models)
	if err != nil {
		return err
	}
	if f.out != "" {
		if err := os.MkdirAll(f.out, 0o755); err != nil {
			return fmt.Errorf("--out: %w", err)
		}
	}
	term := newTerminal(f.json, f.quiet, nil)
	rec, w, _, err := f.load(ctx, firmware, term)
	if err != nil {
		return err
	}
	name := vectorName(w.Motes()[0].Chip())
	book := behavior.NewBook()
	doc := &verifiedDocument{Models: f.models}
	moments := map[*behavior.Violation]uint64{}
	v, err := behavior.NewVerifier(book, file, func(x *behavior.Violation) { moments[x] = moment(w, x) })
	if err != nil {
		return fmt.Errorf("%s: %w", f.models, err)
	}
	if err := f.observe(ctx, rec, w, book, file.Filter.Filter(), term, v); err != nil {
		return err
	}
	term.doing("comparing with the approved models")
	type graded struct{ violations, news []*behavior.Violation }
	all, ok := awaited(patience(ctx), func() (x graded) {
		x.violations, x.news = v.Finish()
		return x
	})
	term.clear()
	if !ok {
		return unfinished(term)
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
		return unfinished(term)
	}
	if doc.Instances == 0 {
		return fmt.Errorf("no event procedure that %s watches ended in %v: run longer (--time), or look at other motes (--node)", f.models, f.time)
	}
	kept, err := f.keep(ctx, rec, doc, term)
	if err != nil {
		return err
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
	if err := f.draw.drawVerified(file, doc, book, w.Motes()[0].Kind.Image.Path); err != nil {
		return err
	}
	return f.report(doc, term)
}

// report prints what was found.
func (f *modelVerifyFlags) report(doc *verifiedDocument, term *terminal) error {
	if f.out != "" {
		if err := writeFile("--out", filepath.Join(f.out, "report.json"), func(to io.Writer) error { return writeJSON(to, doc) }); err != nil {
			return err
		}
	}
	if f.json {
		if err := writeJSON(stdout, doc); err != nil {
			return err
		}
	} else {
		p := modelPrinter{to: term.text}
		p.verified(doc, f.out)
	}
	if len(doc.Violations) > 0 {
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
	w, err := rec.World(openFirmware)
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
		if err := movable(&r, f.out).Write(x.Recipe); err != nil {
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
		return nil, disk.Named(name, err)
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
	fl.StringVar(&models, "models", "", "the approved `file`, to which is added")
	fl.StringArrayVar(&ids, "id", nil, "add the violation with this `id` (repeatable)")
	fl.BoolVar(&all, "all", false, "add all")
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
	if err := disk.ReadJSON("not a report of 'model verify'", data, &doc); err != nil {
		return disk.Named(report, err)
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
