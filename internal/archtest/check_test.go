// Package archtest keeps the architecture: it reads every Go file of the module and reports where one breaks a rule
// of the house (see docs/RATIONALE.md). The rules are the rows of one table.
//
// Invariants: it looks at syntax only, so it needs neither a build nor a network, and judges files of every platform;
// a violation always says where, which rule, and what to do instead; every rule is shown to fail by a planted
// violation in testdata.
package archtest

import (
	"bytes"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"
)

// A Violation is one place that breaks a rule.
type Violation struct {
	File string // slash-separated, from the root of the module
	Line int
	Rule string
	What string // what is wrong there
	Do   string // what to do instead
}

// String is the violation as compilers print theirs.
func (v Violation) String() string {
	return fmt.Sprintf("%s:%d: %s: %s; %s", v.File, v.Line, v.Rule, v.What, v.Do)
}

// Check reads the module whose root is tree and lists what breaks the rules, by file and line. The error is about
// files that cannot be read or parsed.
func Check(tree fs.FS) ([]Violation, error) {
	packages, err := load(tree)
	if err != nil {
		return nil, err
	}
	var found []Violation
	for _, r := range rules {
		for _, p := range packages {
			r.check(p, func(f *file, line int, what, do string) {
				found = append(found, Violation{f.path, line, r.name, what, do})
			})
		}
	}
	slices.SortStableFunc(found, func(a, b Violation) int {
		if c := strings.Compare(a.File, b.File); c != 0 {
			return c
		}
		return a.Line - b.Line
	})
	return found, nil
}

// pkg is the Go files of one folder, tests included.
type pkg struct {
	dir   string // from the root of the module
	files []*file
}

type file struct {
	path    string
	name    string // as in its package clause, without _test
	test    bool
	text    []byte
	lines   int
	syntax  *ast.File
	fset    *token.FileSet
	imports []imported
}

type imported struct {
	path  string // a package of the module: its folder; another: its import path
	local bool   // a package of the module
	as    string // the name in this file
	line  int
}

func (f *file) line(at token.Pos) int { return f.fset.Position(at).Line }

// load parses the module, but for what the go command ignores too: testdata, and folders whose name begins with a dot
// or an underscore. Web sources bring a node_modules.
func load(tree fs.FS) ([]*pkg, error) {
	module, err := moduleName(tree)
	if err != nil {
		return nil, err
	}
	var (
		packages []*pkg
		byDir    = map[string]*pkg{}
		bad      []error
	)
	err = fs.WalkDir(tree, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if base := d.Name(); d.IsDir() {
			if name != "." && (base[0] == '.' || base[0] == '_' || base == "testdata" || base == "node_modules") {
				return fs.SkipDir
			}
			return nil
		} else if path.Ext(base) != ".go" || base[0] == '.' || base[0] == '_' {
			return nil
		}
		f, err := parse(tree, name, module)
		if err != nil {
			bad = append(bad, err)
			return nil
		}
		p := byDir[path.Dir(name)]
		if p == nil {
			p = &pkg{dir: path.Dir(name)}
			byDir[p.dir] = p
			packages = append(packages, p)
		}
		p.files = append(p.files, f)
		return nil
	})
	return packages, errors.Join(append(bad, err)...)
}

func moduleName(tree fs.FS) (string, error) {
	text, err := fs.ReadFile(tree, "go.mod")
	if err != nil {
		return "", err
	}
	for line := range strings.Lines(string(text)) {
		if name, ok := strings.CutPrefix(line, "module "); ok {
			return strings.TrimSpace(name), nil
		}
	}
	return "", errors.New("go.mod: no module line")
}

func parse(tree fs.FS, name, module string) (*file, error) {
	text, err := fs.ReadFile(tree, name)
	if err != nil {
		return nil, err
	}
	fset := token.NewFileSet()
	syntax, err := parser.ParseFile(fset, name, text, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	f := &file{
		path:   name,
		name:   strings.TrimSuffix(syntax.Name.Name, "_test"),
		test:   strings.HasSuffix(name, "_test.go"),
		text:   text,
		lines:  bytes.Count(text, []byte("\n")),
		syntax: syntax,
		fset:   fset,
	}
	for _, spec := range syntax.Imports {
		target, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			return nil, fmt.Errorf("%s:%d: import path: %w", name, f.line(spec.Pos()), err)
		}
		i := imported{path: target, as: defaultName(target), line: f.line(spec.Pos())}
		if spec.Name != nil {
			i.as = spec.Name.Name
		}
		if rest, ok := strings.CutPrefix(target, module); ok && (rest == "" || rest[0] == '/') {
			i.local, i.path = true, path.Clean("./"+rest)
		}
		f.imports = append(f.imports, i)
	}
	return f, nil
}

// defaultName is the name of an imported package of the standard library: its last element that is not a version.
func defaultName(target string) string {
	if dir, base := path.Split(target); base == "v2" {
		return path.Base(dir)
	}
	return path.Base(target)
}
