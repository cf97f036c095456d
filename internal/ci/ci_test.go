// Package ci runs what users' CI runs: the steps of the GitHub action and the script of the GitLab example, in a project with a firmware that has a bug, is
// fixed, and gets the bug back.
package ci

import (
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"motehound/examples"
	"motehound/internal/testkit"
)

func TestMain(m *testing.M) { testkit.Main(m) }

// quick is a hunt that is short and the same every time, and sees the bug of the example novolatile.
const quick = "--engine run --total 300 --threads 1"

// action is the parts of action.yml that are run.
type action struct {
	Inputs map[string]struct {
		Default  string
		Required bool
	}
	Runs struct {
		Using string
		Steps []struct {
			Name, Shell, Run string
			Env              map[string]string
		}
	}
}

func read(t *testing.T, file string, into any) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(testkit.Root, file))
	if err != nil {
		t.Fatal(err)
	}
	if err := yaml.Unmarshal(data, into); err != nil {
		t.Fatal(err)
	}
}

// install puts an example into a project as its firmware.
func install(t *testing.T, app, file string) {
	t.Helper()
	f, ok := examples.Find(app, "uno")
	if !ok {
		t.Fatalf("there is no example %s", app)
	}
	if err := os.WriteFile(file, f.ELF(), 0o644); err != nil {
		t.Fatal(err)
	}
}

// shell runs a step as a runner does, and gives its exit status and what it printed.
func shell(t *testing.T, dir, script string, env ...string) (status int, printed string) {
	t.Helper()
	cmd := exec.Command("bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", script)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), env...)
	out, err := cmd.CombinedOutput()
	if e := new(exec.ExitError); errors.As(err, &e) {
		return e.ExitCode(), string(out)
	} else if err != nil {
		t.Fatal(err)
	}
	return 0, string(out)
}

// run is one job: all steps of the action, until one fails.
func (a *action) run(t *testing.T, dir string, with map[string]string) (status int, printed, summary string) {
	t.Helper()
	files := t.TempDir()
	env := []string{"GITHUB_ACTION_PATH=" + testkit.Root, "RUNNER_TEMP=" + files, "GITHUB_ENV=" + files + "/env", "GITHUB_STEP_SUMMARY=" + files + "/summary"}
	for _, s := range a.Runs.Steps {
		if s.Shell != "bash" || strings.Contains(s.Run, "${{") {
			t.Fatalf("%s: an input stands in a script, where it could be code: pass it by env", s.Name)
		}
		own := env
		if set, err := os.ReadFile(files + "/env"); err == nil {
			own = append(own, strings.Fields(string(set))...)
		}
		for name, value := range s.Env {
			input, ok := strings.CutPrefix(value, "${{ inputs.")
			input, ok2 := strings.CutSuffix(input, " }}")
			x, known := a.Inputs[input]
			if !ok || !ok2 || !known {
				t.Fatalf("%s: %s is no input", s.Name, value)
			}
			given, ok := with[input]
			if !ok {
				if given = x.Default; x.Required {
					t.Fatalf("%s is required", input)
				}
			}
			own = append(own, name+"="+given)
		}
		var out string
		status, out = shell(t, dir, s.Run, own...)
		if printed += out; status != 0 {
			break
		}
	}
	text, _ := os.ReadFile(files + "/summary") // a failed step may have written none
	return status, printed, string(text)
}

// A project's nights: the bug is new, then in the baseline, fixed, back, and new again where nobody knows it.
func TestAction(t *testing.T) {
	var a action
	read(t, "action.yml", &a)
	if a.Runs.Using != "composite" || len(a.Runs.Steps) != 2 {
		t.Fatalf("%+v", a.Runs)
	}
	dir := t.TempDir()
	with := map[string]string{"firmware": "app.elf", "budget": "0", "args": quick, "motehound": testkit.Command(t)}
	night := func(what, app, baseline string, want int, texts ...string) {
		t.Helper()
		install(t, app, filepath.Join(dir, "app.elf"))
		with["baseline"] = baseline
		status, printed, summary := a.run(t, dir, with)
		if status != want {
			t.Errorf("%s: exit status %d, want %d\n%s", what, status, want, printed)
		}
		for _, x := range texts {
			if !strings.Contains(printed+summary, x) {
				t.Errorf("%s: no %q in\n%s%s", what, x, printed, summary)
			}
		}
	}
	night("the first night", "novolatile", "", 1, "::error file=examples/novolatile/novolatile.c,line=31,title=Motehound%3A wait%3A read_once::", "## Motehound: 1 new finding\n", "| **new** |")
	sarif(t, dir, 1)
	if status, out := shell(t, dir, `"$MOTEHOUND" findings export --format json --output base.json`, "MOTEHOUND="+testkit.Command(t)); status != 0 {
		t.Fatal(out)
	}
	night("with a baseline", "novolatile", "base.json", 0, "::warning file=", "0 new findings", "| known |", "still")
	night("fixed", "novolatile_fixed", "base.json", 0, "0 new findings", "fixed")
	sarif(t, dir, 0)
	if status, out := shell(t, dir, `"$MOTEHOUND" findings export --format json --output fixed.json`, "MOTEHOUND="+testkit.Command(t)); status != 0 {
		t.Fatal(out)
	}
	night("back, and the baseline says that it was fixed", "novolatile", "fixed.json", 1, "| **came back** |", "::error file=")
	night("back, without a baseline", "novolatile", "missing.json", 1, "::error file=")
	if status, out := shell(t, dir, `"$MOTEHOUND" findings dismiss --reason "a test" "$("$MOTEHOUND" findings list --json | sed -n 's/.*"key": "\(.*\)",/\1/p')"`, "MOTEHOUND="+testkit.Command(t)); status != 0 {
		t.Fatal(out)
	}
	night("dismissed", "novolatile", "", 0, "::notice file=", "dismissed: a test")
	with["firmware"] = "missing.elf"
	if status, printed, _ := a.run(t, dir, with); status != 2 {
		t.Errorf("without a firmware: exit status %d\n%s", status, printed)
	}
}

// sarif counts the results of the report.
func sarif(t *testing.T, dir string, want int) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, "motehound.sarif"))
	if err != nil {
		t.Fatal(err)
	}
	var log struct{ Runs []struct{ Results []any } }
	if err := json.Unmarshal(data, &log); err != nil || len(log.Runs) != 1 || len(log.Runs[0].Results) != want {
		t.Errorf("%v, %+v; want %d results", err, log, want)
	}
}

// The GitLab example does the same.
func TestGitLab(t *testing.T) {
	var file map[string]struct {
		Variables map[string]string
		Script    []string
		Artifacts struct {
			When    string
			Reports map[string]string
		}
	}
	read(t, "docs/gitlab-ci.yml", &file)
	job, ok := file["motehound"]
	if !ok || len(file) != 1 || job.Artifacts.When != "always" {
		t.Fatalf("%+v", file)
	}
	dir := t.TempDir()
	install(t, "novolatile", filepath.Join(dir, "app.elf"))
	path := "PATH=" + filepath.Dir(testkit.Command(t)) + string(os.PathListSeparator) + os.Getenv("PATH")
	script := strings.Join(job.Script, "\n")
	if strings.Count(script, "motehound hunt --quiet ") != 1 {
		t.Fatalf("no hunt in\n%s", script)
	}
	script = strings.Replace(script, "motehound hunt --quiet ", "motehound hunt --quiet "+quick+" ", 1)
	env := []string{path, "MOTEHOUND_BUDGET=0", "MOTEHOUND_FIRMWARE=app.elf", "MOTEHOUND_BASELINE=base.json"}
	for name := range job.Variables {
		if !strings.Contains(strings.Join(env, " "), name+"=") {
			t.Errorf("variable %s is not set here", name)
		}
	}
	if status, out := shell(t, dir, script, env...); status != 1 {
		t.Errorf("exit status %d\n%s", status, out)
	}
	report, err := os.ReadFile(filepath.Join(dir, job.Artifacts.Reports["junit"]))
	if err != nil || !strings.Contains(string(report), `failures="1"`) {
		t.Errorf("%v\n%s", err, report)
	}
	if err := os.Rename(filepath.Join(dir, "motehound.json"), filepath.Join(dir, "base.json")); err != nil {
		t.Fatal(err)
	}
	if status, out := shell(t, dir, script, env...); status != 0 {
		t.Errorf("with a baseline: exit status %d\n%s", status, out)
	}
}
