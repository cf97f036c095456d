package main

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"motehound/firmware/pathtrace/instrument"
	"motehound/internal/need"
	"motehound/job"
	"motehound/job/document"
)

const tracedSource = `int helper(int a) { if (a) return 1; return 2; }
void __vector_3(void) { helper(0); }
static int straight(void) { return 3; }
int main(void) { return straight() + helper(1) - 4; }
`

func writeSource(t *testing.T, name, text string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return file
}

func readTraceMap(t *testing.T, name string) *instrument.Map {
	t.Helper()
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	m, err := instrument.Read(f)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// TestTraceScript: the script stands for a compiler, wherever it is run, and gives its arguments on.
func TestTraceScript(t *testing.T) {
	need.Tools(t, "cc")
	file := writeSource(t, "app.c", tracedSource)
	t.Chdir(filepath.Dir(file))
	r := motehound(t, "trace", "cc", "--script", "tracing cc", "--function", "helper,__vector_*", "--runtime", "none", "--", "cc", "-DX=it's")
	if r.status != exitFine {
		t.Fatalf("status %d: %s", r.status, r.stderr)
	}
	script, err := filepath.Abs("tracing cc")
	if err != nil {
		t.Fatal(err)
	}
	object := filepath.Join(t.TempDir(), "app.o")
	c := exec.Command(script, "-c", "-o", object, file)
	c.Dir = t.TempDir()
	c.Env = append(os.Environ(), asMotehound+"=1")
	if r := finish(t, c); r.status != 0 {
		t.Fatalf("status %d: %s", r.status, r.stderr)
	}
	if _, err := os.Stat(object); err != nil {
		t.Error(err)
	}
	m := readTraceMap(t, job.DefaultMap)
	if len(m.Procs) != 2 || m.Procs[0].Name != "helper" || m.Procs[1].Kind != "interrupt" {
		t.Errorf("the map has %+v", m.Procs)
	}
}

func TestTraceCCUsage(t *testing.T) {
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{}, "the compiler is missing"},
		{[]string{"avr-gcc"}, "after --"},
		{[]string{"--kind", "odd", "--", "cc"}, "interrupt"},
		{[]string{"--runtime", "odd", "--", "cc"}, "at45db"},
		{[]string{"--procs", "99999", "--", "cc"}, "16384"},
		{[]string{"--file", "[", "--", "cc"}, "pattern"},
		{[]string{"--", "no-such-compiler", "-c", "a.c"}, "no-such-compiler"},
	} {
		r := motehound(t, append([]string{"trace", "cc"}, c.args...)...)
		if r.status != exitUsage || !strings.Contains(r.stderr, c.want) {
			t.Errorf("%v: status %d, %s; want %q", c.args, r.status, r.stderr, c.want)
		}
	}
	need.Tools(t, "cc")
	t.Chdir(t.TempDir())
	if r := motehound(t, "trace", "cc", "--", "cc", "-c", "missing.c"); r.status != exitFound || !strings.Contains(r.stderr, "missing.c") {
		t.Errorf("a compiler that fails: status %d, %s", r.status, r.stderr)
	}
}

func TestTraceInstrument(t *testing.T) {
	file := writeSource(t, "app.c", "#define TWO 2\n"+tracedSource)
	t.Chdir(filepath.Dir(file))
	if r := motehound(t, "trace", "instrument", "app.c"); r.status != exitUsage || !strings.Contains(r.stderr, "-- avr-gcc") {
		t.Errorf("not preprocessed: status %d, %s", r.status, r.stderr)
	}
	need.Tools(t, "cc")
	r := motehound(t, "trace", "instrument", "--runtime-dir", "runtime", "--json", "app.c", "--", "cc", "-std=gnu99")
	if r.status != exitFine {
		t.Fatalf("status %d: %s", r.status, r.stderr)
	}
	var doc document.Instrumented
	if err := json.Unmarshal([]byte(r.stdout), &doc); err != nil {
		t.Fatal(err)
	}
	if len(doc.Procs) != 3 || doc.Procs[0].Paths != 2 || len(doc.Left) != 1 || doc.Left[0].Name != "straight" || doc.Output != "app.traced.c" {
		t.Errorf("%+v", doc)
	}
	if m := readTraceMap(t, doc.Map); m.Proc(2).Name != "main" {
		t.Errorf("procedure 2 is %+v", m.Proc(2))
	}
	if out, err := need.Command(t, "cc", "-Wall", "-Werror", "-Iruntime", "-c", "app.traced.c").CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
	// The runtime must have the functions that the instrumented file calls: those for few procedures have names of their own.
	if out, err := need.Command(t, "cc", "-std=gnu99", "-Iruntime", "-c", "runtime/motehound_trace.c").CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
	if object, err := os.ReadFile("motehound_trace.o"); err != nil || !bytes.Contains(object, []byte("mh_trace_enter_narrow")) {
		t.Errorf("the runtime is for another number of procedures: %v", err)
	}
	r = motehound(t, "trace", "instrument", "--list", "app.c", "--", "cc")
	if !strings.Contains(r.stdout, "3 procedures traced (1 interrupt handlers, 0 tasks), 1 unchanged") || !strings.Contains(r.stdout, "app.c:4: straight: it has a single path") {
		t.Errorf("%s", r.stdout)
	}
	if r := motehound(t, "trace", "instrument", "--component", "other", "app.c", "--", "cc"); r.status != exitFound {
		t.Errorf("nothing chosen: status %d, %s", r.status, r.stdout)
	}
}
