package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"motehound/job/document"
)

// Every document that --json prints begins with the version of its schema, and so do the reports of --out. Files with a version of their own
// keep that.
func TestDocumentsHaveAVersion(t *testing.T) {
	page, err := os.ReadFile("../../docs/json.md")
	if said := fmt.Sprintf("`schema_version`, and so does the `report.json` that `--out` keeps. It is %d. ", document.SchemaVersion); err != nil || !strings.Contains(string(page), said) {
		t.Errorf("docs/json.md does not say %q: %v", said, err)
	}
	t.Chdir(t.TempDir())
	const program = "int table[3];\nint sum(int n) { int i, s = 0; for (i = 0; i < n; i++) if (table[i] > 2) s += table[i]; return s; }\n"
	if err := os.WriteFile("app.c", []byte(program), 0o644); err != nil {
		t.Fatal(err)
	}
	const jobs = `{"jobs": [{"job": "run", "request": {"file": "example:blink", "time_ns": 1000000}}]}`
	if err := os.WriteFile("jobs.json", []byte(jobs), 0o644); err != nil {
		t.Fatal(err)
	}
	key := keptFinding(t, "kept")
	const traced = " example:oscilloscope_traced"
	cases := []struct {
		command, args string
		own           bool // it is a file with a version of its own
	}{
		{"run", "--time 1s --out ran example:blink", false},
		{"replay", "ran/recipe.json", false},
		{"mine", "--time 3s --nodes 2 example:counter", false},
		{"mine", "--time 3s --nodes 2 --vector TIMER0_COMP example:counter", false},
		{"model mine", "--time 1s --models models.json example:blink", false},
		{"model verify", "--time 1s --models models.json --out verified example:blink", false},
		{"model show", "models.json", true},
		{"model diff", "models.json models.json", false},
		{"check", "--mode search --depth 3 --out checked example:blink", false},
		{"fuzz", "--total 2000 --out fuzzed example:blink", false},
		{"hunt", "--budget 0 --total 1000 --engine run --out hunted example:blink", false},
		{"symbolic", "--time 20ms --out explored example:blink", false},
		{"trace pull", "--time 3s --board micaz" + traced, false},
		{"trace decode", "trace.bin", false},
		{"trace stats", "trace.bin", false},
		{"trace replay", "--tries 1 --board micaz trace.bin" + traced, false},
		{"trace instrument", "app.c", false},
		{"findings list", "--store kept", false},
		{"findings show", "--store kept " + key, false},
		{"findings dismiss", "--store kept --reason why " + key, false},
		{"campaign start check", "--mode search --depth 3 --workers 1 example:blink", false},
		{"campaign status", "", false},
		{"campaign watch", "", false},
		{"campaign result", "", false},
		{"campaign start fuzz", "--walks 2 --epochs 2 --item-walks 1 --workers 1 example:blink", false},
		{"campaign start mine", "--time 3s --nodes 2 --runs 2 --workers 1 example:counter", false},
		{"campaign start symbolic", "--time 100ms --serial-in any:2 --workers 1 example:novolatile", false},
		{"campaign start hunt", "--item-events 1000 --engine run --time 1s --workers 1 example:blink", false},
		{"campaign start jobs", "--workers 1 jobs.json", false},
		{"version", "", false},
	}
	covered := map[string]bool{}
	for _, c := range cases {
		covered[c.command] = true
		r := motehound(t, append(strings.Fields(c.command), append([]string{"--json"}, strings.Fields(c.args)...)...)...)
		if r.status != exitFine && r.status != exitFound {
			t.Errorf("%s %s: exit status %d\n%s", c.command, c.args, r.status, r.stderr)
			continue
		}
		versioned(t, c.command, r.stdout, c.own)
	}
	for _, folder := range []string{"ran", "verified", "checked", "hunted", "explored"} {
		text, err := os.ReadFile(filepath.Join(folder, "report.json"))
		if err != nil {
			t.Error(err)
		}
		versioned(t, folder, string(text), false)
	}
	walkCommands(rootCommand(), func(cmd *cobra.Command) {
		if cmd.Flags().Lookup("json") != nil && !covered[commandName(cmd)] {
			t.Errorf("%s has --json, and no case here", commandName(cmd))
		}
	})
}

func versioned(t *testing.T, what, text string, own bool) {
	t.Helper()
	var doc map[string]any
	if err := json.Unmarshal([]byte(text), &doc); err != nil {
		t.Errorf("%s: %v\n%s", what, err, text)
		return
	}
	first := strings.HasPrefix(strings.TrimLeft(text, "{ \n"), document.SchemaField)
	switch {
	case own && (doc["motehound_models"] == nil || doc["schema_version"] != nil):
		t.Errorf("%s: version %v, schema_version %v", what, doc["motehound_models"], doc["schema_version"])
	case !own && (doc["schema_version"] != float64(document.SchemaVersion) || !first):
		t.Errorf("%s: schema_version is %v, and first: %v", what, doc["schema_version"], first)
	}
}

// Only one place writes documents: replay has three, and each goes there.
func TestOnePlaceWritesDocuments(t *testing.T) {
	sources, err := filepath.Glob("*.go")
	if err != nil || len(sources) < 50 {
		t.Fatal(len(sources), err)
	}
	for _, name := range sources {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for what, only := range map[string]string{"json.NewEncoder": "document.go", "json.MarshalIndent": "", "writePlainJSON(stdout": "model_show.go"} {
			if strings.Contains(string(text), what) && name != only {
				t.Errorf("%s has %s: use writeJSON", name, what)
			}
		}
	}
}

func TestVersion(t *testing.T) {
	info := &debug.BuildInfo{Settings: []debug.BuildSetting{{Key: "vcs.revision", Value: "0123456789abcdef0123"}, {Key: "vcs.modified", Value: "true"}}}
	info.Main.Version = "v1.2.3+dirty"
	for _, c := range []struct {
		got  string
		want string
	}{
		{builtFrom(info, true).String(), "v1.2.3, commit 0123456789ab with local changes, "},
		{builtFrom(&debug.BuildInfo{}, true).String(), "devel, unknown commit, "},
		{builtFrom(nil, false).String(), "devel, unknown commit, "},
		{motehound(t, "version").stdout, "motehound " + version() + "\n"},
		{motehound(t, "--version").stdout, "motehound " + version() + "\n"},
	} {
		if !strings.HasPrefix(c.got, c.want) {
			t.Errorf("%q, want %q", c.got, c.want)
		}
	}
	if b := builtFrom(info, true); b.Commit != "0123456789abcdef0123" || !b.Modified || b.Version != "v1.2.3" {
		t.Errorf("%+v", b)
	}
}
