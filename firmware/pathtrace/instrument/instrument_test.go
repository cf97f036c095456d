package instrument

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"motehound/firmware/pathtrace/cflow"
)

func prepare(t *testing.T, text string, c Choice) *Plan {
	t.Helper()
	u, err := cflow.Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return Prepare(u, "unit.c", c)
}

func names(p *Plan) string {
	var list []string
	for _, q := range p.Procs {
		list = append(list, q.Name)
	}
	return strings.Join(list, " ")
}

// TestPlaced shows what becomes of each kind of statement, with calls of few letters.
func TestPlaced(t *testing.T) {
	t.Parallel()
	calls := Calls{Enter: "E", Path8: "P(%v)", Path16: "P(%v)", Leave8: "L(%v)", Leave16: "L(%v)"}
	for _, c := range []struct{ purpose, body, want string }{
		{"a condition carries its false way", "void f(int a) { if (a) g(); }",
			"void f(int a) { unsigned char __mh_path __attribute__((__unused__)) = __extension__({ E; 0u; });" +
				" if (((a) || __extension__({ __mh_path += 1; 0; }))) { g(); } L(__mh_path); }"},
		{"a loop records at its end", "void f(int a) { while (a) g(); }",
			"void f(int a) { unsigned char __mh_path __attribute__((__unused__)) = __extension__({ E; 1u; });" +
				" for (;a; __extension__({ P((unsigned char)(__mh_path + 255u)); __mh_path = 3u; 0; })) { g(); } L(__mh_path); }"},
		{"what is returned is computed first", "int f(void) { return g(), 3; }",
			"int f(void) { unsigned char __mh_path __attribute__((__unused__)) = __extension__({ E; 0u; });" +
				" { int __mh_value = (g(), 3); L(0u); return __mh_value; } }"},
		{"the way into a case jumps over the code of its label", "void f(int a) { switch (a) { case 1: g(); case 2: g(); } }",
			"void f(int a) { unsigned char __mh_path __attribute__((__unused__)) = __extension__({ E; 0u; });" +
				" switch (a) { case 1: g(); goto __mh_over_1; case 2: __mh_path += 1; __mh_over_1:; g(); break; default: __mh_path += 2; } L(__mh_path); }"},
	} {
		t.Run(c.purpose, func(t *testing.T) {
			p := prepare(t, "int g(void); "+c.body, Choice{All: true})
			if err := New().Add("unit.c", p); err != nil {
				t.Fatal(err)
			}
			words := strings.Fields(strings.TrimPrefix(string(p.Rewrite(calls)), "int g(void); "))
			if got := strings.Join(words, " "); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}

// TestLinesStay: code goes into the lines that are there, and directives are untouched.
func TestLinesStay(t *testing.T) {
	t.Parallel()
	text := "# 1 \"a.c\"\nint g(void);\n#pragma once\nint f(int a)\n{\n  if (a &&\n#line 90 \"b.nc\"\n      g())\n    return\n# 7 \"c.h\" 3\n g();\n" +
		"  asm volatile\n    (\"nop\")\n  ;\n  for (;;)\n    if (g()) break;\n  return 1;\n}\n"
	p := prepare(t, text, Choice{Functions: []string{"f"}})
	if err := New().Add("unit.c", p); err != nil {
		t.Fatal(err)
	}
	before, after := strings.Split(text, "\n"), strings.Split(string(p.Rewrite(Macros)), "\n")
	if len(before) != len(after) {
		t.Fatalf("%d lines, were %d", len(after), len(before))
	}
	changed := 0
	for i := range before {
		switch {
		case strings.HasPrefix(before[i], "#") && before[i] != after[i]:
			t.Errorf("directive %q is now %q", before[i], after[i])
		case before[i] != after[i]:
			changed++
		}
	}
	if changed < 5 {
		t.Errorf("only %d lines have code in them", changed)
	}
}

func TestChoice(t *testing.T) {
	t.Parallel()
	text := `# 1 "/usr/include/util.h" 3
static inline int in_system(int a) { return a ? 1 : 2; }
# 1 "tos/lib/AppC.nc"
int AppC__send(int a) { return a ? 1 : 2; }
static void AppC__Timer__fired(void) { AppC__send(2); }
void AppC__report__runTask(void) { AppC__send(1); }
# 1 "tos/lib/RadioP.nc"
int RadioP__0__start(int a) { AppC__Timer__fired(); return a ? 1 : 2; }
void __vector_7(void) { }
# 1 "core/net/mac.c"
static int one_path(int a) { return a; }
int pointed_at(int a) { return a; }
int (*pointer)(int) = pointed_at;
int mac_send(int a) { while (a) a--; return one_path(a); }
int plain(int a) __attribute__((no_instrument_function));
int plain(int a) { return a ? 1 : 2; }
int jumps(int a) { void *p = &&l; l: goto *p; }
# 1 "runtime/motehound_trace_log.c"
void mh_trace_log(int a) { while (a) a--; }
`
	const usual = "AppC__send AppC__report__runTask RadioP__0__start __vector_7 pointed_at mac_send"
	for _, c := range []struct {
		purpose string
		choice  Choice
		want    string
	}{
		{"nothing said", Choice{}, usual},
		{"all", Choice{All: true}, "AppC__send AppC__Timer__fired AppC__report__runTask RadioP__0__start __vector_7 one_path pointed_at mac_send"},
		{"a component, with what others call", Choice{Components: []string{"AppC"}}, "AppC__send AppC__Timer__fired AppC__report__runTask"},
		{"a file as component", Choice{Components: []string{"mac"}}, "pointed_at mac_send"},
		{"files", Choice{Files: []string{"net/*.c", "RadioP.nc"}}, "RadioP__0__start __vector_7 pointed_at mac_send"},
		{"functions", Choice{Functions: []string{"*send", "in_*", "mh_*"}}, "in_system AppC__send mac_send"},
		{"kinds", Choice{Kinds: []cflow.Kind{cflow.Interrupt, cflow.Task}}, "AppC__report__runTask __vector_7"},
		{"exceptions", Choice{Except: []string{"AppC", "mac.c", "__vector_*"}}, "RadioP__0__start"},
	} {
		p := prepare(t, text, c.choice)
		if got := names(p); got != c.want {
			t.Errorf("%s: %s, want %s", c.purpose, got, c.want)
		}
		if len(p.Procs)+len(p.Left) != 12 {
			t.Errorf("%s: %d functions are traced and %d left, of 12", c.purpose, len(p.Procs), len(p.Left))
		}
	}
	left := map[string]string{}
	for _, l := range prepare(t, text, Choice{}).Left {
		left[l.Name] = l.Why
	}
	for name, want := range map[string]string{"in_system": "system header", "one_path": "single path", "plain": "no_instrument_function", "jumps": "label", "mh_trace_log": "tracer"} {
		if !strings.Contains(left[name], want) {
			t.Errorf("%s was left because %q, want %q", name, left[name], want)
		}
	}
	if err := (Choice{Files: []string{"["}}).Check(); err == nil {
		t.Error("a bad pattern gives no error")
	}
}

const two = "int first(int a) { return a ? 1 : 2; } int second(int a) { while (a) a--; return 1; }"

func TestIDsStay(t *testing.T) {
	t.Parallel()
	m := New()
	ids := func() string {
		var list []string
		for _, p := range m.Procs {
			list = append(list, fmt.Sprint(p.ID, p.Unit, p.Name))
		}
		return strings.Join(list, " ")
	}
	add := func(unit, text string) {
		t.Helper()
		u, err := cflow.Parse([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		if err := m.Add(unit, Prepare(u, unit, Choice{})); err != nil {
			t.Fatal(err)
		}
	}
	add("a", two)
	add("b", two)
	if got, want := ids(), "0afirst 1asecond 2bfirst 3bsecond"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	add("a", "int second(int a) { return a ? 1 : 2; } int third(int a) { return a ? 1 : 2; }")
	if got, want := ids(), "0athird 1asecond 2bfirst 3bsecond"; got != want {
		t.Errorf("after a change: %s, want %s", got, want)
	}
	if len(m.Units) != 2 || m.Proc(1).Name != "second" || m.Proc(4) != nil || m.Proc(-1) != nil {
		t.Errorf("units %v", m.Units)
	}
}

// written is a small map as a file.
func written(t testing.TB) string {
	t.Helper()
	u, err := cflow.Parse([]byte(two))
	if err != nil {
		t.Fatal(err)
	}
	m := New()
	if err := m.Add("unit.c", Prepare(u, "unit.c", Choice{})); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := m.Write(&out); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func TestDamagedMaps(t *testing.T) {
	t.Parallel()
	good := written(t)
	if _, err := Read(strings.NewReader(good)); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ old, new, want string }{
		{good, "", "not a trace map"},
		{good, "{}", "format"},
		{`"version":1`, `"version":2`, "version 2"},
		{`"id":1`, `"id":0`, "out of order"},
		{`"id":1`, `"id":99999`, "out of order"},
		{`"paths":2`, `"paths":3`, "paths"},
		{`"kind":"plain"`, `"kind":"odd"`, "kind"},
		{`"to":2`, `"to":77`, "blocks"},
		{`"cuts":[`, `"cuts":[900,`, "cut edge 900"},
		{`"line":[0,1]`, `"line":[5,1]`, "files"},
	} {
		if !strings.Contains(good, c.old) {
			t.Fatalf("the map has no %s:\n%s", c.old, good)
		}
		if _, err := Read(strings.NewReader(strings.Replace(good, c.old, c.new, 1))); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s as %s: error %v, want one about %q", c.old, c.new, err, c.want)
		}
	}
}

// FuzzRead: a map that is accepted decodes all its paths.
func FuzzRead(f *testing.F) {
	f.Add(written(f))
	f.Add(`{"format":"motehound trace map","version":1}`)
	f.Fuzz(func(t *testing.T, text string) {
		m, err := Read(strings.NewReader(text))
		if err != nil {
			return
		}
		for i := range m.Procs {
			p := &m.Procs[i]
			for n := range min(p.Paths, 100) {
				path, err := p.Decode(n)
				if err != nil {
					t.Fatal(err)
				}
				if slices.Max(append(path.Blocks, 0)) >= len(p.Blocks) {
					t.Fatalf("%+v", path)
				}
			}
			if _, err := p.Decode(p.Paths); err == nil {
				t.Fatal("a path too many")
			}
		}
	})
}
