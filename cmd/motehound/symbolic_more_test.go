package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"motehound/internal/need"
	"motehound/job/document"
	"motehound/study/symbolic/solver"
	"motehound/world/recipe"
)

// Bytes of a frame that are unknown, on the wire and on the air: those that damage a packet make the server refuse it, and the recipe edits
// the frame.
func TestSymbolicFrames(t *testing.T) {
	t.Parallel()
	const refused = "\nat_time(\"5s\", \"nothing is refused\", lambda net: net[2].var(\"NetP__refused\") == 0)\nsymbolic_"
	for medium, input := range map[string]string{
		"wire":                 refused + `wire(mote = 2, nth = 1, offset = 4, length = 2, name = "bytes")` + "\n#",
		"radio":                refused + `frame(mote = 2, nth = 1, offset = 20, length = 2, name = "bytes")` + "\n#",
		"wire, by its sender":  refused + `wire(sender = 1, nth = 1, offset = 4, length = 2, name = "bytes")` + "\n#",
		"radio, by its sender": refused + `frame(sender = 1, nth = 1, offset = 20, length = 2, name = "bytes")` + "\n#",
	} {
		t.Run(medium, func(t *testing.T) {
			medium, _, _ := strings.Cut(medium, ",")
			out := filepath.Join(t.TempDir(), "kept")
			file := tinytcp(t, "port", "_fixed", medium, "\nsymbolic_var(", input)
			d := symbolicJSON(t, exitFound, "--time", "6s", "--out", out, file)
			if len(d.Findings) != 1 || len(d.Findings[0].Inputs) != 1 || d.Findings[0].Inputs[0].Kind != "frame" || len(d.Findings[0].Inputs[0].Hex) != 4 {
				t.Fatalf("%+v", d.Findings)
			}
			rec, err := recipe.Read(d.Findings[0].Recipe)
			if err != nil {
				t.Fatal(err)
			}
			if len(rec.Edits) != 2 || (rec.Edits[0].Wire != nil) != (medium == "wire") {
				t.Errorf("edits %+v", rec.Edits)
			}
			if r := motehound(t, "replay", d.Findings[0].Recipe); r.status != exitFine || !strings.Contains(r.stdout, "breaks the property") {
				t.Errorf("replay: exit status %d\n%s%s", r.status, r.stdout, r.stderr)
			}
		})
	}
}

// Each kind of failure is explored; each of its outcomes ends in the emulator as the engine has it, and each finding replays.
func TestSymbolicFaults(t *testing.T) {
	t.Parallel()
	for _, fault := range []string{"lose(max = 2)", "corrupt(max = 1)", "delay(max = 1, by = \"3s\")", "reorder(max = 1)", "reboot(max = 1, mote = 2)",
		"outage(max = 1, mote = 2, length = \"3s\")"} {
		t.Run(strings.Split(fault, "(")[0], func(t *testing.T) {
			name, old := "loss", "lose(max = 1)"
			if strings.Contains(fault, "mote = 2") {
				name, old = "outage", "outage(max = 1, mote = 1)"
			}
			out := filepath.Join(t.TempDir(), "kept")
			r := motehound(t, "symbolic", "--json", "--no-memory", "--budget", "0", "--time", "6s", "--out", out, tinytcp(t, name, "_fixed", "wire", old, fault))
			var d document.Symbolic
			if err := json.Unmarshal([]byte(r.stdout), &d); err != nil || r.status > exitFound {
				t.Fatalf("exit status %d, %v\n%s", r.status, err, r.stderr)
			}
			if len(d.Refuted) > 0 || len(d.LeftOut) != 1 || !strings.Contains(d.LeftOut[0], "when the run is over") || len(d.Outcomes) < 3 {
				t.Errorf("refuted %q, left out %q, %d outcomes", d.Refuted, d.LeftOut, len(d.Outcomes))
			}
			for _, f := range d.Findings {
				if r := motehound(t, "replay", f.Recipe); r.status != exitFine {
					t.Errorf("replay: exit status %d\n%s%s", r.status, r.stdout, r.stderr)
				}
			}
		})
	}
}

// Every question that was asked of the solver is kept, and z3 gives the same answers.
func TestSymbolicQueries(t *testing.T) {
	need.Tools(t, "z3")
	kept := filepath.Join(t.TempDir(), "queries.smt2")
	d := symbolicJSON(t, exitFine, "--no-memory", "--queries", kept, tinytcp(t, "shell", "", ""))
	f, err := os.Open(kept)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	a, err := solver.CrossCheck(f, "")
	if err != nil {
		t.Fatalf("z3 (package z3): %v", err)
	}
	if a.Queries < d.Solver.Asked || a.Queries == 0 || a.Agreed != a.Queries || len(a.Disagree) > 0 {
		t.Errorf("%+v, where %d were asked", a, d.Solver.Asked)
	}
}

// Which code was reached is told by line and function; lcov reads it, if it is there.
func TestSymbolicCoverage(t *testing.T) {
	file := filepath.Join(t.TempDir(), "reached.info")
	symbolicJSON(t, exitFound, "--lcov", file, tinytcp(t, "port", "", ""))
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	type tally struct{ found, hit, saysFound, saysHit int }
	var source string
	lines, functions, total := map[string]int{}, map[string]int{}, map[string]*tally{}
	for in := bufio.NewScanner(f); in.Scan(); {
		kind, rest, _ := strings.Cut(in.Text(), ":")
		first, second, _ := strings.Cut(rest, ",")
		n, _ := strconv.Atoi(second)
		says, _ := strconv.Atoi(rest)
		switch kind {
		case "SF":
			source = filepath.Base(rest)
			total[source] = &tally{}
		case "DA":
			lines[source+":"+first] = n
			total[source].found++
			total[source].hit += min(n, 1)
		case "FNDA":
			if i, err := strconv.Atoi(first); err != nil {
				t.Errorf("%q", in.Text())
			} else {
				functions[second] = i
			}
		case "LF":
			total[source].saysFound = says
		case "LH":
			total[source].saysHit = says
		case "TN", "FN", "FNF", "FNH", "end_of_record":
		default:
			t.Errorf("an unknown line: %q", in.Text())
		}
	}
	for name, x := range total {
		if x.found != x.saysFound || x.hit != x.saysHit {
			t.Errorf("%s: %+v", name, *x)
		}
	}
	// The client gets to both assertions, on different paths; nothing is typed, so there is no shell.
	if lines["client.c:119"] != 1 || lines["client.c:175"] != 1 || functions["ClientC__connect"] == 0 {
		t.Errorf("client.c:119 is reached by %d, client.c:175 by %d motes, ClientC__connect by %d", lines["client.c:119"], lines["client.c:175"], functions["ClientC__connect"])
	}
	missed := 0
	for name, n := range lines {
		if strings.HasPrefix(name, "shell.c:") && n == 0 {
			missed++
		}
	}
	if missed == 0 {
		t.Error("all of the shell is said to be reached")
	}
	if path, err := exec.LookPath("lcov"); err == nil {
		if out, err := exec.Command(path, "--summary", file, "--ignore-errors", "source").CombinedOutput(); err != nil {
			t.Errorf("lcov: %v\n%s", err, out)
		}
	}
}

// Every field of the document is in docs/json.md.
func TestSymbolicFieldsAreDocumented(t *testing.T) {
	docs, err := os.ReadFile(filepath.Join("..", "..", "docs", "json.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(docs), "\n## symbolic\n")
	section, _, _ = strings.Cut(section, "\n## ")
	var walk func(reflect.Type)
	walk = func(x reflect.Type) {
		switch x.Kind() {
		case reflect.Pointer, reflect.Slice:
			walk(x.Elem())
		case reflect.Struct:
			for i := range x.NumField() {
				name, _, _ := strings.Cut(x.Field(i).Tag.Get("json"), ",")
				if name == "" || !strings.Contains(section, "`"+name+"`") {
					t.Errorf("docs/json.md does not tell of %v.%s, `%s`", x, x.Field(i).Name, name)
				}
				walk(x.Field(i).Type)
			}
		}
	}
	walk(reflect.TypeFor[document.Symbolic]())
}

// A firmware that says itself what is unknown needs no scenario.
func TestSymbolicFirmware(t *testing.T) {
	dir := t.TempDir()
	source := filepath.Join(dir, "own.c")
	text := `#include <avr/sleep.h>
#include "motehound.h"
volatile unsigned char x, y;
int main(void) {
	mh_symbolic(&x, sizeof x, "x");
	mh_assume(x < 100);
	y = x > 50 ? x * 2 : 1;
	mh_assert(y != 140);
	for (;;) sleep_mode();
}
`
	if err := os.WriteFile(source, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	elf := filepath.Join(dir, "own.elf")
	if out, err := need.Command(t, "avr-gcc", "-mmcu=atmega128", "-Os", "-gdwarf-4", "-I../../examples", "-o", elf, source).CombinedOutput(); err != nil {
		t.Fatalf("avr-gcc (packages gcc-avr, avr-libc): %v\n%s", err, out)
	}
	out := filepath.Join(dir, "kept")
	d := symbolicJSON(t, exitFound, "--board", "micaz", "--time", "1ms", "--out", out, elf)
	var found *document.SymbolicFinding
	for _, f := range d.Findings {
		if f.Kind == "assertion" {
			found = f
		}
	}
	if found == nil || len(found.Inputs) != 1 || found.Inputs[0].Value != 70 {
		b, _ := json.Marshal(d.Findings)
		t.Fatal(string(b))
	}
	r := motehound(t, "replay", "--json", found.Recipe)
	if r.status != exitFine || !strings.Contains(r.stdout, fmt.Sprintf("%q: true", "violation_seen")) {
		t.Errorf("exit status %d\n%s%s", r.status, r.stdout, r.stderr)
	}
}

// With --reorder, a firmware is found to fail if its second timer is served before the first, for readings above 100. The recipe shows it.
func TestSymbolicReorder(t *testing.T) {
	dir := t.TempDir()
	elf := filepath.Join(dir, "order.elf")
	if out, err := need.Command(t, "avr-gcc", "-mmcu=atmega128", "-Os", "-gdwarf-4", "-I../../examples", "-DCASE=1", "-o", elf,
		"../../study/symbolic/engine/testdata/order.c").CombinedOutput(); err != nil {
		t.Fatalf("avr-gcc (packages gcc-avr, avr-libc): %v\n%s", err, out)
	}
	args := []string{"--board", "micaz", "--time", "30ms", elf}
	if d := symbolicJSON(t, exitFine, args...); len(d.Findings) != 0 || d.Verdict != "holds" {
		t.Errorf("in the natural order: %s, %d findings", d.Verdict, len(d.Findings))
	}
	d := symbolicJSON(t, exitFound, append([]string{"--reorder", "--delay", "2ms", "--out", filepath.Join(dir, "kept")}, args...)...)
	if len(d.Findings) != 1 || d.Findings[0].Inputs[0].Value <= 100 || !strings.Contains(strings.Join(d.Findings[0].Failures, ""), "(TIMER1_COMPA) of mote 1 waits") {
		b, _ := json.Marshal(d.Findings)
		t.Fatal(string(b))
	}
	r := motehound(t, "replay", "--json", d.Findings[0].Recipe)
	if r.status != exitFine || !strings.Contains(r.stdout, fmt.Sprintf("%q: true", "violation_seen")) {
		t.Errorf("exit status %d\n%s%s", r.status, r.stdout, r.stderr)
	}
}
