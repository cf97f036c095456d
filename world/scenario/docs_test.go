package scenario

import (
	"os"
	"regexp"
	"strings"
	"testing"
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

// TestDocsComplete wants every function, and every attribute of nodes and networks, in the reference.
func TestDocsComplete(t *testing.T) {
	text, err := os.ReadFile(reference)
	if err != nil {
		t.Fatal(err)
	}
	var want []string
	for _, d := range declarations {
		want = append(want, "`"+d.name+"(")
	}
	for _, p := range pure {
		want = append(want, "`"+p.name+"(")
	}
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
