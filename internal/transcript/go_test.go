package transcript

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"motehound/job/document"
)

// The program of docs/go.md compiles and does what the page says.
func TestUseFromGo(t *testing.T) {
	page, err := os.ReadFile(filepath.Join(root, "docs", "go.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(page), "```go\n")
	program, _, ok := strings.Cut(rest, "```\n")
	if lines := strings.Count(program, "\n"); !ok || lines > 40 {
		t.Fatalf("the program has %d lines, and is to have at most 40", lines)
	}
	file := filepath.Join(t.TempDir(), "main.go")
	if err := os.WriteFile(file, []byte(program), 0o644); err != nil {
		t.Fatal(err)
	}
	run := exec.Command("go", "run", file)
	run.Dir = root // its go.mod says what motehound is
	var progress strings.Builder
	run.Stderr = &progress
	out, err := run.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, progress.String())
	}
	for _, want := range []string{"doing reading example:readings", "exploring", "note found after", "running", "doing ranking the intervals of"} {
		if !strings.Contains(progress.String(), want) {
			t.Errorf("progress has no %q:\n%s", want, progress.String())
		}
	}
	documents := json.NewDecoder(strings.NewReader(string(out)))
	for _, want := range []string{"findings", "rankings"} {
		var doc map[string]any
		if err := documents.Decode(&doc); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		if list, _ := doc[want].([]any); len(list) == 0 || doc["schema_version"] != float64(document.SchemaVersion) {
			t.Errorf("no %s in %v", want, doc)
		}
	}
}
