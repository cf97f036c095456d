// Package need runs the programs of other people that tests compare with or compile with. They are Debian packages, which make setup installs.
//
// Invariants: only tests import it. Without a program, a test is skipped under -short, which needs nothing but Go, and fails otherwise: what
// CI runs never passes for want of a program.
package need

import (
	"os"
	"os/exec"
	"testing"
)

// packages is where programs come from.
var packages = map[string]string{
	"cc": "gcc", "avr-gcc": "gcc-avr, avr-libc", "avr-g++": "gcc-avr, avr-libc", "avr-gdb": "gdb-avr", "simavr": "simavr, libsimavr-dev",
	"svm-train": "libsvm-tools", "dot": "graphviz", "xmllint": "libxml2-utils",
	"vcd2fst": "gtkwave", "node": "nodejs", "fst2vcd": "gtkwave", "genhtml": "lcov",
}

// Tools ends a test that needs programs which are missing.
func Tools(t testing.TB, programs ...string) {
	t.Helper()
	for _, name := range programs {
		if _, err := exec.LookPath(name); err == nil {
			continue
		}
		from, ok := packages[name]
		if !ok {
			from = name
			if len(name) > 4 && name[:4] == "avr-" {
				from = "binutils-avr"
			}
		}
		const what = "this test needs %s (Debian: %s): run make setup"
		if testing.Short() {
			t.Skipf(what, name, from)
		}
		t.Fatalf(what, name, from)
	}
}

// Long tells whether MOTEHOUND_LONG=1 asks for all cases of what has very many: more mutations, longer runs, more walks of the same kind. What CI
// runs for each commit has some of each.
func Long() bool { return os.Getenv("MOTEHOUND_LONG") == "1" }

// Command is a command of a program that a test needs.
func Command(t testing.TB, program string, args ...string) *exec.Cmd {
	t.Helper()
	Tools(t, program)
	return exec.Command(program, args...)
}
