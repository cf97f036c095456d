package transcript

import (
	"bytes"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"motehound/internal/need"
	"motehound/internal/testkit"
)

var update = flag.Bool("update", false, "write the documents as they should be")

// root is that of the repository.
const root = testkit.Root

// documents are the pages that are looked at, by their paths in the repository.
func documents(t *testing.T) []string {
	t.Helper()
	names, err := fs.Glob(os.DirFS(root), "docs/*.md")
	if err != nil || len(names) == 0 {
		t.Fatalf("no documents: %v", err)
	}
	return append([]string{"README.md"}, names...)
}

func parsed(t *testing.T, name string) *Document {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, name))
	if err != nil {
		t.Fatal(err)
	}
	d, err := Parse(string(text))
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return d
}

func TestMain(m *testing.M) { testkit.Main(m) }

// TestDocuments runs what the documents show.
func TestDocuments(t *testing.T) {
	for _, name := range documents(t) {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".md"), func(t *testing.T) {
			d := parsed(t, name)
			if len(d.Steps) == 0 {
				return
			}
			t.Parallel()
			if testing.Short() && !slices.Contains([]string{"README.md", "docs/getting-started.md", "docs/tracing.md"}, name) {
				t.Skip("takes long")
			}
			for _, step := range d.Steps {
				if step.Why == "" && slices.Contains(strings.Fields(step.Words()), "avr-gcc") {
					need.Tools(t, "avr-gcc")
				}
			}
			s := newStage(t, name)
			outputs := make([][]string, len(d.Steps))
			for i, step := range d.Steps {
				outputs[i] = s.play(step)
			}
			var numbers []string
			for _, n := range d.Numbers {
				numbers = append(numbers, s.number(n))
			}
			if !*update {
				return
			}
			if err := os.WriteFile(filepath.Join(root, name), []byte(d.Text(outputs, numbers)), 0o644); err != nil {
				t.Fatal(err)
			}
		})
	}
}

// stage is where the commands of a document run.
type stage struct {
	t      *testing.T
	name   string // of the document
	dir    string
	env    []string
	prints map[string][]byte // what commands with names have printed
}

func newStage(t *testing.T, name string) *stage {
	s := &stage{t: t, name: name, dir: t.TempDir(), prints: map[string][]byte{}}
	s.env = append(os.Environ(), "PATH="+filepath.Dir(testkit.Command(t))+string(os.PathListSeparator)+os.Getenv("PATH"))
	if err := os.CopyFS(filepath.Join(s.dir, "examples"), os.DirFS(filepath.Join(root, "examples"))); err != nil {
		t.Fatal(err)
	}
	return s
}

// play does a step. It gives what the document should show there instead, nil if it is right.
func (s *stage) play(step Step) []string {
	s.t.Helper()
	switch {
	case step.Why != "", step.Slow && testing.Short():
		return nil
	case step.Command == "":
		if err := os.WriteFile(filepath.Join(s.dir, step.Name), []byte(strings.Join(step.Shown, "\n")+"\n"), 0o644); err != nil {
			s.t.Fatal(err)
		}
		return nil
	}
	var stdout, stderr bytes.Buffer
	c := exec.Command("sh", "-c", step.Words())
	c.Dir, c.Env, c.Stdout, c.Stderr = s.dir, s.env, &stdout, &stderr
	switch {
	case step.Table:
		c.Dir = root
	case step.Transcript:
		c.Stderr = &stdout
	}
	err := c.Run()
	found := c.ProcessState.ExitCode() == 1 && !strings.HasPrefix(step.Words(), "motehound replay ") // a replay must give the same
	if status := c.ProcessState.ExitCode(); err != nil && !found {
		s.t.Errorf("%s:%d: %s\nends with status %d (%v):\n%s%s", s.name, step.Line, step.Command, status, err, &stdout, &stderr)
		return nil
	}
	if step.Name != "" {
		s.prints[step.Name] = stdout.Bytes()
	}
	if !step.Transcript {
		return nil
	}
	printed := strings.ReplaceAll(stdout.String(), s.dir, "/home/me")
	same, fresh, changes := Compare(step.Shown, Lines(printed))
	if same {
		return nil
	}
	s.differs("%s:%d: %s\nprints something else:\n%s", s.name, step.Line, step.Command, strings.Join(changes, "\n"))
	return fresh
}

// number is how a number should be written.
func (s *stage) number(n Number) string {
	s.t.Helper()
	printed, ok := s.prints[n.Name]
	if !ok {
		return n.Text // the command has failed, or was not run
	}
	value, err := Value(printed, n.Path)
	if err != nil {
		s.t.Errorf("%s:%d: %s: %v", s.name, n.Line, n.Name, err)
		return n.Text
	}
	fresh := As(n.Text, value)
	if fresh != n.Text {
		s.differs("%s:%d: %s.%s is %s, not %s", s.name, n.Line, n.Name, n.Path, fresh, n.Text)
	}
	return fresh
}

// differs is about a document that is not as it should be.
func (s *stage) differs(format string, args ...any) {
	s.t.Helper()
	text := fmt.Sprintf(format, args...)
	if *update {
		s.t.Log(text)
		return
	}
	s.t.Error(text + "\ngo test ./internal/transcript -update writes it anew")
}

// TestNotRun keeps the list of commands that documents show and nobody runs.
func TestNotRun(t *testing.T) {
	const golden = "testdata/not-run.txt"
	var list strings.Builder
	run, left := 0, 0
	for _, name := range documents(t) {
		for _, s := range parsed(t, name).Steps {
			switch {
			case s.Why != "":
				left++
				fmt.Fprintf(&list, "%s: %s: %s\n", name, s.Why, s.Command)
			case s.Command != "":
				run++
			}
		}
	}
	t.Logf("%d commands are run, %d are not", run, left)
	if *update {
		if err := os.WriteFile(golden, []byte(list.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if list.String() != string(want) {
		t.Errorf("these commands are not run:\n%s%s has others:\n%sIf that is right, go test ./internal/transcript -update", &list, golden, want)
	}
}

// TestHostNumbers wants every form of numbers that are not compared in some document.
func TestHostNumbers(t *testing.T) {
	var shown []string
	for _, name := range documents(t) {
		for _, s := range parsed(t, name).Steps {
			if s.Transcript {
				shown = append(shown, s.Shown...)
			}
		}
	}
	for _, r := range hostNumbers {
		if !slices.ContainsFunc(shown, r.MatchString) {
			t.Errorf("no document shows %s: remove it from the table", r)
		}
	}
}
