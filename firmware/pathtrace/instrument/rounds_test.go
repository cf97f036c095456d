package instrument

import (
	"slices"
	"strings"
	"testing"

	"motehound/firmware/pathtrace/cflow"
)

// Rounds are counted in loops in which nothing else can be recorded and nobody lets interrupts in, of functions that may run while they
// are off.
func TestQuietLoops(t *testing.T) {
	t.Parallel()
	const rest = `
typedef unsigned char u8;
extern u8 *memcpy(u8 *, const u8 *, int); extern void other(void), named(void); extern void (*pointer)(void);
u8 a[9], b[9]; volatile u8 v;
__attribute__((no_instrument_function)) static u8 twice(u8 x) { return 2 * x; }
__attribute__((no_instrument_function)) static void sets(void) { *(volatile u8 *)0x5f = 0x80; }
__attribute__((no_instrument_function)) static void calls(void) { sets(); }
static u8 traced(u8 x) { return x ? x : 3; }
`
	for body, quiet := range map[string]bool{
		"for (i = 0; i < 9; i++) a[i] = b[i];": true,
		"while (v) ;":                          true,
		"do { if (a[i]) continue; if (b[i]) break; } while (++i < 9);":                     true,
		"for (i = 0; i < 9; i++) a[i] = twice(b[i]);":                                      true,
		"for (i = 0; i < 9; i++) memcpy(a, b, 9);":                                         true,
		"for (i = 0; i < 9; i++) named();":                                                 true,
		"for (i = 0; i < 9; i++) a[i] = i ? sizeof(other(), 1) : 2;":                       true,
		"again: if (a[i++]) goto again;":                                                   true,
		"for (i = 0; i < 9; i++) a[i] = traced(b[i]);":                                     false,
		"for (i = 0; i < 9; i++) other();":                                                 false,
		"for (i = 0; i < 9; i++) pointer();":                                               false,
		"for (i = 0; i < 9; i++) (*pointer)();":                                            false,
		"for (i = 0; i < 9; i++) __asm__ volatile (\"sei\");":                              false,
		"for (i = 0; i < 9; i++) { a[i] = 1; __asm__ volatile (\"sei\" ::: \"memory\"); }": false,
		"for (i = 0; i < 9; i++) *(volatile u8 *)0x5f = 0x80;":                             false,
		"for (i = 0; i < 9; i++) if ((*(volatile u8 *)0x5f = 0x80)) a[i] = 2;":             false,
		"for (i = 0; i < 9; i++) sets();":                                                  false,
		"for (i = 0; i < 9; i++) calls();":                                                 false,
		"if (a[0]) a[1] = 2;":                                                              false,
	} {
		u, err := cflow.Parse([]byte(rest + "void __vector_9(void) { u8 i = 0; " + body + " }\nvoid task(void) { u8 i = 0; " + body + " }\n"))
		if err != nil {
			t.Fatal(err)
		}
		p := Prepare(u, "x.c", Choice{All: true, Silent: []string{"nam*"}})
		for i, proc := range p.Procs {
			if got, want := slices.Contains(p.quiet[i], true), quiet && proc.Name == "__vector_9"; got != want {
				t.Errorf("%s in %s: quiet %v, want %v", body, proc.Name, got, want)
			}
		}
	}
}

// What was counted is recorded on each way out of a loop.
func TestSettled(t *testing.T) {
	t.Parallel()
	u, err := cflow.Parse([]byte(`__attribute__((signal)) void __vector_9(void) {
 int i; extern int a[9];
 for (i = 0; i < 9; i++) { if (a[i] == 1) break; if (a[i] == 2) return; if (a[i] == 3) goto out; }
 a[0] = 1;
out: a[1] = 2;
}
`))
	if err != nil {
		t.Fatal(err)
	}
	text := string(Prepare(u, "x.c", Choice{All: true}).Rewrite(Macros))
	if n := strings.Count(text, "MH_TRACE_SETTLE("); n != 4 {
		t.Errorf("settled at %d places, want the loop's end, break, return and goto:\n%s", n, text)
	}
	if n := strings.Count(text, "MH_TRACE_ROUND8("); n != 1 {
		t.Errorf("counted at %d places:\n%s", n, text)
	}
}
