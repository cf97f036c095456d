package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"motehound/firmware/disk"
	"motehound/job"
	"motehound/job/document"
	"motehound/job/phrase"
	"motehound/study/behavior"
	"motehound/study/builds"
	"motehound/study/verdict"
	"motehound/world"
	"motehound/world/recipe"
)

// Models are of one firmware. A network of different firmware has a folder of model files, one for each.

// modelsExt ends the names of the files in such a folder.
const modelsExt = ".models.json"

// isFolder tells whether --models names a folder.
func isFolder(models string) bool {
	if strings.HasSuffix(models, "/") {
		return true
	}
	info, err := os.Stat(models)
	return err == nil && info.IsDir()
}

// mayWrite refuses to write over a model file, unless --force is given.
func (f *modelMineFlags) mayWrite(file string) error {
	if _, err := os.Stat(file); file == "" || f.force || err != nil {
		return nil
	}
	return fmt.Errorf("--models %s: there is one already; --force writes over it, and 'model approve' adds to it", file)
}

// idsOf are the node ids of a build's motes.
func idsOf(w *world.World, of *builds.Build) (ids []int) {
	for _, i := range of.Motes {
		ids = append(ids, int(w.Motes()[i].ID()))
	}
	return ids
}

// modelFiles names a file in a folder for each build: after its firmware, and its board if there are several of that name.
func modelFiles(folder string, of []*builds.Build) (files []string) {
	for _, b := range of {
		name := strings.TrimSuffix(path.Base(b.Name()), path.Ext(b.Name()))
		file := filepath.Join(folder, name+modelsExt)
		for _, more := range []string{"-" + b.Kind.Board.Name, fmt.Sprintf("-%d", b.Kind.Board.Hertz)} {
			if slices.Contains(files, file) {
				name += more
				file = filepath.Join(folder, name+modelsExt)
			}
		}
		files = append(files, file)
	}
	return files
}

// mineSeveral mines the motes of several builds: names and numbers of interrupts and functions are each build's own. A build that has
// none of the interrupts that the flags name is left out, and so is one in which nothing happens.
func (f *modelMineFlags) mineSeveral(ctx context.Context, rec *recipe.Recipe, of []*builds.Build, term *terminal) error {
	if f.draw.wanted() || f.models != "" && !isFolder(f.models) {
		return fmt.Errorf("these motes run %d firmware files, and --html, --svg, --dot and a file of --models are for one: choose motes of one with --node "+
			"(for --models, a folder does too): %s", len(of), builds.List(of))
	}
	files := modelFiles(f.models, of)
	for _, file := range files {
		if err := f.mayWrite(file); f.models != "" && err != nil {
			return err
		}
	}
	docs, leftOut, p := []*minedDocument{}, []string{}, modelPrinter{to: term.text}
	var first error
	for i, b := range of {
		if ctx.Err() != nil {
			leftOut = append(leftOut, fmt.Sprintf("%s: %s", b, verdict.Interrupted))
			continue
		}
		w, err := rec.World(job.OpenFirmware)
		if err != nil {
			return err
		}
		doc, _, err := f.mineBuild(ctx, rec, w, b, term)
		if errors.As(err, new(*job.NoVectorError)) || errors.Is(err, errNoProcedure) {
			first = cmp.Or(first, err)
			term.note("%s is left out: %v", b, err)
			continue
		}
		if errors.Is(err, verdict.ErrInterrupted) {
			leftOut = append(leftOut, fmt.Sprintf("%s: %s", b, verdict.Interrupted))
			continue
		}
		if err == nil && !doc.half() {
			err = f.keepIn(files[i], doc)
		}
		if err != nil {
			return err
		}
		docs = append(docs, doc)
		if !f.json {
			p.printf("\n%s:\n", b)
			p.file(doc.File, doc.Rivals)
		}
	}
	if !f.json {
		printLeftOut(term, leftOut)
	}
	switch {
	case len(docs) == 0 && len(leftOut) > 0:
		return unfinished(term, leftOut...)
	case len(docs) == 0:
		return first
	case f.json:
		return document.Write(stdout, map[string]any{"builds": docs, "left_out": leftOut})
	case ctx.Err() != nil:
	case f.models != "":
		p.printf("\nkept in %s; check later runs: motehound model verify --models %s ...\n", f.models, f.models)
	default:
		p.printf("\n--models DIR/ keeps this, a file for each firmware, for motehound model verify\n")
	}
	return nil
}

// keepIn writes what was mined into a file of the folder of --models, if there is one.
func (f *modelMineFlags) keepIn(file string, doc *minedDocument) error {
	if f.models == "" {
		return nil
	}
	if err := os.MkdirAll(f.models, 0o755); err != nil {
		return fmt.Errorf("--models: %w", err)
	}
	if err := disk.Write(file, doc.File.Bytes(), 0o666); err != nil {
		return fmt.Errorf("--models: %w", err)
	}
	return nil
}

// verifiedNetwork is what model verify prints as JSON if --models is a folder.
type verifiedNetwork struct {
	Verdict verdict.Verdict     `json:"verdict"`  // of all builds
	LeftOut []string            `json:"left_out"` // that of all builds; and motes of which there are no models, or for which there was no time
	Builds  []*verifiedDocument `json:"builds"`
}

// verifyFolder holds the motes of each firmware to the file of a folder that has its models.
func (f *modelVerifyFlags) verifyFolder(ctx context.Context, firmware string) error {
	if f.draw.wanted() {
		return fmt.Errorf("--html, --svg and --dot draw the models of one firmware: name its file with --models, not the folder %s", f.models)
	}
	names, err := filepath.Glob(filepath.Join(globbed(f.models), "*.json"))
	if err != nil || len(names) == 0 {
		return fmt.Errorf("--models %s: there is no model file in it; 'motehound model mine --models %s' makes them", f.models, f.models)
	}
	term := newTerminal(f.json, f.quiet, nil)
	rec, w, _, err := f.load(ctx, firmware, term)
	if err != nil {
		return err
	}
	all, err := f.builds(w)
	if err != nil {
		return err
	}
	net := &verifiedNetwork{Builds: []*verifiedDocument{}}
	var c verdict.Case
	var checked []*builds.Build
	for _, name := range names { // in order
		file, err := readModels(name)
		if err != nil {
			return err
		}
		of := modelled(file, all)
		if of == nil {
			term.note("%s is left out: it has the models of %s, which is not one of %s", name, cmp.Or(file.Firmware, "a firmware that it does not name"), builds.List(all))
			continue
		}
		if w, err = rec.World(job.OpenFirmware); err != nil {
			return err
		}
		checked = append(checked, of)
		doc, err := f.of(name).verifyBuild(ctx, rec, w, of, file, term)
		if errors.Is(err, verdict.ErrInterrupted) {
			c.Miss(fmt.Sprintf("%s: %s", of, verdict.Interrupted))
			continue
		}
		if err != nil {
			return err
		}
		net.Builds = append(net.Builds, doc)
		c.Findings += len(doc.Violations)
		c.Miss(doc.LeftOut...)
	}
	if len(checked) == 0 {
		return fmt.Errorf("--models %s: there are no models of what the motes run: %s", f.models, builds.List(all))
	}
	for _, b := range all {
		if !slices.Contains(checked, b) {
			c.Miss(fmt.Sprintf("%s: %s has no models of it", b, f.models))
		}
	}
	if len(net.Builds) == 0 {
		return unfinished(term, c.LeftOut...)
	}
	net.Verdict, net.LeftOut = c.Verdict(), some(c.LeftOut)
	return f.reportNetwork(net, term)
}

// globbed is the name of a folder as a pattern that matches nothing else.
func globbed(folder string) string {
	return strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`).Replace(folder)
}

// of is the flags for one file of the folder: what --out keeps of it has a folder of its own.
func (f *modelVerifyFlags) of(file string) *modelVerifyFlags {
	g := *f
	g.models = file
	if f.out != "" {
		g.out = filepath.Join(f.out, strings.TrimSuffix(strings.TrimSuffix(filepath.Base(file), ".json"), ".models"))
	}
	return &g
}

// verifyBuild is verify for one file of a folder.
func (f *modelVerifyFlags) verifyBuild(ctx context.Context, rec *recipe.Recipe, w *world.World, of *builds.Build, file *behavior.File, term *terminal) (*verifiedDocument, error) {
	if err := f.makeOut(); err != nil {
		return nil, err
	}
	doc, err := f.hold(ctx, rec, w, of, file, behavior.NewBook(), term)
	if err != nil {
		return nil, err
	}
	if !f.json {
		p := modelPrinter{to: term.text}
		p.printf("\n%s:\n", of)
		p.verified(doc, f.out)
	}
	return doc, f.keepReport(doc)
}

func printLeftOut(term *terminal, list []string) {
	for _, text := range list {
		fmt.Fprintf(term.text, "  left out: %s\n", text)
	}
}

// reportNetwork prints the document, or in words what all builds come to.
func (f *modelVerifyFlags) reportNetwork(net *verifiedNetwork, term *terminal) error {
	bad := 0
	for _, d := range net.Builds {
		if d.Verdict == verdict.Violated {
			bad++
		}
	}
	switch {
	case f.json:
		if err := document.Write(stdout, net); err != nil {
			return err
		}
	case net.Verdict == verdict.Violated:
		fmt.Fprintf(term.text, "\nviolated: by %d of %s\n", bad, phrase.Counted(len(net.Builds), "firmware file"))
		printLeftOut(term, net.LeftOut)
	default:
		fmt.Fprintf(term.text, "\n%s: none violates the models in %s\n", phrase.Counted(len(net.Builds), "firmware file"), f.models)
		printLeftOut(term, net.LeftOut)
	}
	if net.Verdict == verdict.Violated {
		return errFound
	}
	return nil
}
