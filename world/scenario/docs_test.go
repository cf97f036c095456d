package scenario

import (
	"errors"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"go.starlark.net/starlark"
)

const reference = "../../docs/scenarios.md"

// TestDocs loads every example of the reference, and of what explains symbolic.
func TestDocs(t *testing.T) {
	for file, least := range map[string]int{reference: 9, "../../docs/symbolic.md": 2} {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		blocks := regexp.MustCompile("(?s)```python\n(.*?)```").FindAllStringSubmatch(string(text), -1)
		if len(blocks) < least {
			t.Fatalf("%s has only %d examples", file, len(blocks))
		}
		for _, b := range blocks {
			if _, err := LoadFS(tree(b[1]), "a.star", Options{}); err != nil {
				t.Errorf("%s: %s\n%v", file, b[1], err)
			}
		}
	}
}

// positional is what functions take whose arguments have no names.
var positional = map[string]string{"at": "time, action, ...", "failure": "function, ...", "benign": "variable, ...", "report": "check, ..."}

// arguments asks a function for its arguments, and marks those that may be left out.
func arguments(t *testing.T, name string, call func(*starlark.Thread) error) string {
	t.Helper()
	if text := positional[name]; text != "" {
		return text
	}
	var names []string
	thread := new(starlark.Thread)
	thread.SetLocal(askKey, func(pairs []any) {
		for i := 0; i < len(pairs); i += 2 {
			names = append(names, pairs[i].(string))
		}
	})
	if err := call(thread); !errors.Is(err, errAsked) {
		t.Errorf("%s: %v", name, err)
	}
	return strings.Join(names, ", ")
}

// The table of all functions is made of the code: with -update it is written anew. Each function is linked to the section that explains it.
func TestDocsReference(t *testing.T) {
	data, err := os.ReadFile(reference)
	if err != nil {
		t.Fatal(err)
	}
	const begin, end = "Properties may call only those that say so.\n\n", "\n## Coming from"
	prose, rest, ok := strings.Cut(string(data), begin)
	_, behind, closed := strings.Cut(rest, end)
	if !ok || !closed {
		t.Fatalf("%s has no %q and %q", reference, begin, end)
	}
	var b strings.Builder
	b.WriteString("| call | in properties | explained in |\n|---|---|---|\n")
	row := func(name, arguments, inProperties string) {
		title := explained(prose, name)
		if title == "" {
			t.Errorf("%s is explained nowhere", name)
		}
		anchor := strings.ReplaceAll(strings.ToLower(strings.ReplaceAll(title, "'", "")), " ", "-")
		fmt.Fprintf(&b, "| `%s(%s)` | %s | [%s](#%s) |\n", name, arguments, inProperties, title, anchor)
	}
	for _, d := range declarations {
		row(d.name, arguments(t, d.name, func(thread *starlark.Thread) error {
			_, err := d.handle(&request{builder: new(builder), thread: thread, name: d.name})
			return err
		}), "")
	}
	for _, p := range pure {
		row(p.name, arguments(t, p.name, func(thread *starlark.Thread) error {
			_, err := p.f(thread, starlark.NewBuiltin(p.name, p.f), nil, nil)
			return err
		}), "yes")
	}
	want := prose + begin + b.String() + end + behind
	if *update {
		if err := os.WriteFile(reference, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	} else if want != string(data) {
		t.Errorf("the table of all functions in %s is stale: run with -update", reference)
	}
}

// explained is the title of the first section of a page that shows a call of a function as code in its text.
func explained(page, name string) string {
	for _, section := range strings.Split(page, "\n## ")[1:] {
		if title, text, _ := strings.Cut(section, "\n"); title != "What to know first" && title != "Different firmware" && strings.Contains(text, "`"+name+"(") {
			return title
		}
	}
	return ""
}

// TestDocsComplete wants every attribute of nodes and networks in the reference. TestDocsReference has the functions.
func TestDocsComplete(t *testing.T) {
	text, err := os.ReadFile(reference)
	if err != nil {
		t.Fatal(err)
	}
	var want []string
	for _, a := range nodeAttrs {
		want = append(want, "n."+a)
	}
	for _, a := range networkAttrs {
		want = append(want, "net."+a)
	}
	for _, w := range want {
		if !strings.Contains(string(text), w) {
			t.Errorf("docs/scenarios.md does not mention %s", w)
		}
	}
}
