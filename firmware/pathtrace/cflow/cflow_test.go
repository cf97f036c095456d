package cflow

import (
	"fmt"
	"strings"
	"testing"
)

// drawn is a graph as text: its edges in order, with the calls of a block as its name.
func drawn(f *Func) string {
	name := func(b int) string {
		switch b {
		case Entry:
			return "entry"
		case Exit:
			return "exit"
		}
		var calls []string
		for _, c := range f.Blocks[b].Calls {
			calls = append(calls, c.Name)
		}
		if calls == nil {
			return fmt.Sprint(b)
		}
		return strings.Join(calls, "+")
	}
	var out []string
	for _, e := range f.Edges {
		s := name(e.From) + ">" + name(e.To)
		if e.Way != Next {
			s += " " + e.Way.String()
		}
		if e.Label != "" {
			s += " " + e.Label
		}
		out = append(out, s)
	}
	return strings.Join(out, "; ")
}

func parse(t *testing.T, text string) *Unit {
	t.Helper()
	u, err := Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return u
}

const declarations = "int a(void), b(void), c(void), d(void), e(void); int x, y;\n"

func TestGraphs(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ purpose, body, want string }{
		{"nothing", "", "entry>2; 2>exit return"},
		{"statements in a row are one block", "a(); b();", "entry>a+b; a+b>exit return"},
		{"if", "if (a()) b(); c();", "entry>a; a>b true; a>4 false; b>4; 4>c; c>exit return"},
		{"if and else", "if (a()) b(); else c(); d();", "entry>a; a>b true; a>c false; b>4; c>4; 4>d; d>exit return"},
		{"short circuits", "if (a() && !(b() || c())) d();",
			"entry>a; a>b true; a>4 false; b>4 true; b>c false; c>4 true; c>d false; d>4; 4>7; 7>exit return"},
		{"operators for their value", "x = a() && b();", "entry>a; a>b true; a>4 false; b>4; 4>exit return"},
		{"a conditional expression", "x = a() ? b() : c();", "entry>a; a>b true; a>c false; b>3; c>3; 3>exit return"},
		{"one without its middle", "x = a() ?: b();", "entry>a; a>3 true; a>b false; b>3; 3>exit return"},
		{"while", "while (a()) b(); c();", "entry>2; 2>a; a>b true; a>3 false; b>6; 6>a; 3>c; c>exit return"},
		{"while for ever", "while (1) a();", "entry>2; 2>3; 3>a true; a>5; 5>3"},
		{"do", "do a(); while (b()); c();", "entry>2; 2>a; a>b; b>a true; b>3 false; 3>c; c>exit return"},
		{"do once", "do { if (a()) break; b(); } while (0); c();",
			"entry>2; 2>a; a>6 true; a>7 false; 6>3 jump; 7>b; b>5; 5>3 false; 3>c; c>exit return"},
		{"for", "for (a(); b(); c()) if (d()) continue; else break;",
			"entry>a; a>b; b>d true; b>3 false; d>7 true; d>8 false; 7>c jump; 8>3 jump; c>b; 3>9; 9>exit return"},
		{"switch with a way into the next case", "switch (a()) { case 1: b(); case 2: case 3: c(); break; default: d(); }",
			"entry>a; a>b case case 1; a>c case case 2, case 3; b>c; c>3 jump; a>d case default; d>3; 3>7; 7>exit return"},
		{"switch without default", "switch (a()) { case 1: b(); }", "entry>a; a>b case case 1; b>3; a>3 case no case; 3>5; 5>exit return"},
		{"a label at the end", "if (a()) goto out; switch (b()) { case 1: c(); default:\n } out: ",
			"entry>a; a>3 true; a>4 false; 3>5 jump; 4>b; b>c case case 1; b>9 case default; c>9; 9>7; 7>10; 10>5; 5>exit return"},
		{"goto", "again: if (a()) goto again; b();", "entry>2; 2>a; a>4 true; a>5 false; 4>a jump; 5>b; b>exit return"},
		{"early return", "if (a()) return; b();", "entry>a; a>3 true; a>4 false; 3>exit return; 4>b; b>exit return"},
		{"what nobody reaches is no block", "return; a();", "entry>2; 2>exit return"},
		{"a statement expression", "x = ({ if (a()) b(); c(); });", "entry>a; a>b true; a>4 false; b>4; 4>c; c>exit return"},
		{"what is never run", "static int z = 1 ? 2 : 3; x = sizeof(a() ? 1 : 2); y = __builtin_constant_p(x ? 1 : 2);", "entry>2; 2>exit return"},
		{"an assertion at compile time", "_Static_assert(1); if (a()) { _Static_assert(sizeof(x) ? 1 : 0, \"a;}\"); b(); }", "entry>a; a>b true; a>4 false; b>4; 4>5; 5>exit return"},
		{"assembly", "__asm__ volatile (\"nop\" : : \"r\" (x ? 1 : 2)); asm(\"cli\");", "entry>2; 2>exit return"},
		{"operands that are types", "if (__builtin_types_compatible_p(int[5], char *)) a(); x = __builtin_offsetof(struct { int q; }, q) ? b() : c();",
			"entry>__builtin_types_compatible_p; __builtin_types_compatible_p>a true; __builtin_types_compatible_p>4 false; a>4; 4>__builtin_offsetof; " +
				"__builtin_offsetof>b true; __builtin_offsetof>c false; b>6; c>6; 6>exit return"},
		{"labels into a loop", "switch (x) { case 0: a(); while (b()) { case 1: c(); } }",
			"entry>2; 2>a case case 0; a>b; b>7 true; b>5 false; 2>c case case 1; 7>c; c>8; 8>b; 5>10; 10>3; 2>3 case no case; 3>11; 11>exit return"},
	} {
		t.Run(c.purpose, func(t *testing.T) {
			f := parse(t, declarations+"void f(void) {"+c.body+"}").Funcs[0]
			if got := drawn(f); f.Refused != "" || got != c.want {
				t.Errorf("%s\n%s\ngot  %s\nwant %s", c.body, f.Refused, got, c.want)
			}
		})
	}
}

func TestRefused(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ text, why string }{
		{"void f(void) { void *p = &&l; l: goto *p; }", "label"},
		{"void f(int *p) { goto *p; }", "computed goto"},
		{"void f(void) { int g(void) { return 1; } g(); }", "functions in it"},
		{"void f(void) { ({ __label__ l; l:; }); }", "local labels"},
		{"void f(void) __attribute__((naked)); void f(void) { }", "naked"},
		{"int setjmp(int *); void f(int *e) { if (setjmp(e)) return; }", "more than once"},
		{"void f(void) { l: asm goto (\"jmp %l0\" : : : : l); }", "assembly jumps"},
		{"void f(void) { asm volatile (\"pop r0\\n\\tout __SREG__, r0\\n\\t\" \"reti\\n\" ::: \"memory\"); }", "returns"},
		{"void f(void) { asm volatile (\"ld r28, x+ \\n\\t out __SP_L__, r28\"); }", "changes the stack"},
		{"static inline void s(void) { asm(\"ret\"); } void f(int a) { if (a) s(); }", "returns"},
		{"void f(void) __attribute__((section(\".init3\"))); void f(void) { }", "before main"},
		{"int g(int, int); void f(int a) { g(({ while (a) a--; a; }), a ? 1 : 2); }", "any order"},
		{"void f(void) { if if; }", "cannot be parsed"},
		{"struct { int a; } f(void) { return; }", "without a name"},
		{"inline int f(int a) { return a ? 1 : 2; }", "inline"},
		{"extern __inline__ int f(int) __attribute__((__gnu_inline__)); extern __inline__ int f(int a) { return a ? 1 : 2; }", "inline"},
		{"extern inline int f(int a) { return a ? 1 : 2; } int f(int a) { return a ? 1 : 2; }", "defined again"},
	} {
		u := parse(t, c.text+" void good(int a) { if (a) good(0); }")
		if f := u.Funcs[0]; !strings.Contains(f.Refused, c.why) || f.Blocks != nil {
			t.Errorf("%s: refused for %q, want %q", c.text, f.Refused, c.why)
		}
		if f := u.Funcs[len(u.Funcs)-1]; f.Name != "good" || f.Refused != "" {
			t.Errorf("%s: the function behind it is %q, refused for %q", c.text, f.Name, f.Refused)
		}
	}
}

func TestResultTypes(t *testing.T) {
	t.Parallel()
	for declaration, want := range map[string]string{
		"void f(void)":                                  "",
		"void (f)(void)":                                "",
		"static inline unsigned char f(void)":           "unsigned char %s",
		"f(a, b) int a; char *b;":                       "int %s",
		"const char *f(void)":                           "const char *%s",
		"void *f(void)":                                 "void *%s",
		"typedef void n; typedef n m; m f(void)":        "",
		"typedef void *n; n f(void)":                    "n %s",
		"int (*f(int a))(char, ...)":                    "int (*%s)(char, ...)",
		"struct s { int a; } f(void)":                   "struct s %s",
		"struct s *f(void)":                             "struct s *%s",
		"enum { A, B } f(void)":                         "int %s",
		"__attribute__((noinline)) unsigned\nlong f(a)": "unsigned long %s",
		"const __flash char *f(void)":                   "__flash const char *%s",
		"char *const f(void)":                           "char *const %s",
		"struct s *volatile *restrict f(void)":          "struct s *volatile *restrict %s",
	} {
		f := parse(t, declaration+" { }").Funcs[0]
		if f.Name != "f" || f.Result != want || f.Refused != "" {
			t.Errorf("%s: %q returns %q, want %q; %s", declaration, f.Name, f.Result, want, f.Refused)
		}
	}
}

// TestStacks: who leaves the stack is left alone, with all that the compiler may make one function of; other assembly does no harm.
func TestStacks(t *testing.T) {
	t.Parallel()
	u := parse(t, `static inline void save(void) { asm volatile ("`+strings.Repeat(`push r0\n\t`, 18)+`" ::: "memory"); }
static int inIrq(void) { return depth(); } static inline int depth(void) { return 1; }
void next(void) { } void yield(void) { if (!inIrq()) { save(); next(); } }
__attribute__((naked)) void tick(void) { depth(); }
void restore(void) { asm("out 0x3d, r28"); }
void plain(void) { asm("push r2; in r28, __SP_L__ \n\t retry: out 0x3f, r0\n return: pop r2" :: "r"("ret")); asm ("" : [ret] "=r" (x)); asm("push r3"); if (x) { asm("pop r3"); return; } yield(); asm("pop r3"); restore(); }`)
	for i, want := range []string{"changes the stack", "become part of yield", "become part of tick", "", "assembly of save", "naked", "changes the stack", ""} {
		if f := u.Funcs[i]; !strings.Contains(f.Refused, want) || want == "" && f.Refused != "" {
			t.Errorf("%s: refused for %q, want %q", f.Name, f.Refused, want)
		}
	}
}

// TestInlines: an inline function that others can call is one like all others.
func TestInlines(t *testing.T) {
	t.Parallel()
	const f = "inline int f(int a) { return a ? 1 : 2; }"
	for _, text := range []string{"static " + f, "extern " + f, f + " int f(int);", "extern inline int f(int); " + f, "static int f(int); " + f,
		"__attribute__((gnu_inline)) " + f} {
		if f := parse(t, text).Funcs[0]; f.Refused != "" {
			t.Errorf("%s: refused for %s", text, f.Refused)
		}
	}
}

// TestBrackets: what stands in the brackets of parameters, with and without names, is no reason to lose a file.
func TestBrackets(t *testing.T) {
	t.Parallel()
	u := parse(t, `struct s { int a; _Static_assert(sizeof(int) > 1); }; _Static_assert(1);
void g(int [static 5], int [const static 2], int [restrict], int [*], int [const *], int, int [*][*]);
int f(int n, int x[static const 2][n], int y[volatile n > 2 ? 1 : 2]) { return x[n *2][*y] ? 1 : 2; }`)
	if f := u.Funcs[0]; f.Refused != "" || f.Result != "int %s" || len(f.Edges) != 6 {
		t.Errorf("%s, returns %q, %d edges", f.Refused, f.Result, len(f.Edges))
	}
}

// TestBracketAttributes: the newer way to write attributes.
func TestBracketAttributes(t *testing.T) {
	t.Parallel()
	u := parse(t, `[[nodiscard]] int g(int [[maybe_unused]] a) { switch (a) { case 1: a++; [[fallthrough]]; case 2: return a; } return 0; }
[[gnu::section(".init]]3")]] void f(void) { } int h(int *a) { return a[a[0]] ? 1 : 2; }`)
	for i, why := range []string{"", "it runs before main begins", ""} {
		if f := u.Funcs[i]; f.Refused != why {
			t.Errorf("%s: refused for %q, want %q", f.Name, f.Refused, why)
		}
	}
}

// TestLetters: compilers write letters of other alphabets in names as their numbers.
func TestLetters(t *testing.T) {
	t.Parallel()
	u := parse(t, `int \U000000e9t\u00e9(int \U000000e9) { return \U000000e9 ? '\\' : "\\"[0]; } int \U000000e8(void) { return 1; }`)
	if f := u.Funcs[0]; len(u.Funcs) != 2 || f.Refused != "" || len(f.Edges) != 6 {
		t.Errorf("%d functions; %s, %d edges", len(u.Funcs), f.Refused, len(f.Edges))
	}
}

// TestLiterals: the parser need not know what encodings there are.
func TestLiterals(t *testing.T) {
	t.Parallel()
	f := parse(t, `int f(int a) { return a ? u'x' + U'\'' : sizeof(u"x" U"yy" u8"z") + L'w' + 1'000 + 0x1'F; }`).Funcs[0]
	if f.Refused != "" || len(f.Edges) != 6 {
		t.Errorf("%s, %d edges", f.Refused, len(f.Edges))
	}
}

func TestKinds(t *testing.T) {
	t.Parallel()
	u := parse(t, `void __vector_7(void) { }
void isr(void) __attribute((signal)); void isr(void) { }
static void AppC__report__runTask(void ) { }
static void SchedulerBasicP__TaskBasic__runTask(unsigned char id) { }
static void SchedulerBasicP__TaskBasic__default__runTask(unsigned char id) { }
char process_thread_hello(struct pt *p, unsigned char e, void *d) { }
void Main$work(void); int TOS_post(void (*)(void)); void post(void) { TOS_post(Main$work); } void Main$work(void) { }
__attribute__((no_instrument_function)) static inline int exempt(void) { return 1; }
void elsewhere(void) __attribute__((section("interrupt naked"))); void elsewhere(void) { }`)
	want := []struct {
		name string
		kind Kind
	}{
		{"__vector_7", Interrupt}, {"isr", Interrupt}, {"AppC__report__runTask", Task}, {"SchedulerBasicP__TaskBasic__runTask", Plain},
		{"SchedulerBasicP__TaskBasic__default__runTask", Plain}, {"process_thread_hello", Task}, {"post", Plain}, {"Main$work", Task},
		{"exempt", Plain}, {"elsewhere", Plain},
	}
	for i, w := range want {
		f := u.Funcs[i]
		if f.Name != w.name || f.Kind != w.kind || f.Exempt != (w.name == "exempt") || f.Refused != "" {
			t.Errorf("%s is %v, exempt %v, %s; want %v", f.Name, f.Kind, f.Exempt, f.Refused, w)
		}
	}
	if !u.Funcs[8].Static || u.Funcs[1].Static {
		t.Error("exempt is static, isr is not")
	}
	if in := u.Indirect(); !in["Main$work"] || in["post"] || in["isr"] {
		t.Errorf("indirect: Main$work %v, post %v, isr %v", in["Main$work"], in["post"], in["isr"])
	}
}

// TestPlaces: lines are those of the markers, offsets those of the text.
func TestPlaces(t *testing.T) {
	t.Parallel()
	text := "# 1 \"app.c\"\n# 5 \"/usr/include/x.h\" 1 3\nstatic int in_header(void) { return 1; }\n# 2 \"app.c\" 2\n" +
		"int before;\n#line 70 \"App.nc\"\nint f(int a)\n{\n  if (a &&\n#line 90\n      before)\n    return 2;\n  return 1;\n}\n"
	u := parse(t, text)
	if f := u.Funcs[0]; f.Pos != (Pos{"/usr/include/x.h", 5}) || !u.System(f.Body.From) {
		t.Errorf("%s is at %v, system %v", f.Name, f.Pos, u.System(f.Body.From))
	}
	f := u.Funcs[1]
	if f.Pos != (Pos{"App.nc", 70}) || u.System(f.Body.From) {
		t.Errorf("%s is at %v, system %v", f.Name, f.Pos, u.System(f.Body.From))
	}
	var lines []string
	for _, b := range f.Blocks {
		lines = append(lines, fmt.Sprint(b.Lines))
	}
	if got, want := strings.Join(lines, " "), "[] [] [App.nc:72] [App.nc:91] [] [App.nc:90] [App.nc:92]"; got != want {
		t.Errorf("lines of blocks: %s, want %s", got, want)
	}
	for _, e := range f.Edges {
		if s := e.Site; s.Kind == WhenTrue {
			if part := text[s.Stmt.From:s.Stmt.To]; part != "a" && part != "before" {
				t.Errorf("a condition is %q", part)
			}
		}
	}
}

// TestKeptMacros: with -g3 compilers keep macros in what they have preprocessed.
func TestKeptMacros(t *testing.T) {
	t.Parallel()
	u := parse(t, "# 1 \"a.c\"\n#define A(x) {{ x\n#undef B\nint f(void) { return 1; }\n")
	if len(u.Funcs) != 1 || u.Funcs[0].Refused != "" || u.Funcs[0].Pos.Line != 3 {
		t.Errorf("%+v", u.Funcs)
	}
}

// TestTyposEnd: a parser that waits for an end that never comes would stop a build.
func TestTyposEnd(t *testing.T) {
	t.Parallel()
	for _, body := range []string{"*", "*;", "if", "x = ;", "for (;", "case", "return (", "int *", "({", "a->", "goto"} {
		if u, err := Parse([]byte("void f(void) { " + body + " }")); err == nil && u.Funcs[0].Refused == "" {
			t.Errorf("%s: neither refused nor an error", body)
		}
	}
}

func TestNotPreprocessed(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"#include <stdio.h>\n", "#define A 1\n", "int a; /* no end", "char *s = \"no end;\n", "int int int ;;; } {", "*", "int f(void) { ]; }", "int f(void) {", "int a = 1 + ;", "*;", "int a\x00;"} {
		if _, err := Parse([]byte(text)); err == nil {
			t.Errorf("%q: no error", text)
		}
	}
}
