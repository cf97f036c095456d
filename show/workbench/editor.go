package workbench

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"strings"

	"motehound/firmware/disk"
	"motehound/job"
)

// scenarioDoc is a scenario file. Version is what was read: whoever saves says which one they have changed, and nobody's changes are lost.
type scenarioDoc struct {
	Path    string `json:"path"`
	Text    string `json:"text"`
	Version string `json:"version"` // "" of a file that is not there
}

// checkedDoc is what is wrong with a scenario; nothing if it is fine.
type checkedDoc struct {
	Errors []job.ScenarioError `json:"errors"`
}

const (
	scenarioEnding = ".star"
	mostScenario   = mostBody / 2
)

// scenario checks that a request may name a scenario file.
func (s *Server) scenario(path string) error {
	if filepath.Ext(path) != scenarioEnding {
		return bad("%s is no scenario: its name has to end in %s", quoted(path), scenarioEnding)
	}
	return s.inside(path)
}

// versionOf is the version of a text.
func versionOf(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:8])
}

// readScenario reads a scenario file. One that is not there is empty.
func (s *Server) readScenario(path string) (*scenarioDoc, error) {
	if err := s.scenario(path); err != nil {
		return nil, err
	}
	text, err := disk.Read(path, mostScenario)
	if errors.Is(err, fs.ErrNotExist) {
		return &scenarioDoc{Path: path}, nil
	}
	if err != nil {
		return nil, bad("%v", err)
	}
	return &scenarioDoc{path, string(text), versionOf(text)}, nil
}

func (s *Server) oneScenario(r *http.Request, _ any) (any, error) {
	return s.readScenario(r.URL.Query().Get("path"))
}

func (s *Server) saveScenario(_ *http.Request, in any) (any, error) {
	var asked scenarioDoc
	if err := decode(in.(json.RawMessage), &asked); err != nil {
		return nil, err
	}
	s.store.Lock()
	defer s.store.Unlock()
	now, err := s.readScenario(asked.Path)
	if err != nil {
		return nil, err
	}
	if now.Version != asked.Version {
		return nil, problem{http.StatusConflict, quoted(asked.Path) + " was changed by somebody else: copy what you wrote, and open the file again"}
	}
	if len(asked.Text) > mostScenario {
		return nil, problem{http.StatusRequestEntityTooLarge, "the scenario is too long"}
	}
	if err := os.MkdirAll(filepath.Dir(asked.Path), 0o755); err != nil {
		return nil, bad("%v", err)
	}
	if err := disk.Write(asked.Path, []byte(asked.Text), 0o644); err != nil {
		return nil, err
	}
	return s.readScenario(asked.Path)
}

func (s *Server) checkScenario(_ *http.Request, in any) (any, error) {
	var asked scenarioDoc
	if err := decode(in.(json.RawMessage), &asked); err != nil {
		return nil, err
	}
	if err := s.scenario(asked.Path); err != nil {
		return nil, err
	}
	s.checking.Lock() // a text may take a while, and some memory
	defer s.checking.Unlock()
	d := &checkedDoc{[]job.ScenarioError{}}
	if e := job.CheckScenario(asked.Path, []byte(asked.Text)); e != nil {
		e.Text = strings.ToValidUTF8(e.Text, "?")
		d.Errors = append(d.Errors, *e)
	}
	return d, nil
}
