package job_test

import (
	"bytes"
	"cmp"
	"context"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"motehound/internal/need"
	"motehound/job"
	"motehound/job/document"
)

// raced is a program of one file with races, and how check finds them.
type raced struct {
	file   string
	input  string // on its serial line
	button string // that is pressed
	races  int    // at least; 0 for 1
	depth  int    // of the search; 0 for 4
	start  string // the value with which its first variable begins, to be near the bug
}

// Programs, of the examples first.
var racedPrograms = []raced{
	{file: "../examples/ring/ring.c", input: "hello"}, {file: "../examples/nested/nested.c", input: "L1"}, {file: "../examples/button/button.c", button: "PD2"},
	{file: "../examples/tick/tick.c", start: "253", depth: 6},

	{file: "../study/explore/testdata/ring.c", input: "hello"}, {file: "../study/explore/testdata/tick.c", depth: 7},
	{file: "../study/explore/testdata/pair.c", input: "hello"}, {file: "../study/explore/testdata/half.c", input: "hello"},
	{file: "../study/explore/testdata/stat.c", input: "hello"}, {file: "../study/explore/testdata/told.c"},

	{file: "../study/repair/testdata/if.c", input: "hello"}, {file: "../study/repair/testdata/three.c", input: "hello", races: 2},
	{file: "../study/repair/testdata/calls.c", input: "hello"}, {file: "../study/repair/testdata/inlined.c", input: "hello"},
	{file: "../study/repair/testdata/loop.c", input: "hello"}, {file: "../study/repair/testdata/rolled.c", input: "hello"},
}

// For each race an atomic section is proposed and proven. With all of them put into the source, check finds nothing.
func TestRepairs(t *testing.T) {
	for _, p := range racedPrograms {
		t.Run(filepath.Base(p.file), func(t *testing.T) {
			t.Parallel()
			source, err := os.ReadFile(p.file)
			if err != nil {
				t.Fatal(err)
			}
			if p.start != "" {
				source = bytes.Replace(source, []byte(";\n"), []byte(" = "+p.start+";\n"), 1)
			}
			d := p.check(t, source)
			if want := max(1, p.races); len(d.Findings) < want {
				t.Fatalf("%d findings, not %d", len(d.Findings), want)
			}
			lines := strings.Split(string(source), "\n")
			var done []span
			for _, f := range d.Findings {
				if f.Race == nil || !f.Race.Proof.Proven || len(f.Race.Sections) == 0 {
					t.Fatalf("%s: no section is proven: %+v", f.Property, f.Race)
				}
				for _, x := range f.Race.Sections {
					done = append(done, spanOf(t, lines, x))
				}
			}
			if d := p.check(t, []byte(strings.Join(atomic(lines, done), "\n"))); len(d.Findings) > 0 || !d.Search.Complete {
				t.Errorf("with %v atomic: %+v, %+v", done, d.Findings, d.Search)
			}
		})
	}
}

// check builds a source and searches it. Delays are shorter than the source says, so that there is less to run.
func (p raced) check(t *testing.T, source []byte) *document.Checked {
	t.Helper()
	elf, file := filepath.Join(t.TempDir(), "a.elf"), filepath.Join(t.TempDir(), filepath.Base(p.file))
	if err := os.WriteFile(file, source, 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := need.Command(t, "avr-gcc", "-mmcu=atmega328p", "-DF_CPU=100000UL", "-Os", "-gdwarf-4", "-o", elf, file).CombinedOutput(); err != nil {
		t.Fatalf("avr-gcc (packages gcc-avr, avr-libc): %v\n%s", err, out)
	}
	c := job.NewCheck(elf)
	c.Board, c.Mode, c.Budget, c.Threads, c.Depth, c.NoMemory = "uno", "search", 0, 1, cmp.Or(p.depth, 4), true
	if p.input != "" {
		c.SerialIn = []string{p.input}
	}
	if p.button != "" {
		c.Buttons = []string{p.button}
	}
	r, err := c.Do(context.Background(), job.Host{})
	if err != nil {
		t.Fatal(err)
	}
	return r.Document
}

// span is the lines that are to be atomic, from 1, both ends included.
type span struct{ from, to int }

var loopLine = regexp.MustCompile(`^\s*(for|while) \(`)

// spanOf is the lines of a section as one writes it: blocks that begin in it end in it, and so does a loop round it that makes the accesses.
func spanOf(t *testing.T, lines []string, x document.AtomicSection) span {
	t.Helper()
	if x.From.File != x.To.File || x.From.Line < 1 || x.To.Line > len(lines) {
		t.Fatalf("a section from %v to %v", x.From, x.To)
	}
	s := span{x.From.Line, x.To.Line}
	if x.Loops && !loopLine.MatchString(lines[s.from-1]) && loopLine.MatchString(lines[s.from-2]) && !strings.Contains(lines[s.from-2], "(;;)") {
		s.from--
	}
	open := func() int {
		text := strings.Join(lines[s.from-1:s.to], "\n")
		return strings.Count(text, "{") - strings.Count(text, "}")
	}
	for open() > 0 && s.to < len(lines) {
		s.to++
	}
	if open() != 0 {
		t.Fatalf("lines %d to %d are no block", s.from, s.to)
	}
	return s
}

// atomic is a source with interrupts off in some lines.
func atomic(lines []string, spans []span) []string {
	slices.SortFunc(spans, func(a, b span) int { return a.from - b.from })
	out := []string{"#include <util/atomic.h>", "#include <avr/io.h>", "#line 1"}
	at := 1
	for _, s := range spans {
		if s.to < at {
			continue // it was part of another one
		}
		s.from = max(s.from, at)
		out = append(out, lines[at-1:s.from-1]...)
		body := lines[s.from-1 : s.to]
		if strings.Contains(strings.Join(body, "\n"), "return") {
			out = append(append(append(out, "ATOMIC_BLOCK(ATOMIC_RESTORESTATE) {"), body...), "}")
		} else {
			out = append(append(append(out, "uint8_t sreg = SREG; cli();"), body...), "SREG = sreg;")
		}
		at = s.to + 1
	}
	return append(out, lines[at-1:]...)
}
