package image

import (
	"flag"
	"fmt"
	"os"
	"path"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the golden files anew")

// The whole tree of functions, inlined copies, parameters and locals of calls.c.
func TestFunctionTree(t *testing.T) {
	t.Parallel()
	var s strings.Builder
	im := load(t, "testdata/calls-dwarf4.elf")
	for _, f := range im.Functions() {
		fmt.Fprintf(&s, "%s %x result=%s declared %s:%d\n", f.Name, f.Ranges, f.Result, path.Base(f.DeclFile), f.DeclLine)
		writeScope(&s, &f.Scope, "  ")
	}
	for _, v := range im.Vars() {
		if !v.Register {
			fmt.Fprintf(&s, "var %s %s %#x %s in %q line %d\n", v.Name, v.Space, v.Addr, v.Type, v.Func, v.Line)
		}
	}
	golden := "testdata/calls-dwarf4.txt"
	if *update {
		if err := os.WriteFile(golden, []byte(s.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil || string(want) != s.String() {
		t.Errorf("differs from %s (%v); look, then run with -update:\n%s", golden, err, s.String())
	}
}

func writeScope(s *strings.Builder, scope *Scope, indent string) {
	for _, l := range scope.Params {
		fmt.Fprintf(s, "%sparam %s %s %s\n", indent, l.Name, l.Type, where(l))
	}
	for _, l := range scope.Locals {
		fmt.Fprintf(s, "%slocal %s %s %s scope %x\n", indent, l.Name, l.Type, where(l), l.Scope)
	}
	for _, in := range scope.Inlines {
		fmt.Fprintf(s, "%sinlined %s %x called %s:%d\n", indent, in.Origin.Name, in.Ranges, path.Base(in.CallFile), in.CallLine)
		writeScope(s, &in.Scope, indent+"  ")
	}
}

func where(l *Local) string {
	switch {
	case l.Const != nil:
		return fmt.Sprintf("const %d", *l.Const)
	case !l.Loc.known():
		return "nowhere"
	}
	return fmt.Sprintf("%d locations", len(l.Loc.Entries()))
}

func TestAddrsOf(t *testing.T) {
	t.Parallel()
	im := load(t, "testdata/calls-dwarf4.elf")
	for _, file := range []string{"calls.c", "/src/calls.c", "src/calls.c", "./calls.c"} {
		addrs := im.AddrsOf(file, 28)
		if len(addrs) == 0 {
			t.Errorf("no code for %s:28", file)
		}
		for _, a := range addrs {
			if s, _ := im.FuncAt(a); s.Name != "average" {
				t.Errorf("%s:28 at %#x, which is in %s", file, a, s.Name)
			}
		}
	}
	if got := im.AddrsOf("other.c", 28); got != nil {
		t.Errorf("other.c:28 at %x", got)
	}
	if got := im.AddrsOf("alls.c", 28); got != nil {
		t.Errorf("alls.c:28 at %x", got)
	}
	if files := im.Files(); len(files) != 1 || files[0] != "/src/calls.c" {
		t.Errorf("files %v", files)
	}
}

func TestInlineStackWithoutDWARF(t *testing.T) {
	t.Parallel()
	im := load(t, "testdata/types-nodebug.elf")
	s, _ := im.Symbol("count_calls")
	frames := im.InlineStack(s.Addr + 2)
	if len(frames) != 1 || frames[0].Name != "count_calls" || frames[0].Func != nil || frames[0].File != "" {
		t.Errorf("%+v", frames)
	}
	if frames := im.InlineStack(0x10000); frames != nil {
		t.Errorf("%+v", frames)
	}
}
