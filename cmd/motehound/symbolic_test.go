package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"motehound/internal/need"
	"motehound/job/document"
	"motehound/study/symbolic/plan"
	"motehound/world/recipe"
)

// tinytcp is one of its scenarios with another build and medium, in a folder of its own; empty ones are left as they are.
func tinytcp(t testing.TB, name, build, medium string, edits ...string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("../../examples/tinytcp", name+".star"))
	if err != nil {
		t.Fatal(err)
	}
	elf, err := filepath.Abs("../../examples/elf")
	if err != nil {
		t.Fatal(err)
	}
	text := strings.Replace(string(data), `"../elf/`, fmt.Sprintf(`"%s/`, elf), 1)
	for variable, value := range map[string]string{"build": build, "medium": medium} {
		if value != "" {
			text = regexp.MustCompile(`(?m)^`+variable+` = "\w+"`).ReplaceAllString(text, fmt.Sprintf("%s = %q", variable, value))
		}
	}
	text = strings.NewReplacer(edits...).Replace(text)
	file := filepath.Join(t.TempDir(), name+".star")
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return file
}

func symbolicJSON(t testing.TB, status int, args ...string) document.Symbolic {
	t.Helper()
	r := motehound(t, append([]string{"symbolic", "--json", "--budget", "0"}, args...)...)
	var d document.Symbolic
	if err := json.Unmarshal([]byte(r.stdout), &d); err != nil || r.status != status {
		t.Fatalf("exit status %d, %v\n%s%s", r.status, err, r.stdout, r.stderr)
	}
	return d
}

// properties lists what the findings are about.
func properties(d *document.Symbolic) (list []string) {
	for _, f := range d.Findings {
		list = append(list, f.Property)
	}
	slices.Sort(list)
	return list
}

// KleeNet's cases, from scenario to replayed recipe: the build with the bug has it, the fixed one does not.
func TestSymbolicCases(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, medium string
		outcomes     int // 0 for any number
		want         []string
	}{
		{"port", "radio", 3, []string{"connected here, connected there"}},
		{"loss", "wire", 12, []string{"nobody resets a connection", "the client has its page"}},
		{"loss", "radio", 0, []string{"nobody resets a connection", "the client has its page"}},
		{"stuck", "wire", 12, []string{"the client has its page", "the server is free again"}},
		{"duplicate", "wire", 0, []string{"nobody resets a connection", "one connection for the same ends", "the client has its pages"}},
		{"outage", "wire", 7, []string{"nobody is connected after two minutes"}},
	} {
		t.Run(c.name+"/"+c.medium, func(t *testing.T) {
			out := filepath.Join(t.TempDir(), "kept")
			d := symbolicJSON(t, exitFound, "--out", out, tinytcp(t, c.name, "", c.medium))
			if got := properties(&d); d.Verdict != "violated" || !slices.Equal(got, c.want) {
				t.Errorf("%s: %q, want %q", d.Verdict, got, c.want)
			}
			if n := len(d.Outcomes); c.outcomes != 0 && n != c.outcomes || d.Explored.Paths != uint64(n) || len(d.LeftOut) > 0 || len(d.Refuted) > 0 {
				t.Errorf("%d outcomes, left out %q, refuted %q", n, d.LeftOut, d.Refuted)
			}
			for _, f := range d.Findings {
				r := motehound(t, "replay", "--json", f.Recipe)
				var again document.ReplayedInputs
				if err := json.Unmarshal([]byte(r.stdout), &again); err != nil || r.status != exitFine || !again.Same || !again.Seen {
					t.Errorf("replay of %s: exit status %d, %+v, %v\n%s", f.Property, r.status, again, err, r.stderr)
				}
			}
			if c.name == "loss" && c.medium == "radio" || c.name == "duplicate" && testing.Short() {
				return
			}
			d = symbolicJSON(t, exitFine, tinytcp(t, c.name, "_fixed", c.medium))
			if d.Verdict != "holds" || len(d.Findings) > 0 || len(d.Outcomes) < 2 {
				t.Errorf("fixed: %s, %q, %d outcomes", d.Verdict, properties(&d), len(d.Outcomes))
			}
		})
	}
}

// The port case in detail: which inputs, which conditions, where.
func TestSymbolicPort(t *testing.T) {
	file := tinytcp(t, "port", "", "")
	d := symbolicJSON(t, exitFound, file)
	f := d.Findings[0]
	if f.Kind != plan.KindProperty || f.Mote != 1 || f.Line != 119 || !strings.HasSuffix(f.File, "tinytcp/client.c") || f.Function == "" ||
		len(f.Inputs) != 1 || f.Inputs[0].Name != "port" || f.Inputs[0].Value != 0 || f.Inputs[0].Mote != 1 || len(f.Conditions) == 0 {
		t.Errorf("%+v", f)
	}
	var ports []uint64
	for _, s := range d.Outcomes {
		ports = append(ports, s.Inputs[0].Value)
		if bad := s.Inputs[0].Value == 0; bad != slices.Equal(s.Violates, []string{f.Property}) {
			t.Errorf("with port %d it violates %q", s.Inputs[0].Value, s.Violates)
		}
	}
	if slices.Sort(ports); len(ports) != 3 || ports[0] != 0 || !slices.Contains(ports, 7777) {
		t.Errorf("ports %d", ports)
	}
	r := motehound(t, "symbolic", file)
	for _, want := range []string{"input: port = 0, mote 1", "when: ", "3 outcomes:", "violated: 1 finding"} {
		if !strings.Contains(r.stdout, want) {
			t.Errorf("no %q in\n%s", want, r.stdout)
		}
	}
}

// A shell gets pages over a router, whatever the file is called.
func TestSymbolicShell(t *testing.T) {
	t.Parallel()
	for _, unknown := range []string{"name", "typed"} {
		if unknown == "typed" && testing.Short() {
			continue
		}
		d := symbolicJSON(t, exitFine, tinytcp(t, "shell", "", "", `unknown = "name"`, fmt.Sprintf("unknown = %q", unknown)))
		var names []string
		for _, s := range d.Outcomes {
			b, _ := json.Marshal(s.Inputs[0].Hex)
			names = append(names, string(b))
		}
		if d.Verdict != "holds" || !slices.Contains(names, `"696e64657831"`) || !slices.Contains(names, `"737461747573"`) {
			t.Errorf("%s: %s, %q", unknown, d.Verdict, names)
		}
	}
}

// A request of unknown bytes has more outcomes than there is memory for: it stays within the bound, and says what was left out.
func TestSymbolicMemory(t *testing.T) {
	t.Parallel()
	file := tinytcp(t, "shell", "", "", `unknown = "name"`, `unknown = "request"`, "offset = 0, length = 6", "offset = 0, length = 11")
	const most = 64 << 20
	c := command(t, "symbolic", "--json", "--budget", "0", "--memory", "64MiB", "--outcomes", "5", "--time", "1500ms", file)
	peak := filepath.Join(t.TempDir(), "peak")
	c.Env = append(c.Env, "GOGC=") // as a user has it, whatever the tests have
	if runtime.GOOS == "linux" {
		c.Env = append(c.Env, peakFile+"="+peak)
	}
	r := finish(t, c)
	var d document.Symbolic
	if err := json.Unmarshal([]byte(r.stdout), &d); err != nil || r.status != exitFine || d.Verdict != "unknown" || len(d.LeftOut) == 0 {
		t.Errorf("exit status %d, %v, %s, left out %q\n%s", r.status, err, d.Verdict, d.LeftOut, r.stderr)
	}
	const larger = 16 << 20 // the tests' own code is larger than the command's
	if runtime.GOOS == "linux" {
		if took := peakOf(t, peak); took > most+larger {
			t.Errorf("it took %d KiB", took>>10)
		}
	}
	d = symbolicJSON(t, exitFine, "--max-paths", "10", "--time", "1500ms", file)
	if d.Verdict != "unknown" || d.Stopped == "" || len(d.Outcomes) < 10 {
		t.Errorf("%s, stopped by %q, %d outcomes", d.Verdict, d.Stopped, len(d.Outcomes))
	}
}

// The same comes out with any number of cores, any way to map states, either solver and any order of outcomes.
func TestSymbolicDeterminism(t *testing.T) {
	t.Parallel()
	port, loss := tinytcp(t, "port", "", ""), tinytcp(t, "loss", "", "")
	explored := func(set []string, args ...string) string {
		c := command(t, append([]string{"symbolic", "--json", "--budget", "0"}, args...)...)
		c.Env = append(c.Env, set...)
		r := finish(t, c)
		if r.status != exitFound {
			t.Fatalf("%v: exit status %d\n%s", args, r.status, r.stderr)
		}
		return regexp.MustCompile(`"time_s": [0-9.e-]+`).ReplaceAllString(r.stdout, `"time_s": 0`)
	}
	first := explored([]string{"GOMAXPROCS=1"}, port)
	if explored([]string{"GOMAXPROCS=2"}, port) != first || explored([]string{"GOGC=20"}, port) != first {
		t.Error("the document depends on the machine")
	}
	ends := func(text string) (list []string) {
		var d document.Symbolic
		if err := json.Unmarshal([]byte(text), &d); err != nil {
			t.Fatal(err)
		}
		for _, s := range d.Outcomes {
			list = append(list, fmt.Sprint(s.Violates, s.Failures, s.Hash))
		}
		slices.Sort(list)
		return append(list, properties(&d)...)
	}
	want := ends(explored(nil, loss))
	for _, args := range [][]string{{"--map", "cob"}, {"--map", "cow"}, {"--searcher", "bfs"}, {"--searcher", "path", "--seed", "3"}, {"--searcher", "coverage"}} {
		if got := ends(explored(nil, append(args, loss)...)); !slices.Equal(got, want) {
			t.Errorf("%v: %q, want %q", args, got, want)
		}
	}
	need.Tools(t, "z3")
	if d := symbolicJSON(t, exitFound, "--solver", "z3", port); len(d.Outcomes) != 3 || len(d.Findings) != 1 || d.Findings[0].Inputs[0].Value != 0 {
		t.Errorf("z3: %+v", d)
	}
}

// What the budget has cut short goes on where it was, and comes to the same end.
func TestSymbolicResume(t *testing.T) {
	t.Parallel()
	file := tinytcp(t, "port", "", "wire")
	straight := symbolicJSON(t, exitFound, file)
	out := filepath.Join(t.TempDir(), "kept")
	r := motehound(t, "symbolic", "--json", "--budget", "1ns", "--out", out, file)
	if r.status != exitFine || !strings.Contains(r.stdout, `"unknown"`) {
		t.Fatalf("exit status %d\n%s%s", r.status, r.stdout, r.stderr)
	}
	if r := motehound(t, "symbolic", "--out", out, file); r.status != exitUsage || !strings.Contains(r.stderr, "--resume") {
		t.Errorf("exit status %d\n%s", r.status, r.stderr)
	}
	if r := motehound(t, "symbolic", "--out", out, "--resume", tinytcp(t, "port", "_fixed", "wire")); r.status != exitUsage || !strings.Contains(r.stderr, "another scenario") {
		t.Errorf("exit status %d\n%s", r.status, r.stderr)
	}
	d := symbolicJSON(t, exitFound, "--out", out, "--resume", file)
	for _, x := range []*document.Symbolic{&straight, &d} {
		x.TimeS, x.Solver = 0, document.Solver{}
		for _, f := range x.Findings {
			f.Recipe = ""
		}
	}
	if !reflect.DeepEqual(d, straight) {
		t.Errorf("it went on to\n%+v\nand straight to\n%+v", d, straight)
	}
	if r := motehound(t, "symbolic", "--out", out, "--resume", file); r.status != exitUsage || !strings.Contains(r.stderr, "nothing to continue") {
		t.Errorf("exit status %d\n%s", r.status, r.stderr)
	}
}

// Bad input is refused with what to do.
func TestSymbolicRefused(t *testing.T) {
	file := tinytcp(t, "port", "", "")
	for want, args := range map[string][]string{
		"need --reorder":            {"--delay", "5ms", file},
		"at least 1 and 100us":      {"--reorder", "--orders", "0", file},
		"256MiB":                    {"--memory", "much", file},
		"at least 64 MiB":           {"--memory", "1MiB", file},
		"sds, cow, cob":             {"--map", "x", file},
		"builtin or z3":             {"--solver", "x", file},
		"dfs":                       {"--searcher", "x", file},
		"--max-paths":               {"--max-paths", "-1", file},
		"the folder to continue":    {"--resume", file},
		"no code was made of":       {tinytcp(t, "port", "", "", "client.c\", 119", "client.c\", 1")},
		"no mote has id 3":          {tinytcp(t, "port", "", "", "n.net[2]", "n.net[3]")},
		"has a loss":                {tinytcp(t, "loss", "", "radio", "full(2)", "full(2, loss = 0.1)")},
		"no function NoSuchC__here": {tinytcp(t, "port", "", "", "ClientC__connect", "NoSuchC__here")},
	} {
		r := motehound(t, append([]string{"symbolic"}, args...)...)
		if r.status != exitUsage || !strings.Contains(r.stderr, want) {
			t.Errorf("%v: exit status %d, want something of %q\n%s", args, r.status, want, r.stderr)
		}
	}
}

// A recipe that was edited does not replay.
func TestSymbolicReplayEdited(t *testing.T) {
	out := filepath.Join(t.TempDir(), "kept")
	d := symbolicJSON(t, exitFound, "--out", out, tinytcp(t, "port", "", ""))
	rec, err := recipe.Read(d.Findings[0].Recipe)
	if err != nil {
		t.Fatal(err)
	}
	rec.Pokes[0].Hex = "611e" // 7777
	edited := filepath.Join(out, "edited.json")
	if err := rec.Write(edited); err != nil {
		t.Fatal(err)
	}
	if r := motehound(t, "replay", edited); r.status != exitUsage || !strings.Contains(r.stderr, "the property does not fail") {
		t.Errorf("exit status %d\n%s%s", r.status, r.stdout, r.stderr)
	}
	for want, spoil := range map[string]func(*recipe.Recipe){
		"poke":          func(r *recipe.Recipe) { r.Pokes[0].Hex = "zz" },
		"but there are": func(r *recipe.Recipe) { r.Pokes[0].Mote = 7 },
		"has no prop":   func(r *recipe.Recipe) { r.Symbolic.Property = "other" },
		"with index 9":  func(r *recipe.Recipe) { r.Symbolic.Mote = 9 },
	} {
		bad, err := recipe.Read(d.Findings[0].Recipe)
		if err != nil {
			t.Fatal(err)
		}
		spoil(bad)
		if err := bad.Write(edited); err != nil {
			t.Fatal(err)
		}
		if r := motehound(t, "replay", edited); r.status != exitUsage || !strings.Contains(r.stderr, want) {
			t.Errorf("exit status %d, want something of %q\n%s", r.status, want, r.stderr)
		}
	}
}
