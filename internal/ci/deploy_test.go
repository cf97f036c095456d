package ci

import (
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"motehound/internal/testkit"
)

// understood checks that Motehound has a command and its flags.
func understood(t *testing.T, args []string) {
	t.Helper()
	if out, err := exec.Command(testkit.Command(t), append(args, "--help")...).CombinedOutput(); err != nil {
		t.Errorf("motehound %s: %v\n%s", strings.Join(args, " "), err, out)
	}
}

// What docs/deploy shows can be read by those who are to read it, and starts commands that there are.
func TestDeploy(t *testing.T) {
	t.Parallel()
	folder := filepath.Join(testkit.Root, "docs/deploy")
	f, err := os.Open(filepath.Join(folder, "kubernetes.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	type container struct{ Args []string }
	kinds := map[string]bool{}
	for d := yaml.NewDecoder(f); ; {
		var doc struct {
			Kind string
			Spec struct {
				Template struct {
					Spec struct{ Containers []container }
				}
			}
		}
		if err := d.Decode(&doc); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		kinds[doc.Kind] = true
		for _, c := range doc.Spec.Template.Spec.Containers {
			understood(t, c.Args)
		}
	}
	if !kinds["Deployment"] || !kinds["Job"] || !kinds["HorizontalPodAutoscaler"] {
		t.Errorf("it has only %v", kinds)
	}
	unit, err := os.ReadFile(filepath.Join(folder, "motehound-worker.service"))
	if err != nil {
		t.Fatal(err)
	}
	_, command, _ := strings.Cut(string(unit), "ExecStart=/usr/bin/motehound ")
	command, _, ok := strings.Cut(command, "\n")
	if !ok {
		t.Fatal("the unit starts nothing")
	}
	understood(t, strings.Fields(command))
	if analyze, err := exec.LookPath("systemd-analyze"); err == nil {
		copied := filepath.Join(t.TempDir(), "motehound-worker.service")
		text := strings.ReplaceAll(string(unit), "/usr/bin/motehound", testkit.Command(t))
		if err := os.WriteFile(copied, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		if out, err := exec.Command(analyze, "verify", copied).CombinedOutput(); err != nil || strings.Contains(string(out), "motehound-worker") {
			t.Errorf("systemd-analyze: %v\n%s", err, out)
		}
	}
	text, err := os.ReadFile(filepath.Join(folder, "Containerfile"))
	if err != nil || !strings.Contains(string(text), `CMD ["worker", "--log", "json", "--metrics", "0.0.0.0:9464"]`) {
		t.Errorf("the container starts something else: %v", err)
	}
	understood(t, []string{"worker", "--log", "json", "--metrics", "0.0.0.0:9464"})
}
