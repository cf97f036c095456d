package record_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"motehound/firmware/pathtrace/runtime"
	"motehound/internal/need"
	"motehound/study/fieldtrace/record"
)

// host is the tracer compiled for this machine, for a number of procedures and pages.
type host struct{ procs, pages int }

var hosts struct {
	sync.Mutex
	dir   string
	built map[host]string
}

func TestMain(m *testing.M) {
	code := m.Run()
	if hosts.dir != "" {
		os.RemoveAll(hosts.dir)
	}
	os.Exit(code)
}

// build compiles testdata/host.c with the tracer's sources, once for each kind.
func (h host) build(t testing.TB) string {
	t.Helper()
	hosts.Lock()
	defer hosts.Unlock()
	if p, ok := hosts.built[h]; ok {
		return p
	}
	if hosts.dir == "" {
		dir, err := os.MkdirTemp("", "motehound-record")
		if err != nil {
			t.Fatal(err)
		}
		hosts.dir = dir
		if err := runtime.Write(hosts.dir, os.WriteFile); err != nil {
			t.Fatal(err)
		}
		hosts.built = map[host]string{}
	}
	program := filepath.Join(hosts.dir, fmt.Sprintf("host-%d-%d", h.procs, h.pages))
	cmd := need.Command(t, "cc", "-std=c99", "-O1", "-Wall", "-Wextra", "-Werror", "-fsanitize=undefined,address", "-fno-sanitize-recover",
		"-I"+hosts.dir, fmt.Sprintf("-DMH_TRACE_PROCS=%d", h.procs), fmt.Sprintf("-DMH_TRACE_PAGES=%d", h.pages),
		"-o", program, "testdata/host.c")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %v\n%s", cmd, err, out)
	}
	hosts.built[h] = program
	return program
}

// run has the tracer do what a script says, and returns its flash and what it replied.
func (h host) run(t testing.TB, script string) (flash []byte, replies string) {
	t.Helper()
	var out, errors bytes.Buffer
	cmd := exec.Command(h.build(t))
	cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(script), &out, &errors
	if err := cmd.Run(); err != nil {
		t.Fatalf("%v\n%s", err, errors.String())
	}
	return out.Bytes(), errors.String()
}

// story is a program's events, made up: tasks that call each other, with loops, and handlers in between.
type story struct {
	rng    *rand.Rand
	procs  int
	events []record.Element
	script strings.Builder
	// wild is how much of it does not repeat, from 0 to 1; off is how much happens with interrupts off.
	wild, off float64
	deep      int
}

func newStory(seed uint64, procs int, wild, off float64) *story {
	return &story{rng: rand.New(rand.NewPCG(seed, 8)), procs: procs, wild: wild, off: off}
}

func (s *story) event(k record.Kind, proc, path uint16, off bool) {
	letter := "epl"[k : k+1]
	if off {
		letter = strings.ToUpper(letter)
	}
	s.events = append(s.events, record.Element{Kind: k, Proc: proc, Path: path, Count: 1})
	if k == record.Enter {
		fmt.Fprintf(&s.script, "%s %d\n", letter, proc)
	} else {
		fmt.Fprintf(&s.script, "%s %d %d\n", letter, proc, path)
	}
}

func (s *story) path() uint16 {
	if s.rng.IntN(8) == 0 {
		return uint16(s.rng.IntN(1 << 16))
	}
	return uint16(s.rng.IntN(5))
}

// procedure is one call of it, in which what happens depends on the procedure, except for what is wild.
func (s *story) procedure(proc uint16, off bool) {
	s.deep++
	defer func() { s.deep-- }()
	s.event(record.Enter, proc, 0, off)
	s.interrupt(off)
	path := proc % 7
	if s.rng.Float64() < s.wild {
		path = s.path()
	}
	for range int(proc%4)*int(path%3) + s.loops() {
		s.event(record.Path, proc, path, off)
		s.interrupt(off)
	}
	if s.deep < 6 && proc%3 == 0 {
		s.procedure((proc*5+path)%uint16(s.procs), off)
		s.interrupt(off)
	}
	s.event(record.Leave, proc, path, off)
}

func (s *story) loops() int {
	switch f := s.rng.Float64(); {
	case f < s.wild*0.1:
		return 200 + s.rng.IntN(400)
	case f < s.wild:
		return s.rng.IntN(4)
	}
	return 0
}

func (s *story) interrupt(off bool) {
	if !off && s.deep < 9 && s.rng.Float64() < s.off*0.3 {
		s.procedure(uint16(s.procs-1-s.rng.IntN(2)), true)
	}
}

// task is one round of the program: the same few in turn, mostly.
func (s *story) task(i int) {
	proc := uint16(i*i) % uint16(s.procs)
	if s.rng.Float64() < s.wild {
		proc = uint16(s.rng.IntN(s.procs))
	}
	s.procedure(proc, s.rng.Float64() < s.off*0.2)
	if s.rng.IntN(4) == 0 {
		fmt.Fprintf(&s.script, "t %d\n", s.rng.IntN(300))
	}
}

// compare says where the events of a log differ from those that were traced, beginning with the event at from, or with the
// first that follows a gap. Where the log says that n were lost, n may be missing.
func compare(log *record.Log, want []record.Element) error {
	i := 0
	for at, e := range log.Events() {
		switch {
		case e.Kind == record.Lost:
			if e.Count == record.MaxLost {
				return fmt.Errorf("too much was lost for this test")
			}
			i += int(e.Count)
		case e.Kind.Gap():
			return fmt.Errorf("page %d: %v, after %d events", at.Page, e.Element, i)
		case e.Kind <= record.Leave:
			if i >= len(want) {
				return fmt.Errorf("the log has more than the %d events that were traced: %v", len(want), e)
			}
			if e.Element != want[i] || e.Abandoned {
				return fmt.Errorf("event %d is %v, not %v", i, e, want[i])
			}
			i++
		}
	}
	if i != len(want) {
		return fmt.Errorf("the log has %d of %d events", i, len(want))
	}
	return nil
}

func read(t testing.TB, flash []byte) *record.Log {
	t.Helper()
	log, err := record.Read(record.AT45DB, flash)
	if err != nil {
		t.Fatal(err)
	}
	return log
}
