package exports

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// allowed are names that stay exported, and why.
var allowed = map[string]string{
	"mapping.COW":      "one of three algorithms; the other two are used by name",
	"plan.KindBuiltin": "one of two kinds; the other is used by name",
}

// later are folders that are under work: what they export to nobody goes when that is done.
var later = []string{"job", "study/explore"}

// TestHouse: this repository exports nothing to nobody. The annex internal is no part of the product: tests are its users.
func TestHouse(t *testing.T) {
	names, err := Find("../../..")
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]bool{}
	for _, n := range names {
		found[n.Name] = true
		under := func(dir string) bool { return strings.HasPrefix(n.File, dir+"/") }
		if allowed[n.Name] == "" && !under("internal") && !slices.ContainsFunc(later, under) {
			t.Error(n)
		}
	}
	for name := range allowed {
		if !found[name] {
			t.Errorf("%s is used, or gone: take it off the list of what is allowed", name)
		}
	}
}

// TestPlanted finds what is wrong with a small module, and nothing else.
func TestPlanted(t *testing.T) {
	root := t.TempDir()
	text, err := os.ReadFile("testdata/planted.txt")
	if err != nil {
		t.Fatal(err)
	}
	var want []string
	var file string
	for line := range strings.Lines(string(text)) {
		if name, ok := strings.CutPrefix(strings.TrimSpace(line), "-- "); ok {
			file = strings.TrimSuffix(name, " --")
			if err := os.MkdirAll(filepath.Dir(filepath.Join(root, file)), 0o755); err != nil {
				t.Fatal(err)
			}
			continue
		} else if file == "" {
			continue
		}
		if _, name, ok := strings.Cut(strings.TrimSpace(line), "// WANT "); ok {
			want = append(want, name)
		}
		f, err := os.OpenFile(filepath.Join(root, file), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.WriteString(line); err != nil {
			t.Fatal(err)
		}
		f.Close()
	}
	names, err := Find(root)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, n := range names {
		what := "own "
		if n.Dead {
			what = "dead "
		}
		got = append(got, what+n.Name)
		if source, err := os.ReadFile(filepath.Join(root, n.File)); err != nil || !strings.Contains(strings.Split(string(source), "\n")[n.Line-1], "// WANT ") {
			t.Errorf("%v is not on that line: %v", n, err)
		}
	}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("\n got %q\nwant %q", got, want)
	}
}
