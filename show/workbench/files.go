package workbench

import (
	"errors"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"motehound/firmware/disk"
	"motehound/job"
)

// aboutDoc is what there is to work with.
type aboutDoc struct {
	Version    string       `json:"version"`
	Folder     string       `json:"folder"`
	File       string       `json:"file"` // that was asked for on the command line
	Examples   []exampleDoc `json:"examples"`
	Boards     []string     `json:"boards"`
	Topologies []string     `json:"topologies"`
	Commands   []string     `json:"commands"`
}

// exampleDoc is a firmware that is built in.
type exampleDoc struct {
	Name  string `json:"name"` // example:...
	About string `json:"about"`
}

// filesDoc is a folder.
type filesDoc struct {
	Folder string    `json:"folder"` // as seen from the working folder
	Files  []fileDoc `json:"files"`
	More   int       `json:"more"` // how many are not listed
}

// fileDoc is something in a folder.
type fileDoc struct {
	Name string `json:"name"`
	Path string `json:"path"`
	Kind string `json:"kind"` // folder, firmware, scenario, log, recipe or bundle
	Size int64  `json:"size"`
}

const mostFiles = 1000

// outside is the error of a path that is not in the working folder.
func outside(path string) error {
	return problem{http.StatusForbidden, quoted(path) + " is outside of the working folder: copy it there, or start motehound serve elsewhere"}
}

// inside reports whether a path is in the working folder, wherever links lead. What does not exist is inside if its folder is.
func (s *Server) inside(path string) error {
	if strings.ContainsRune(path, 0) {
		return outside(path)
	}
	at := path
	if !filepath.IsAbs(at) {
		at = filepath.Join(s.folder, at)
	}
	real, err := filepath.EvalSymlinks(at)
	for errors.Is(err, fs.ErrNotExist) && at != filepath.Dir(at) {
		if _, failed := os.Lstat(at); failed == nil {
			return outside(path) // a link to nowhere
		}
		at = filepath.Dir(at)
		real, err = filepath.EvalSymlinks(at)
	}
	if err != nil {
		return outside(path)
	}
	if real != s.folder && !strings.HasPrefix(real, s.folder+string(filepath.Separator)) {
		return outside(path)
	}
	return nil
}

// may reports whether a request may name a file to run: one of the working folder, an example, or the one of the command line.
func (s *Server) may(file string) error {
	if file == "" {
		return bad("which file? name firmware, a scenario, or example:NAME")
	}
	if strings.HasPrefix(file, job.ExamplePrefix) || file == s.File {
		return nil
	}
	return s.inside(file)
}

// readSource reads a source file, if it is in the working folder.
func (s *Server) readSource(path string) ([]byte, error) {
	if text, ok := job.ExampleSource(path); ok && !exists(path) {
		return text, nil
	}
	if err := s.inside(path); err != nil {
		return nil, err
	}
	const largest = 8 << 20
	return disk.Read(path, largest)
}

func (s *Server) about(*http.Request, any) (any, error) {
	a := &aboutDoc{Version: s.Version, Folder: filepath.Base(s.folder), File: s.File, Examples: []exampleDoc{}, Boards: job.Boards(), Topologies: job.Topologies(), Commands: commandNames()}
	for _, x := range job.Examples() {
		a.Examples = append(a.Examples, exampleDoc{x, job.AboutExample(x)})
	}
	return a, nil
}

func (s *Server) files(r *http.Request, _ any) (any, error) {
	folder := filepath.Clean(r.URL.Query().Get("folder"))
	if err := s.inside(folder); err != nil {
		return nil, err
	}
	list, err := os.ReadDir(folder)
	if err != nil {
		return nil, problem{http.StatusNotFound, "there is no folder " + quoted(folder)}
	}
	d := &filesDoc{Folder: filepath.ToSlash(folder), Files: []fileDoc{}}
	for _, e := range list {
		x := fileDoc{Name: e.Name(), Path: filepath.ToSlash(filepath.Join(folder, e.Name()))}
		if x.Kind = kindOf(x.Path, e); x.Kind == "" || s.inside(x.Path) != nil {
			continue
		}
		if info, err := e.Info(); err == nil && !e.IsDir() {
			x.Size = info.Size()
		}
		if len(d.Files) == mostFiles {
			d.More++
			continue
		}
		d.Files = append(d.Files, x)
	}
	return d, nil
}

// kindOf tells what can be worked with: by the name, and by what a file begins with.
func kindOf(path string, e fs.DirEntry) string {
	if strings.HasPrefix(e.Name(), ".") && e.Name() != ".motehound" {
		return ""
	}
	if e.IsDir() {
		return "folder"
	}
	switch filepath.Ext(e.Name()) {
	case ".star":
		return "scenario"
	case ".hex", ".ihex", ".srec":
		return "firmware"
	case logEnding:
		return "log"
	}
	start := beginning(path)
	switch {
	case strings.HasPrefix(start, "\x7fELF"):
		return "firmware"
	case strings.HasPrefix(start, "PK\x03\x04"):
		return "bundle"
	case strings.Contains(start, `"motehound_recipe"`):
		return "recipe"
	}
	return ""
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// beginning is the first bytes of an ordinary file.
func beginning(path string) string {
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() {
		return ""
	}
	f, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer f.Close()
	var start [256]byte
	n, _ := io.ReadFull(f, start[:])
	return string(start[:n])
}

// upload keeps a file that was dropped onto the page.
func (s *Server) upload(r *http.Request, in any) (any, error) {
	name := r.URL.Query().Get("name")
	if !plain(name) || strings.HasPrefix(name, ".") {
		return nil, bad("%s is no name for a file: use letters, digits, dots, - and _", quoted(name))
	}
	data := in.([]byte)
	path := filepath.Join(kept, "files", name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return nil, err
	}
	if err := disk.Replace(path, 0o644, func(to io.Writer) error { _, err := to.Write(data); return err }); err != nil {
		return nil, err
	}
	return &fileDoc{Name: name, Path: filepath.ToSlash(path), Kind: "firmware", Size: int64(len(data))}, nil
}

// plain reports whether a name has nothing in it that is special anywhere.
func plain(name string) bool {
	const most = 100
	return name != "" && len(name) <= most && !slices.ContainsFunc([]byte(name), func(c byte) bool {
		return (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (c < '0' || c > '9') && c != '.' && c != '-' && c != '_'
	})
}
