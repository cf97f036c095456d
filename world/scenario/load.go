package scenario

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"

	"motehound/world/medium"
)

// Options change how a scenario is loaded. The zero value is fine.
type Options struct {
	Time  uint64           // picoseconds to run, instead of what the scenario says
	Print func(msg string) // gets what print writes, with its place in front; nil drops it
	// Params are values of the scenario's parameters, instead of their defaults.
	Params []Param
}

// Load reads the scenario file at a path, and what it loads.
func Load(name string, opt Options) (*Scenario, error) {
	dir, base := filepath.Split(name)
	if dir == "" {
		dir = "."
	}
	return load(os.DirFS(dir), base, filepath.Dir(name), opt)
}

// LoadFS reads a scenario file of a file system. Firmware paths stay as the scenario has them.
func LoadFS(fsys fs.FS, name string, opt Options) (*Scenario, error) {
	return load(fsys, name, ".", opt)
}

func load(fsys fs.FS, name, dir string, opt Options) (*Scenario, error) {
	b := &builder{
		sc:      &Scenario{Name: filepath.Join(dir, name), Time: opt.Time, Params: opt.Params},
		params:  opt.Params,
		files:   &files{fsys: fsys, dir: dir, print: opt.Print, modules: map[string]*module{}},
		dir:     dir,
		horizon: opt.Time,
		wired:   map[medium.End]Pos{},
	}
	b.files.b = b
	thread := b.files.thread()
	if _, err := b.files.exec(thread, path.Clean(filepath.ToSlash(name))); err != nil {
		return nil, placed(err, b.sc.Name)
	}
	if err := b.finish(); err != nil {
		return nil, placed(err, b.sc.Name)
	}
	return b.sc, nil
}

// files runs the files of one scenario, each once, all with one budget of steps.
type files struct {
	b       *builder
	fsys    fs.FS
	dir     string
	print   func(string)
	modules map[string]*module
}

// module is a file that was, or is being, loaded.
type module struct {
	globals starlark.StringDict
	err     error
	done    bool
}

func (f *files) thread() *starlark.Thread {
	thread := &starlark.Thread{Name: f.b.sc.Name, Load: f.load, Print: f.printed}
	thread.SetMaxExecutionSteps(loadSteps)
	thread.OnMaxSteps = func(thread *starlark.Thread) { thread.Cancel(tooManySteps) }
	thread.SetLocal(builderKey, f.b)
	return thread
}

func (f *files) printed(thread *starlark.Thread, msg string) {
	if f.print != nil {
		f.print(fmt.Sprintf("%s: %s", callerPos(thread), msg))
	}
}

// callerPos is the innermost place in a user's script: functions written in Go, which may call each other, have none, and what a
// library declares is declared by who calls it.
func callerPos(thread *starlark.Thread) Pos {
	for depth := range thread.CallStackDepth() {
		if p := thread.CallFrame(depth).Pos; p.Filename() != builtinFile && !isLibrary(p.Filename()) {
			return position(p)
		}
	}
	return Pos{}
}

// load implements the load statement.
func (f *files) load(thread *starlark.Thread, name string) (starlark.StringDict, error) {
	inside := name
	if !isLibrary(name) {
		var err error
		if inside, err = f.beside(thread.CallFrame(0).Pos.Filename(), name, "load"); err != nil {
			return nil, err
		}
	}
	if m := f.modules[inside]; m != nil {
		if !m.done {
			return nil, fmt.Errorf("%s loads itself, through others or directly: break the cycle", name)
		}
		return m.globals, m.err
	}
	return f.exec(thread, inside)
}

// beside is the path in the file system of a file named in another one.
func (f *files) beside(from, name, verb string) (string, error) {
	rel, err := filepath.Rel(f.dir, from)
	if err != nil {
		return "", err
	}
	inside := path.Join(path.Dir(filepath.ToSlash(rel)), name)
	if path.IsAbs(name) || !fs.ValidPath(inside) {
		return "", fmt.Errorf("%s %q: only files beside the scenario, or in folders there, can be read", verb, name)
	}
	return inside, nil
}

// read reads a file and keeps it among the sources.
func (f *files) read(inside string, limit int) ([]byte, error) {
	info, err := fs.Stat(f.fsys, inside)
	if err == nil && !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is no regular file", f.shown(inside))
	}
	file, err := f.fsys.Open(inside)
	if err != nil {
		var perr *fs.PathError
		if errors.As(err, &perr) {
			err = perr.Err
		}
		return nil, fmt.Errorf("%s: %w", f.shown(inside), err)
	}
	defer file.Close()
	data, err := io.ReadAll(io.LimitReader(file, int64(limit)+1))
	if err != nil {
		return nil, fmt.Errorf("%s cannot be read: %w", f.shown(inside), err)
	}
	if len(data) > limit {
		return nil, fmt.Errorf("%s is larger than %d bytes, the most that is read", f.shown(inside), limit)
	}
	if err := f.b.source(f.shown(inside), data); err != nil {
		return nil, err
	}
	return data, nil
}

// source notes a file, once.
func (b *builder) source(name string, data []byte) error {
	for _, s := range b.sc.Sources {
		if s.Name == name {
			return nil
		}
	}
	if len(b.sc.Sources) >= maxFiles {
		return fmt.Errorf("a scenario of more than %d files", maxFiles)
	}
	b.sc.Sources = append(b.sc.Sources, Source{Name: name, Data: data})
	return nil
}

const maxFiles = 64

// shown is a path of the file system as users know it.
func (f *files) shown(inside string) string { return filepath.Join(f.dir, filepath.FromSlash(inside)) }

func (f *files) exec(thread *starlark.Thread, inside string) (starlark.StringDict, error) {
	m := &module{}
	f.modules[inside] = m
	m.globals, m.err = f.run(thread, inside)
	m.done = true
	return m.globals, m.err
}

// dialect is Starlark as Python users expect it, as far as a bound on steps makes that safe. Recursion stays out.
var dialect = syntax.FileOptions{Set: true, While: true, TopLevelControl: true, GlobalReassign: true}

func (f *files) run(thread *starlark.Thread, inside string) (starlark.StringDict, error) {
	name, read := f.shown(inside), func() ([]byte, error) { return f.read(inside, maxSource) }
	if isLibrary(inside) {
		name, read = inside, func() ([]byte, error) { return f.libraryText(inside) }
	}
	data, err := read()
	if err != nil {
		return nil, err
	}
	if err := checkText(name, data); err != nil {
		return nil, err
	}
	file, err := dialect.Parse(name, data, 0)
	if err != nil {
		return nil, err
	}
	rewriter{map[*syntax.IndexExpr]bool{}}.file(file)
	program, err := starlark.FileProgram(file, environment.Has)
	if err != nil {
		return nil, err
	}
	globals, err := program.Init(thread, environment)
	if err != nil {
		return nil, err
	}
	for _, k := range globals.Keys() {
		if weigh(globals[k], maxWeight, 0) > maxWeight {
			return nil, errorAt(Pos{File: name}, "the value of %s is too large or too deeply nested", k)
		}
	}
	all := starlark.NewList(nil)
	for _, k := range globals.Keys() {
		if err := all.Append(globals[k]); err != nil {
			return nil, err
		}
	}
	if err := freeze(all, Pos{File: name}, "the scenario"); err != nil {
		return nil, err
	}
	return globals, nil
}

// maxWeight is how long a global variable may be when written out.
const maxWeight = 1 << 24

// checkText refuses what is not text, with a better message than the scanner has.
func checkText(name string, data []byte) error {
	if bytes.HasPrefix(data, []byte("\x7fELF")) {
		return errorAt(Pos{File: name}, "this is a firmware file, not a scenario: give a file that calls network(...)")
	}
	if i := bytes.IndexByte(data, 0); i >= 0 {
		return errorAt(Pos{File: name, Line: 1 + bytes.Count(data[:i], []byte("\n"))}, "a zero byte: this is not a text file")
	}
	return nil
}

// firmwarePath is where a firmware file named in the scenario is. Firmware that is built in is nowhere.
func (b *builder) firmwarePath(name string) string {
	if filepath.IsAbs(name) || strings.HasPrefix(name, "example:") {
		return name
	}
	return filepath.Join(b.dir, filepath.FromSlash(name))
}
