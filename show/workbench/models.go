package workbench

import (
	"encoding/json"
	"net/http"
	"os"
	"path"
	"path/filepath"
	"strings"

	"motehound/firmware/disk"
	"motehound/job"
	"motehound/show/picture"
	"motehound/show/report"
	"motehound/study/behavior"
)

// behaviourDoc is what the pane of a job of model or verify shows: a picture for each firmware.
type behaviourDoc struct {
	Builds []buildDoc `json:"builds"`
}

// buildDoc is the models of one firmware.
type buildDoc struct {
	Name string `json:"name"`
	*picture.Pane
}

// approveDoc asks to approve what a job has shown: the models of a job of model, or violations that a job of verify has found.
type approveDoc struct {
	Job int      `json:"job"`
	IDs []string `json:"ids,omitempty"` // of violations
}

// modelsDoc is the files of approved models.
type modelsDoc struct {
	Files []modelFileDoc `json:"files"`
}

// modelFileDoc is one of them.
type modelFileDoc struct {
	Path     string `json:"path"`
	Firmware string `json:"firmware"`
}

// approved is where approved models are.
var approved = filepath.Join(kept, "models")

const modelEnding = ".models.json"

func allowModel(s *Server, f *job.ModelMine, _ string) error {
	f.Models, f.Force, f.Draw = "", false, false
	return s.model(&f.Model)
}

func allowVerify(s *Server, f *job.ModelVerify, out string) error {
	f.Out, f.Draw = out, false
	if f.Models == "" {
		return bad("which models? approve those of a job of model first, or name a file")
	}
	if err := s.inside(f.Models); err != nil {
		return err
	}
	return s.model(&f.Model)
}

// model checks what a request about models says of files.
func (s *Server) model(f *job.Model) error {
	if err := local(map[string]string{"trace": f.Trace, "trace_map": f.Map}); err != nil {
		return err
	}
	return s.world(&f.World, f.File)
}

// drawn is pictures as panes.
func drawn[T any](s *Server, list []T, draw func(*T) (*picture.Picture, error), of func(*T) (name, firmware string)) *behaviourDoc {
	d := &behaviourDoc{[]buildDoc{}}
	for i := range list {
		name, firmware := of(&list[i])
		p, err := draw(&list[i])
		if err != nil { // a tree that cannot be drawn
			s.Say("%s: %v", name, err)
			continue
		}
		p.Motehound = s.Version
		p.FindSources(func(file string) ([]string, string) {
			x := report.FindSource(file, firmware, s.readSource)
			return x.Lines, x.Note
		})
		d.Builds = append(d.Builds, buildDoc{name, p.Pane()})
	}
	return d
}

func (s *Server) minedPage(r *job.ModelsMined) *behaviourDoc {
	return drawn(s, r.Builds, picture.OfMined, func(x *job.MinedModels) (name, firmware string) { return x.Build, x.Document.File.Firmware })
}

func (s *Server) verifiedPage(r *job.ModelsVerified) *behaviourDoc {
	return drawn(s, r.Builds, picture.OfVerified, func(x *job.VerifiedModels) (name, firmware string) { return x.Build, x.Firmware })
}

func (s *Server) listModels(*http.Request, any) (any, error) {
	d := &modelsDoc{[]modelFileDoc{}}
	found, _ := filepath.Glob(filepath.Join(approved, "*"+modelEnding)) // which is well formed
	for _, file := range found {
		if x, err := job.ReadModels(file); err == nil {
			d.Files = append(d.Files, modelFileDoc{filepath.ToSlash(file), x.Firmware})
		}
	}
	return d, nil
}

// approve keeps models for later runs to be held to.
func (s *Server) approve(_ *http.Request, in any) (any, error) {
	var asked approveDoc
	if err := decode(in.(json.RawMessage), &asked); err != nil {
		return nil, err
	}
	t, err := s.jobs.one(asked.Job)
	if err != nil {
		return nil, err
	}
	s.store.Lock()
	defer s.store.Unlock()
	switch t.Command {
	case "model":
		err = approveModels(t.Folder)
	case "verify":
		var of job.ModelVerify
		if err = json.Unmarshal(t.Request, &of); err == nil {
			_, err = job.ModelApprove{Models: of.Models, Report: reportPath(t.Folder), IDs: asked.IDs, All: len(asked.IDs) == 0}.Do()
		}
	default:
		err = bad("job %d has no models to approve: it is a %s", t.ID, t.Command)
	}
	if err != nil {
		return nil, err
	}
	return s.listModels(nil, nil)
}

// approveModels keeps the models of a job: a file for each firmware, which replaces one that was kept before.
func approveModels(folder string) error {
	data, err := disk.Read(reportPath(folder), mostResult)
	if err != nil {
		return err
	}
	type mined struct {
		Models json.RawMessage `json:"models"`
	}
	var doc struct {
		mined
		Builds []mined `json:"builds"`
	}
	if err := json.Unmarshal(data, &doc); err != nil {
		return err
	}
	if len(doc.Builds) == 0 {
		doc.Builds = []mined{doc.mined}
	}
	if err := os.MkdirAll(approved, 0o755); err != nil {
		return err
	}
	for _, b := range doc.Builds {
		file, err := behavior.ReadFile(b.Models)
		if err != nil {
			return err
		}
		if err := disk.Write(filepath.Join(approved, modelName(file.Firmware)), file.Bytes(), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// modelName is the name of the file for the models of a firmware.
func modelName(firmware string) string {
	name := strings.TrimPrefix(path.Base(filepath.ToSlash(firmware)), job.ExamplePrefix)
	name = strings.Map(func(r rune) rune {
		if !plain(string(r)) {
			return '_'
		}
		return r
	}, strings.TrimSuffix(name, path.Ext(name)))
	return strings.TrimLeft(name, ".") + modelEnding
}
