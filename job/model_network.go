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
	"strings"

	"motehound/firmware/disk"
	"motehound/job/document"
	"motehound/study/behavior"
	"motehound/study/builds"
	"motehound/study/verdict"
	"motehound/world"
	"motehound/world/recipe"
)

// Models are of one firmware. A network of different firmware has a folder of model files, one for each.

// modelsExt ends the names of the files in such a folder.
const modelsExt = ".models.json"

// isFolder reports whether --models names a folder.
func isFolder(models string) bool {
	if strings.HasSuffix(models, "/") {
		return true
	}
	info, err := os.Stat(models)
	return err == nil && info.IsDir()
}

// mayWrite refuses to write over a model file, unless --force is given.
func (f *ModelMine) mayWrite(file string) error {
	if _, err := os.Stat(file); file == "" || f.Force || err != nil {
		return nil
	}
	return fmt.Errorf("--models %s already exists; --force overwrites it, and 'model approve' adds to it", file)
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
func (f *ModelMine) mineSeveral(ctx context.Context, rec *recipe.Recipe, of []*builds.Build, h Host) (*ModelsMined, error) {
	if f.Draw || f.Models != "" && !isFolder(f.Models) {
		return nil, fmt.Errorf("these motes run %d firmware files, but --html, --svg, --dot and a --models file are for one firmware: choose its motes with --node "+
			"(or give --models a folder): %s", len(of), builds.List(of))
	}
	files := modelFiles(f.Models, of)
	for _, file := range files {
		if err := f.mayWrite(file); f.Models != "" && err != nil {
			return nil, err
		}
	}
	m := &ModelsMined{Network: &document.MinedNetwork{Builds: []*document.MinedModels{}, LeftOut: []string{}}}
	leftOut := func(b *builds.Build) {
		m.Network.LeftOut = append(m.Network.LeftOut, fmt.Sprintf("%s: %s", b, verdict.Interrupted))
	}
	var first error
	for i, b := range of {
		if ctx.Err() != nil {
			leftOut(b)
			continue
		}
		w, err := rec.World(OpenFirmware)
		if err != nil {
			return m, err
		}
		doc, book, err := f.mineBuild(ctx, rec, w, b, h)
		if errors.As(err, new(*NoVectorError)) || errors.Is(err, errNoProcedure) {
			first = cmp.Or(first, err)
			h.note("%s is left out: %v", b, err)
			continue
		}
		if errors.Is(err, verdict.ErrInterrupted) {
			leftOut(b)
			continue
		}
		if err == nil && !doc.Half() {
			err = f.keepIn(files[i], doc)
		}
		if err != nil {
			return m, err
		}
		m.Builds = append(m.Builds, MinedModels{b.String(), doc, book})
		m.Network.Builds = append(m.Network.Builds, doc)
	}
	switch {
	case len(m.Builds) == 0 && len(m.Network.LeftOut) > 0:
		return m, &Unfinished{m.Network.LeftOut}
	case len(m.Builds) == 0:
		return nil, first
	}
	return m, nil
}

// keepIn writes what was mined into a file of the folder of --models, if there is one.
func (f *ModelMine) keepIn(file string, doc *document.MinedModels) error {
	if f.Models == "" {
		return nil
	}
	if err := os.MkdirAll(f.Models, 0o755); err != nil {
		return fmt.Errorf("--models: %w", err)
	}
	if err := disk.Write(file, doc.File.Bytes(), 0o666); err != nil {
		return fmt.Errorf("--models: %w", err)
	}
	return nil
}

// verifyFolder holds the motes of each firmware to the file of a folder that has its models.
func (f *ModelVerify) verifyFolder(ctx context.Context, h Host) (*ModelsVerified, error) {
	if f.Draw {
		return nil, fmt.Errorf("--html, --svg and --dot draw the models of one firmware: name its file with --models, not the folder %s", f.Models)
	}
	names, err := filepath.Glob(filepath.Join(globbed(f.Models), "*.json"))
	if err != nil || len(names) == 0 {
		return nil, fmt.Errorf("--models %s: no model file in this folder; 'motehound model mine --models %s' makes them", f.Models, f.Models)
	}
	rec, w, _, err := f.Load(ctx, f.File, h)
	if err != nil {
		return nil, err
	}
	all, err := f.builds(w)
	if err != nil {
		return nil, err
	}
	net := &document.VerifiedNetwork{Builds: []*document.VerifiedModels{}}
	v := &ModelsVerified{Network: net}
	var c verdict.Case
	var checked []*builds.Build
	for _, name := range names { // in order
		file, err := ReadModels(name)
		if err != nil {
			return v, err
		}
		of := modelled(file, all)
		if of == nil {
			h.note("%s is left out: its models are for %s, which is not one of %s", name, cmp.Or(file.Firmware, "an unnamed firmware"), builds.List(all))
			continue
		}
		if w, err = rec.World(OpenFirmware); err != nil {
			return v, err
		}
		checked = append(checked, of)
		doc, err := f.of(name).verifyBuild(ctx, rec, w, of, file, h)
		if errors.Is(err, verdict.ErrInterrupted) {
			c.Miss(fmt.Sprintf("%s: %s", of, verdict.Interrupted))
			continue
		}
		if err != nil {
			return v, err
		}
		net.Builds = append(net.Builds, doc.Document)
		v.Builds = append(v.Builds, doc)
		c.Findings += len(doc.Document.Violations)
		c.Miss(doc.Document.LeftOut...)
	}
	if len(checked) == 0 {
		return nil, fmt.Errorf("--models %s has no models of the firmware on the motes: %s", f.Models, builds.List(all))
	}
	for _, b := range all {
		if !slices.Contains(checked, b) {
			c.Miss(fmt.Sprintf("%s: no models in %s", b, f.Models))
		}
	}
	if len(net.Builds) == 0 {
		return nil, &Unfinished{c.LeftOut}
	}
	net.Verdict, net.LeftOut = c.Verdict(), document.List(c.LeftOut)
	return v, nil
}

// globbed is the name of a folder as a pattern that matches nothing else.
func globbed(folder string) string {
	return strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`).Replace(folder)
}

// of is the request for one file of the folder: what --out keeps of it has a folder of its own.
func (f *ModelVerify) of(file string) *ModelVerify {
	g := *f
	g.Models = file
	if f.Out != "" {
		g.Out = filepath.Join(f.Out, strings.TrimSuffix(strings.TrimSuffix(filepath.Base(file), ".json"), ".models"))
	}
	return &g
}

// verifyBuild is verify for one file of a folder.
func (f *ModelVerify) verifyBuild(ctx context.Context, rec *recipe.Recipe, w *world.World, of *builds.Build, file *behavior.File, h Host) (VerifiedModels, error) {
	x := VerifiedModels{Build: of.String(), Firmware: of.Name(), SHA256: fmt.Sprintf("%x", of.Kind.Image.Hash), Out: f.Out, File: file, Book: calltree.NewBook()}
	err := f.makeOut()
	if err != nil {
		return x, err
	}
	if x.Document, err = f.hold(ctx, rec, w, of, file, x.Book, h); err != nil || f.Out == "" {
		return x, err
	}
	return x, KeepReport(f.Out, x.Document)
}
