package exports

import (
	"errors"
	"fmt"
	"go/ast"
	"go/build"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// module is the packages of a module with their types.
type module struct {
	root, name string
	fset       *token.FileSet
	folders    map[string]*folder // by import path
	outside    types.Importer     // of other modules and the standard library
	found      []*unit
}

// folder is the Go files of one folder, for this platform.
type folder struct {
	path                string
	plain, tests, xtest []*ast.File
	checked             *types.Package // the plain files
	beside              *types.Package // with the tests of the same package; checked if there are none
	loading             bool
}

// unit is one package that the compiler would make: the plain files, those with tests, or the tests outside of the package.
type unit struct {
	folder *folder
	pkg    *types.Package
	info   *types.Info
	files  []*ast.File
}

// load reads and checks the module in a folder.
func load(root string) (*module, error) {
	m := &module{root: root, fset: token.NewFileSet(), folders: map[string]*folder{}}
	text, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		return nil, err
	}
	name, ok := strings.CutPrefix(string(text), "module ")
	if !ok {
		return nil, errors.New("go.mod does not begin with its module line")
	}
	m.name, _, _ = strings.Cut(name, "\n")
	if err := m.parse(); err != nil {
		return nil, err
	}
	if err := m.findOutside(); err != nil {
		return nil, err
	}
	for _, p := range slices.Sorted(maps.Keys(m.folders)) {
		if err := m.check(m.folders[p]); err != nil {
			return nil, err
		}
	}
	return m, nil
}

// parse reads the files, but for what the go command ignores too.
func (m *module) parse() error {
	return fs.WalkDir(os.DirFS(m.root), ".", func(dir string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return err
		}
		if base := d.Name(); dir != "." && (base[0] == '.' || base[0] == '_' || base == "testdata" || base == "node_modules") {
			return fs.SkipDir
		}
		at := filepath.Join(m.root, dir)
		p, err := build.Default.ImportDir(at, 0)
		if _, none := errors.AsType[*build.NoGoError](err); none {
			return nil
		} else if err != nil {
			return err
		}
		f := &folder{path: path.Join(m.name, dir)}
		for _, part := range []struct {
			names []string
			files *[]*ast.File
		}{{p.GoFiles, &f.plain}, {p.TestGoFiles, &f.tests}, {p.XTestGoFiles, &f.xtest}} {
			for _, name := range part.names {
				file, err := parser.ParseFile(m.fset, filepath.Join(at, name), nil, parser.SkipObjectResolution)
				if err != nil {
					return err
				}
				*part.files = append(*part.files, file)
			}
		}
		m.folders[f.path] = f
		return nil
	})
}

// findOutside has the go command compile what the module imports, for the types in it.
func (m *module) findOutside() error {
	imports := map[string]bool{}
	for _, f := range m.folders {
		for _, file := range slices.Concat(f.plain, f.tests, f.xtest) {
			for _, spec := range file.Imports {
				if p := strings.Trim(spec.Path.Value, `"`); m.folders[p] == nil {
					imports[p] = true
				}
			}
		}
	}
	args := append([]string{"list", "-export", "-deps", "-f", "{{.ImportPath}}\t{{.Export}}"}, slices.Sorted(maps.Keys(imports))...)
	list := exec.Command("go", args...)
	list.Dir = m.root
	out, err := list.Output()
	if err != nil {
		if exit, ok := errors.AsType[*exec.ExitError](err); ok {
			err = fmt.Errorf("go list: %w\n%s", err, exit.Stderr)
		}
		return err
	}
	compiled := map[string]string{}
	for line := range strings.Lines(string(out)) {
		p, file, _ := strings.Cut(strings.TrimSpace(line), "\t")
		compiled[p] = file
	}
	m.outside = importer.ForCompiler(m.fset, "gc", func(p string) (io.ReadCloser, error) {
		if compiled[p] == "" {
			return nil, fmt.Errorf("no compiled %s", p)
		}
		return os.Open(compiled[p])
	})
	return nil
}

// check makes the units of a folder, after those that it imports.
func (m *module) check(f *folder) error {
	if f.checked != nil {
		return nil
	}
	if f.loading {
		return fmt.Errorf("%s imports itself", f.path)
	}
	f.loading = true
	var err error
	if f.checked, err = m.unit(f, f.path, f.plain, nil); err != nil {
		return err
	}
	f.beside = f.checked
	if len(f.tests) > 0 {
		if f.beside, err = m.unit(f, f.path, slices.Concat(f.plain, f.tests), nil); err != nil {
			return err
		}
	}
	if len(f.xtest) > 0 {
		_, err = m.unit(f, f.path+"_test", f.xtest, f)
	}
	return err
}

func (m *module) unit(f *folder, name string, files []*ast.File, of *folder) (*types.Package, error) {
	u := &unit{folder: f, files: files, info: &types.Info{
		Types: map[ast.Expr]types.TypeAndValue{},
		Defs:  map[*ast.Ident]types.Object{},
		Uses:  map[*ast.Ident]types.Object{},
	}}
	config := types.Config{Importer: importing(func(p string) (*types.Package, error) {
		inside := m.folders[p]
		switch {
		case inside == nil:
			return m.outside.Import(p)
		case inside == of:
			return of.beside, nil
		}
		err := m.check(inside)
		return inside.checked, err
	})}
	// A test outside of its package may see the package twice, with its tests and, through others, without. To the compiler both are
	// the same; here that is an error, and no harm.
	if of != nil {
		config.Error = func(error) {}
	}
	var err error
	if u.pkg, err = config.Check(name, m.fset, files, u.info); err != nil && of == nil {
		return nil, err
	}
	m.found = append(m.found, u)
	return u.pkg, nil
}

type importing func(string) (*types.Package, error)

func (i importing) Import(p string) (*types.Package, error) { return i(p) }
