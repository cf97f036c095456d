package job

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"motehound/world/recipe"
	"motehound/world/scenario"
)

// ScenarioError is what is wrong in a scenario. Line and column count from 1; they are 0 if it is no place in particular.
type ScenarioError struct {
	Line   int    `json:"line"`
	Column int    `json:"column"`
	Text   string `json:"text"`
}

// CheckScenario says what is wrong with a text that is to be in a scenario file; nil if nothing is. The file need not be there yet. Parameters have their defaults.
func CheckScenario(path string, text []byte) *ScenarioError {
	folder, name := filepath.Dir(path), filepath.Base(path)
	s, err := scenario.LoadFS(drafted{os.DirFS(folder), name, text}, name, scenario.Options{})
	if err == nil {
		err = startable(s, OpenBeside(path))
	}
	if err == nil {
		return nil
	}
	e := &ScenarioError{Text: err.Error()}
	if at, ok := errors.AsType[*scenario.Error](err); ok {
		e.Text, e.Line, e.Column = at.Msg, at.Pos.Line, at.Pos.Col
		for _, c := range at.Calls { // what is wrong in another file shows where this one leads there
			if c.Pos.File == name && at.Pos.File != name {
				e.Line, e.Column, e.Text = c.Pos.Line, c.Pos.Col, err.Error()
			}
		}
	}
	return e
}

// startable reports what keeps a scenario from being run.
func startable(s *scenario.Scenario, open recipe.Opener) error {
	rec, err := s.Recipe()
	if err != nil {
		return err
	}
	for _, m := range s.Motes {
		if _, err := open(m.Firmware); err != nil {
			return &scenario.Error{Pos: m.Pos, Msg: err.Error()}
		}
	}
	_, err = s.World(rec, open)
	return err
}

// drafted is a folder in which one file has another text than on the disk.
type drafted struct {
	fs.FS
	name string
	text []byte
}

// Open implements fs.FS.
func (d drafted) Open(name string) (fs.File, error) {
	if name == d.name {
		return &draft{*bytes.NewReader(d.text), name}, nil
	}
	return d.FS.Open(name)
}

// draft is that file.
type draft struct {
	bytes.Reader
	name string
}

func (d *draft) Stat() (fs.FileInfo, error) { return d, nil }
func (*draft) Close() error                 { return nil }
func (d *draft) Name() string               { return d.name }
func (*draft) Mode() fs.FileMode            { return 0o644 }
func (*draft) ModTime() time.Time           { return time.Time{} }
func (*draft) IsDir() bool                  { return false }
func (*draft) Sys() any                     { return nil }
