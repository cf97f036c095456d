package archtest

import (
	"fmt"
	"go/ast"
	"slices"
	"strings"
)

// floors is the house of the design, from the ground up.
var floors = []string{"isa", "firmware", "mote", "world", "observe", "study", "job", "show", "cmd"}

// The annexes hold no part of the product: tests and benchmarks, and example firmware with its embedded binaries.
const (
	annexInternal = "internal"
	annexExamples = "examples"
)

// stairs are the orders inside of a floor, each from the bottom up. Packages on one step do not import each other, unless it is one folder.
var stairs = [][][]string{
	{
		{"study/verdict", "study/finding", "study/builds", "study/guide"},
		{"study/outlier", "study/behavior", "study/property"},
		{"study/mining", "study/check"},
		{"study/symbolic"},
		{"study/explore"}, // whose tests compare what it does with what symbolic does
		{"study/fieldtrace", "study/repair", "study/travel"},
	},
	{{"study/property/builtin"}, {"study/property/kernel", "study/property/memory"}, {"study/property"}},
	{
		{"study/symbolic/expr", "study/symbolic/mapping", "study/symbolic/search"},
		{"study/symbolic/solver"}, {"study/symbolic/core"}, {"study/symbolic/engine"}, {"study/symbolic/plan"},
	},
	{
		{"study/fieldtrace/record"},
		{"study/fieldtrace/narrative", "study/fieldtrace/pull", "study/fieldtrace/reproduce"},
		{"study/fieldtrace/field"},
	},
}

// apart says what a folder must never import although its floor would allow it, and why.
var apart = []struct{ from, to, do string }{
	{"mote/periph", "mote/chip", "a peripheral fits every chip: take it from the peripheral's Config"},
	{"mote/radio", "world/medium", "a radio does not know the air: declare the small interface it needs"},
	{"study/explore", "study/symbolic", "they are two ways to run motes: what both need goes down to world"},
	{"study/outlier", "mote", readObservations},
	{"study/outlier", "isa", readObservations},
	{"study/behavior", "mote", readObservations},
	{"study/behavior", "isa", readObservations},
	{"study/property", "study/check", "properties stand below the engines: what both report is in study/finding"},
	{"show/picture", "world", readObservations},
	{"show/picture", "mote", readObservations},
	{"show/picture", "isa", readObservations},
	{"show/export", "mote", readObservations},
	{"show/export", "isa", readObservations},
}

const readObservations = "it reads observations, never the machine: have an observer record what it needs"

// modules is which module outside the standard library each folder may import.
var modules = []struct{ folder, module string }{
	{"world/scenario", "go.starlark.net"},
	{"study/symbolic/plan", "go.starlark.net"},
	{"firmware/pathtrace", "modernc.org/cc/v4"},
	{"study/symbolic", "github.com/go-air/gini"},
	{"study/outlier", "gonum.org/v1/gonum"},
	{"show/export", "github.com/parquet-go/parquet-go"},
	{"show/export", "google.golang.org/protobuf"},
	{"job/findings", "go.etcd.io/bbolt"},
	{"job/campaign/bus", "github.com/nats-io/nats-server/v2"},
	{"job/campaign/bus", "github.com/nats-io/nats.go"},
	{"job/campaign/bus", "github.com/nats-io/jwt/v2"}, // in tests: credentials, as a team makes them
	{"job/campaign/bus", "github.com/nats-io/nkeys"},
	{"show/ci", "github.com/santhosh-tekuri/jsonschema/v6"}, // in its tests
	{"show/workbench", "github.com/santhosh-tekuri/jsonschema/v6"},
	{"internal/ci", "go.yaml.in/yaml/v3"},
	{"cmd", "github.com/spf13/cobra"},
	{"cmd", "github.com/spf13/pflag"}, // in cobra's interface
	{"cmd", "github.com/vbauerster/mpb/v8"},
	{"cmd", "golang.org/x/term"},
	{"cmd", "github.com/jedib0t/go-pretty/v6"},
	{"show/text", "github.com/jedib0t/go-pretty/v6"},
}

// hostInputs is what would make a run differ from its recipe: of each package the named identifiers, or all but them.
var hostInputs = []struct {
	path  string
	names []string
	allow bool // names are allowed, all others forbidden
	do    string
}{
	{"time", []string{"Now", "Since", "Until", "Sleep", "After", "AfterFunc", "Tick", "NewTimer", "NewTicker"}, false,
		"use virtual time, or have the caller pass the host's clock in"},
	{"math/rand", []string{"New", "NewSource", "NewZipf", "Rand", "Source", "Source64", "Zipf"}, true, askChooser},
	{"math/rand/v2", []string{"New", "NewPCG", "NewChaCha8", "NewZipf", "Rand", "Source", "PCG", "ChaCha8", "Zipf"}, true,
		askChooser},
	{"crypto/rand", nil, true, askChooser},
}

const askChooser = "ask the Chooser, or use a generator of your own with the run's seed"

// vagueNames are packages that say nothing about what is in them.
var vagueNames = []string{"util", "utils", "helper", "helpers", "common", "misc"}

// maxLines is the length of a file beyond which nobody has it in mind as a whole.
const maxLines = 600

// report notes one violation of the rule being checked.
type report func(f *file, line int, what, do string)

// rules is every rule, by the name that violations carry.
var rules = []struct {
	name  string
	check func(*pkg, report)
}{
	{"place", checkPlace},
	{"floor", checkFloor},
	{"stair", checkStairs},
	{"apart", checkApart},
	{"annex", checkAnnex},
	{"command", checkCommand},
	{"module", checkModule},
	{"determinism", checkDeterminism},
	{"package-comment", checkPackageComment},
	{"package-name", checkPackageName},
	{"init", checkInit},
	{"size", checkSize},
}

// top is the first folder of a path: a floor or an annex.
func top(dir string) string {
	first, _, _ := strings.Cut(dir, "/")
	return first
}

// within tells whether path is folder or below it. It serves import paths too.
func within(path, folder string) bool {
	return path == folder || strings.HasPrefix(path, folder+"/")
}

// checkPlace: every package stands on a floor or in an annex. Else no other rule would see it.
func checkPlace(p *pkg, report report) {
	if t := top(p.dir); slices.Contains(floors, t) || t == annexInternal || t == annexExamples {
		return
	}
	f := p.files[0]
	report(f, f.line(f.syntax.Package), fmt.Sprintf("folder %s is on no floor of the house", p.dir),
		"move it to one of "+strings.Join(floors, ", ")+", or to "+annexInternal)
}

// checkFloor: imports go down, or stay on the floor. Tests too: one that needs a higher floor belongs there.
func checkFloor(p *pkg, report report) {
	from := slices.Index(floors, top(p.dir))
	if from < 0 {
		return
	}
	for _, f := range p.files {
		for _, i := range f.imports {
			if i.local && slices.Index(floors, top(i.path)) > from {
				report(f, i.line, fmt.Sprintf("%s imports %s, which is on a higher floor", p.dir, i.path),
					"declare the small interface that it needs, or move the code up")
			}
		}
	}
}

// checkStairs: inside of a floor, too, imports go down, and every package of a floor with stairs is on a step.
func checkStairs(p *pkg, report report) {
	for n, stair := range stairs {
		from, own := step(stair, p.dir)
		if from < 0 {
			if n == 0 && top(p.dir) == top(stair[0][0]) {
				f := p.files[0]
				report(f, f.line(f.syntax.Package), p.dir+" is on no step of its floor", "give it a place in archtest's stairs")
			}
			continue
		}
		for _, f := range p.files {
			for _, i := range f.imports {
				if to, folder := step(stair, i.path); i.local && (to > from || to == from && folder != own) {
					report(f, i.line, fmt.Sprintf("%s imports %s, which is not below it", p.dir, i.path),
						"move what both need further down, or declare the small interface that it needs")
				}
			}
		}
	}
}

// step is where on a stair a package is, and by which folder; -1 if it is not on it.
func step(stair [][]string, dir string) (at int, folder string) {
	at = -1
	for i, folders := range stair {
		for _, f := range folders {
			if within(dir, f) && len(f) > len(folder) {
				at, folder = i, f
			}
		}
	}
	return at, folder
}

// checkApart: some folders must not know each other, although the floors would allow it. Their tests may.
func checkApart(p *pkg, report report) {
	for _, f := range p.files {
		for _, i := range f.imports {
			for _, a := range apart {
				if !f.test && i.local && within(p.dir, a.from) && within(i.path, a.to) {
					report(f, i.line, fmt.Sprintf("%s imports %s", p.dir, i.path), a.do)
				}
			}
		}
	}
}

// checkCommand: a command turns flags into requests and documents into text. What it does is a job. Its tests may know more.
func checkCommand(p *pkg, report report) {
	for _, f := range p.files {
		for _, i := range f.imports {
			if to := top(i.path); top(p.dir) == "cmd" && !f.test && i.local && to != "job" && to != "show" {
				report(f, i.line, fmt.Sprintf("%s imports %s", p.dir, i.path), "have a job do it, and import job and show alone")
			}
		}
	}
}

// checkAnnex: the product is built from floors alone; only jobs bring example firmware along. The examples in
// turn are firmware, and know nothing of the product. Tests may import any annex.
func checkAnnex(p *pkg, report report) {
	from := top(p.dir)
	for _, f := range p.files {
		for _, i := range f.imports {
			if !i.local || f.test || from == annexInternal {
				continue
			}
			to := top(i.path)
			what := fmt.Sprintf("%s imports %s", p.dir, i.path)
			switch {
			case from == annexExamples && to != annexExamples:
				report(f, i.line, what, "examples are data for the product: move the code to the floor that uses them")
			case to == annexInternal:
				report(f, i.line, what, "only tests may: move what the product needs to a floor")
			case to == annexExamples && from != "job" && from != annexExamples:
				report(f, i.line, what, "only jobs and tests may: ask package job, or have the caller pass the image in")
			}
		}
	}
}

// checkModule: each folder has the modules that the design gives it, and cgo is for nobody: users have only Go.
func checkModule(p *pkg, report report) {
	for _, f := range p.files {
		for _, i := range f.imports {
			if i.path == "C" {
				report(f, i.line, p.dir+" uses cgo", "write it in Go, or run a program of its own")
				continue
			}
			if i.local || !strings.Contains(top(i.path), ".") {
				continue
			}
			allowed := false
			for _, m := range modules {
				allowed = allowed || within(p.dir, m.folder) && within(i.path, m.module)
			}
			if !allowed {
				report(f, i.line, fmt.Sprintf("%s imports %s, which is not in the standard library", p.dir, i.path),
					"do without, or give the reason in docs/RATIONALE.md and a row in archtest's modules")
			}
		}
	}
}

// checkDeterminism: below show, nothing but the recipe decides what happens.
func checkDeterminism(p *pkg, report report) {
	if n := slices.Index(floors, top(p.dir)); n < 0 || n >= slices.Index(floors, "show") {
		return
	}
	for _, f := range p.files {
		for _, i := range f.imports {
			for _, h := range hostInputs {
				if f.test || i.path != h.path {
					continue
				}
				if i.as == "." {
					report(f, i.line, "a dot import of "+i.path+" hides what is used of it", "import it by name")
					continue
				}
				eachUse(f, i.as, func(name string, line int) {
					if slices.Contains(h.names, name) != h.allow {
						report(f, line, fmt.Sprintf("%s.%s is not in the recipe of a run", i.path, name), h.do)
					}
				})
			}
		}
	}
}

// eachUse calls use for every qualified identifier of the package imported under the given name. It does not resolve
// scopes: a variable that shadows a package's name is taken for the package.
func eachUse(f *file, imported string, use func(name string, line int)) {
	ast.Inspect(f.syntax, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok {
			if x, ok := s.X.(*ast.Ident); ok && x.Name == imported {
				use(s.Sel.Name, f.line(s.Pos()))
			}
		}
		return true
	})
}

// checkPackageComment: a package says what it is for. The comment is where godoc looks: not in a test, unless the
// package has nothing else.
func checkPackageComment(p *pkg, report report) {
	candidates := slices.DeleteFunc(slices.Clone(p.files), func(f *file) bool { return f.test })
	if len(candidates) == 0 {
		candidates = p.files
	}
	for _, f := range candidates {
		if strings.TrimSpace(f.syntax.Doc.Text()) != "" {
			return
		}
	}
	f := candidates[0]
	report(f, f.line(f.syntax.Package), "package "+f.name+" has no package comment",
		"say above the package clause what it is for and which invariants it keeps")
}

// checkPackageName: a package is named after what is in it.
func checkPackageName(p *pkg, report report) {
	f := p.files[0]
	dir := p.dir[strings.LastIndex(p.dir, "/")+1:]
	for _, name := range []string{f.name, dir} {
		if slices.Contains(vagueNames, name) {
			report(f, f.line(f.syntax.Package), "the name "+name+" says nothing", "name the package after what it does, "+
				"or move its code to those who use it")
			return
		}
	}
}

// checkInit: registries are explicit, and importing a package does nothing.
func checkInit(p *pkg, report report) {
	for _, f := range p.files {
		for _, d := range f.syntax.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv == nil && fn.Name.Name == "init" {
				report(f, f.line(fn.Pos()), "init function", "use a composite literal, an explicit registry, or TestMain")
			}
		}
	}
}

// checkSize: files can be read in one go.
func checkSize(p *pkg, report report) {
	for _, f := range p.files {
		if !f.test && f.lines > maxLines {
			report(f, maxLines+1, fmt.Sprintf("%d lines, more than %d", f.lines, maxLines), "split it by meaning")
		}
	}
}
