package archtest

import (
	"bufio"
	"os"
	"slices"
	"strings"
	"testing"
)

// TestModules: nobody brings a module along, or is allowed to, that nobody imports.
func TestModules(t *testing.T) {
	packages, err := load(os.DirFS("../.."))
	if err != nil {
		t.Fatal(err)
	}
	imports := func(folder, module string) bool {
		return slices.ContainsFunc(packages, func(p *pkg) bool {
			return within(p.dir, folder) && slices.ContainsFunc(p.files, func(f *file) bool {
				return slices.ContainsFunc(f.imports, func(i imported) bool { return !i.local && within(i.path, module) })
			})
		})
	}
	for _, m := range modules {
		if !imports(m.folder, m.module) {
			t.Errorf("%s may import %s, and does not: take the row out of archtest's modules", m.folder, m.module)
		}
	}
	required := direct(t, "../../go.mod")
	if len(required) == 0 {
		t.Fatal("go.mod requires nothing")
	}
	for _, module := range required {
		if !slices.ContainsFunc(modules, func(m struct{ folder, module string }) bool { return m.module == module && imports(m.folder, module) }) {
			t.Errorf("go.mod requires %s, which nobody imports: run go mod tidy", module)
		}
	}
}

// direct is the modules that a go.mod requires for its own packages.
func direct(t *testing.T, name string) []string {
	t.Helper()
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var required []string
	inside := false
	for lines := bufio.NewScanner(f); lines.Scan(); {
		line := strings.TrimSpace(lines.Text())
		switch {
		case line == "require (":
			inside = true
		case line == ")":
			inside = false
		case inside && !strings.HasSuffix(line, "// indirect"):
			required = append(required, strings.Fields(line)[0])
		}
	}
	return required
}
