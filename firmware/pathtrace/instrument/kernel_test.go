package instrument

import (
	"strings"
	"testing"

	"motehound/firmware/pathtrace/cflow"
)

// TinyOS' command to sleep gives the tracer its time first, whether it is traced or not.
func TestRests(t *testing.T) {
	t.Parallel()
	const source = "void McuSleepC__McuSleep__sleep(void) { __asm__ volatile (\"sleep\"); }\nint other(int a) { return a ? 1 : 2; }\n"
	u, err := cflow.Parse([]byte(source))
	if err != nil {
		t.Fatal(err)
	}
	for _, choice := range []Choice{{Functions: []string{"other"}}, {All: true}, {Functions: []string{"none"}}} {
		plan := Prepare(u, "unit", choice)
		text := string(plan.Rewrite(Macros))
		if !plan.Rests() || strings.Count(text, "{ if (MH_TRACE_REST()) return;") != 1 {
			t.Errorf("%+v: %s", choice, text)
		}
		if i := strings.Index(text, "MH_TRACE_ENTER"); i >= 0 && i < strings.Index(text, "MH_TRACE_REST") {
			t.Errorf("%+v: what the tracer does is traced: %s", choice, text)
		}
		if text := string(plan.Rewrite(Calls{})); strings.Contains(text, "REST") {
			t.Errorf("%+v: without a call for it: %s", choice, text)
		}
	}
}

// Each kernel is given what it needs, and where a program stops for good, the log goes to the flash first.
func TestKernels(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, source, want string }{
		{"TinyOS 1", "void __nesc_atomic_sleep(void) { }\nvoid __vector_15(void) __attribute__((signal));\nvoid __vector_15(void) { }\n",
			"void __nesc_atomic_sleep(void) { if (MH_TRACE_REST()) { MH_TRACE_LET_IN(); return; } }\nvoid __vector_15(void) __attribute__((signal));\n" +
				"void __vector_15(void) { MH_TRACE_TICK(); }\n"},
		{"a timer that is no kernel's", "void __vector_15(void) { }\n", "void __vector_15(void) { }\n"},
		{"Contiki", "static int nevents, poll_requested; int process_run(void) { return nevents + poll_requested; }\n",
			"static int nevents, poll_requested; int process_run(void) { if (nevents == 0 && !poll_requested) MH_TRACE_NAP(); return nevents + poll_requested; }\n"},
		{"another's process_run", "int process_run(void) { return 1; }\n", "int process_run(void) { return 1; }\n"},
		{"stops", "void f(int a) { if (a) while (1); for (;;) { } }\n", "void f(int a) { if (a) { MH_TRACE_STOP(); while (1); } { MH_TRACE_STOP(); for (;;) { } } }\n"},
		{"goes on", "void g(void); void f(int a) { do { g(); } while (1); while (a); for (; a;); for (;;) __asm__(\"sleep\"); for (;;) g(); }\n",
			"void g(void); void f(int a) { do { g(); } while (1); while (a); for (; a;); for (;;) __asm__(\"sleep\"); for (;;) g(); }\n"},
		{"naked", "void f(void) __attribute__((naked));\nvoid f(void) { while (1); }\n", "void f(void) __attribute__((naked));\nvoid f(void) { while (1); }\n"},
	} {
		u, err := cflow.Parse([]byte(c.source))
		if err != nil {
			t.Fatal(err)
		}
		plan := Prepare(u, "unit", Choice{Functions: []string{"none"}})
		if got := string(plan.Rewrite(Macros)); got != c.want {
			t.Errorf("%s:\n%s\nwant\n%s", c.name, got, c.want)
		}
		if plan.Rests() != (c.want != c.source) {
			t.Errorf("%s: Rests is %v", c.name, plan.Rests())
		}
	}
}
