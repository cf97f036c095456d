package job_test

import (
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
	file  string
	input string // on its serial line
	races int    // at least
	depth int    // of the search; 0 for 4
}

// Programs whose races are found by searching.
var racedPrograms = []raced{
	{"../study/explore/testdata/ring.c", "hello", 1, 0}, {"../study/explore/testdata/tick.c", "", 1, 7}, {"../study/explore/testdata/pair.c", "hello", 1, 0},
	{"../study/explore/testdata/half.c", "hello", 1, 0}, {"../study/explore/testdata/stat.c", "hello", 1, 0},
	{"../study/repair/testdata/if.c", "hello", 1, 0}, {"../study/repair/testdata/three.c", "hello", 2, 0}, {"../study/repair/testdata/calls.c", "hello", 1, 0},
	{"../study/repair/testdata/inlined.c", "hello", 1, 0}, {"../study/repair/testdata/loop.c", "hello", 1, 0}, {"../study/repair/testdata/rolled.c", "hello", 1, 0},
}

// For each race an atomic section is proposed and proven. With all of them put into the source, check finds nothing.
func TestRepairs(t *testing.T) {
	for _, p := range racedPrograms {
		t.Run(filepath.Base(p.file), func(t *testing.T) {
			t.Parallel()
			d := p.check(t, p.file)
			if len(d.Findings) < p.races {
				t.Fatalf("%d findings, not %d", len(d.Findings), p.races)
			}
			source, err := os.ReadFile(p.file)
			if err != nil {
				t.Fatal(err)
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
			fixed := filepath.Join(t.TempDir(), filepath.Base(p.file))
			if err := os.WriteFile(fixed, []byte(strings.Join(atomic(lines, done), "\n")), 0o600); err != nil {
				t.Fatal(err)
			}
			if d := p.check(t, fixed); len(d.Findings) > 0 || d.Search == nil || !d.Search.Complete {
				t.Errorf("with %v atomic: %+v, %+v", done, d.Findings, d.Search)
			}
		})
	}
}

// check builds a source and searches it.
func (p raced) check(t *testing.T, source string) *document.Checked {
	t.Helper()
	elf := filepath.Join(t.TempDir(), "a.elf")
	if out, err := need.Command(t, "avr-gcc", "-mmcu=atmega328p", "-DF_CPU=16000000UL", "-Os", "-gdwarf-4", "-o", elf, source).CombinedOutput(); err != nil {
		t.Fatalf("avr-gcc (packages gcc-avr, avr-libc): %v\n%s", err, out)
	}
	c := job.NewCheck(elf)
	c.Board, c.Mode, c.Budget, c.Threads, c.Depth, c.NoMemory = "uno", "search", 0, 1, cmp.Or(p.depth, 4), true
	if p.input != "" {
		c.SerialIn = []string{p.input}
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
