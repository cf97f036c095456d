package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"motehound/job/document"
	"motehound/study/behavior"
	"motehound/world"
)

// verified runs model verify and reads its report.
func verified(t *testing.T, status int, args string) (doc document.VerifiedModels) {
	t.Helper()
	r := motehound(t, append([]string{"model", "verify", "--json"}, strings.Fields(args)...)...)
	if r.status != status {
		t.Fatalf("model verify %s: exit status %d, want %d\n%s%s", args, r.status, status, r.stdout, r.stderr)
	}
	if err := json.Unmarshal([]byte(r.stdout), &doc); err != nil {
		t.Fatalf("not JSON: %v\n%s", err, r.stdout)
	}
	return doc
}

// A run is mined and approved; the same run is fine; one with a shorter period has new interleavings, which replay and can be
// approved.
func TestModel(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	models, out := filepath.Join(dir, "pollute.json"), filepath.Join(dir, "out")
	const run = " --node 1 --time 4s "
	mine := motehound(t, strings.Fields("model mine --vector ADC --depth 3"+run+"--models "+models+" ../../examples/pollute/quiet.star")...)
	if mine.status != exitFine || !strings.Contains(mine.stdout, "job flow       A22 A22 B22") {
		t.Fatalf("exit status %d\n%s%s", mine.status, mine.stdout, mine.stderr)
	}
	if doc := verified(t, exitFine, "--models "+models+run+"../../examples/pollute/quiet.star"); doc.Verdict != "unknown" || doc.Instances == 0 {
		t.Errorf("the same run: %+v", doc)
	}
	busy := " --models " + models + " --node 1 --time 6s ../../examples/pollute/pollute.star"
	doc := verified(t, exitFound, "--out "+out+busy)
	if doc.Verdict != "violated" || len(doc.Violations) == 0 {
		t.Fatalf("%+v", doc)
	}
	v := doc.Violations[0]
	if v.Kind != behavior.InterleavingViolation || v.Mote != 1 || v.Flow != "A22 A22 B22" || len(v.Functions) == 0 || v.Start == 0 || v.Recipe == "" {
		t.Errorf("%+v", *v.Violation)
	}
	if r := motehound(t, "replay", v.Recipe); r.status != exitFine {
		t.Errorf("replay: exit status %d\n%s%s", r.status, r.stdout, r.stderr)
	}
	for round := 0; ; round++ { // what a new model hides comes to light when that is approved
		r := motehound(t, "model", "approve", "--models", models, "--all", filepath.Join(out, "report.json"))
		if r.status != exitFine || !strings.Contains(r.stdout, "added ") {
			t.Fatalf("approve: exit status %d\n%s%s", r.status, r.stdout, r.stderr)
		}
		again := motehound(t, append([]string{"model", "verify", "--out", out}, strings.Fields(busy)...)...)
		if again.status == exitFine {
			break
		}
		if round == 5 {
			t.Fatalf("still violated:\n%s", again.stdout)
		}
	}
}

// The moment of a violation is the world's, also of a mote that boots late and whose crystal is off: its recipe ends where it begins.
func TestModelMoment(t *testing.T) {
	dir := t.TempDir()
	models, out := filepath.Join(dir, "pollute.json"), filepath.Join(dir, "out")
	run := func(period int) string {
		return scene(t, fmt.Sprintf(`firmware = "ELF/pollute-micaz.elf"
network(motes = [
    mote(id = 0, board = "micaz", firmware = firmware),
    mote(id = 1, board = "micaz", firmware = firmware, vars = {"PolluteC__period": %d}, boot = "2s", drift = 400),
], links = line(2))
run(time = "6s", seed = 1)
sensor(mote = 1, channel = 3, values = noise(mean = 512, dev = 40, seed = 1, every = "5ms"))
`, period))
	}
	if r := motehound(t, "model", "mine", "--vector", "ADC", "--depth", "3", "--node", "1", "--models", models, run(100)); r.status != exitFine {
		t.Fatalf("exit status %d\n%s%s", r.status, r.stdout, r.stderr)
	}
	doc := verified(t, exitFound, "--out "+out+" --models "+models+" --node 1 "+run(20))
	for _, v := range doc.Violations {
		r := motehound(t, "replay", "--json", v.Recipe)
		var again struct {
			Motes []struct {
				ID     int    `json:"id"`
				Cycles uint64 `json:"cycles"`
			} `json:"motes"`
		}
		if err := json.Unmarshal([]byte(r.stdout), &again); err != nil || r.status != exitFine {
			t.Fatalf("exit status %d, %v\n%s", r.status, err, r.stderr)
		}
		// A mote that is asked for a moment ends the instruction that it is in.
		if m := again.Motes[1]; m.Cycles < v.Start || m.Cycles > v.Start+8 || v.UntilPS < 2*world.Second {
			t.Errorf("%s begins in cycle %d of mote %d, and its recipe ends in cycle %d, after %d ps", v.ID, v.Start, m.ID, m.Cycles, v.UntilPS)
		}
	}
}

func TestModelDiff(t *testing.T) {
	dir := t.TempDir()
	one, two := filepath.Join(dir, "1.json"), filepath.Join(dir, "2.json")
	for file, app := range map[string]string{one: "example:blink-micaz", two: "example:sense-micaz"} {
		if r := motehound(t, "model", "mine", "--quiet", "--models", file, "--time", "3s", app); r.status != exitFine {
			t.Fatalf("exit status %d\n%s", r.status, r.stderr)
		}
	}
	if r := motehound(t, "model", "diff", one, one); r.status != exitFine || !strings.Contains(r.stdout, "the same models") {
		t.Errorf("exit status %d\n%s%s", r.status, r.stdout, r.stderr)
	}
	r := motehound(t, "model", "diff", "--json", one, two)
	var d behavior.Difference
	if err := json.Unmarshal([]byte(r.stdout), &d); err != nil || r.status != exitFound || d.Same() {
		t.Errorf("exit status %d, %v\n%s%s", r.status, err, r.stdout, r.stderr)
	}
	if r := motehound(t, "model", "show", one); r.status != exitFine || !strings.Contains(r.stdout, "int: TIMER0_COMP") {
		t.Errorf("exit status %d\n%s%s", r.status, r.stdout, r.stderr)
	}
	if r := motehound(t, "model", "mine", "--models", one, "example:blink-micaz"); r.status != exitUsage || !strings.Contains(r.stderr, "--force") {
		t.Errorf("exit status %d, %s", r.status, r.stderr)
	}
}

func TestModelUsage(t *testing.T) {
	bad := filepath.Join(t.TempDir(), "bad.json")
	if err := os.WriteFile(bad, []byte(`{"motehound_models": 99}`), 0o666); err != nil {
		t.Fatal(err)
	}
	for args, want := range map[string]string{
		"mine --depth 0 example:blink":               "0.5",
		"mine --depth NOPE=2 example:blink":          "no interrupt vector",
		"mine --drop nope example:blink":             "B18",
		"mine --depth 3 --drop A16@9 example:blink":  "greater --depth",
		"mine --vector NOPE example:blink":           "--vector",
		"mine --background NOPE example:blink":       "--background",
		"mine --node 9 example:blink":                "--node",
		"mine --time 1us example:blink":              "run longer",
		"verify example:blink":                       "--models FILE is missing",
		"verify --models /nonexistent example:blink": "--models",
		"verify --models " + bad + " example:blink":  "use a newer one",
		"show " + bad:                         "use a newer one",
		"diff " + bad:                         "two model files",
		"approve --models " + bad + " " + bad: "--all, or --id",
		"nope":                                "unknown command",
	} {
		r := motehound(t, append([]string{"model"}, strings.Fields(args)...)...)
		if r.status != exitUsage || !strings.Contains(r.stderr, want) {
			t.Errorf("model %s: exit status %d, %s", args, r.status, r.stderr)
		}
	}
}

// Every field of the documents of model is in docs/json.md.
func TestModelFieldsAreDocumented(t *testing.T) {
	docs, err := os.ReadFile(filepath.Join("..", "..", "docs", "json.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(docs), "\n## model\n")
	seen := map[reflect.Type]bool{}
	var walk func(reflect.Type)
	walk = func(x reflect.Type) {
		switch x.Kind() {
		case reflect.Pointer, reflect.Slice:
			walk(x.Elem())
		case reflect.Struct:
			if seen[x] {
				return
			}
			seen[x] = true
			for i := range x.NumField() {
				f := x.Field(i)
				if name, _, _ := strings.Cut(f.Tag.Get("json"), ","); name == "" && !f.Anonymous || name != "" && !strings.Contains(section, "`"+name+"`") {
					t.Errorf("docs/json.md does not tell of %v.%s, `%s`", x, f.Name, name)
				}
				walk(f.Type)
			}
		}
	}
	for _, doc := range []any{document.VerifiedModels{}, document.MinedModels{}, behavior.Difference{}} {
		walk(reflect.TypeOf(doc))
	}
}

// Models are approved from several runs until nothing new comes; the same command makes the same file, and other seeds are clean.
func TestModelUntilStable(t *testing.T) {
	dir := t.TempDir()
	mine := func(name, flags string) (file string, doc document.MinedModels) {
		file = filepath.Join(dir, name)
		r := motehound(t, append(strings.Fields("model mine --json --quiet --node 1 --time 4s "+flags), "--models", file, "../../examples/pollute/quiet.star")...)
		if r.status != exitFine {
			t.Fatalf("exit status %d\n%s", r.status, r.stderr)
		}
		if err := json.Unmarshal([]byte(r.stdout), &doc); err != nil {
			t.Fatal(err)
		}
		return file, doc
	}
	file, doc := mine("stable.json", "--until-stable 2")
	if doc.Stable != 2 || doc.Runs < 3 || doc.File.Depth != "app" || !doc.File.Data {
		t.Errorf("%d runs, %d stable, depth %s", doc.Runs, doc.Stable, doc.File.Depth)
	}
	verified(t, exitFine, "--node 1 --time 4s --seed 100 --models "+file+" ../../examples/pollute/quiet.star")
	again, _ := mine("again.json", "--until-stable 2")
	one, err1 := os.ReadFile(file)
	two, err2 := os.ReadFile(again)
	if err1 != nil || err2 != nil || string(one) != string(two) {
		t.Error("the second time the file is another one", err1, err2)
	}
	_, three := mine("three.json", "--runs 3 --seed 5")
	_, single := mine("single.json", "--seed 5")
	count := func(d document.MinedModels) (n uint64) {
		for _, v := range d.File.Vectors {
			for _, m := range v.Models {
				n += m.Count
			}
		}
		return n
	}
	if three.Runs != 3 || single.Runs != 1 || count(three) < 2*count(single) {
		t.Errorf("%d runs have %d procedures, and one has %d", three.Runs, count(three), count(single))
	}
	for _, bad := range []string{"--runs 0", "--until-stable -1", "--runs 2 --trace x"} {
		if r := motehound(t, strings.Fields("model mine "+bad+" example:blink")...); r.status != exitUsage {
			t.Errorf("%s: exit status %d", bad, r.status)
		}
	}
}
