package tracing

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"motehound/firmware/image"
	"motehound/firmware/pathtrace/driver"
	"motehound/firmware/pathtrace/instrument"
	"motehound/firmware/pathtrace/runtime"
	"motehound/internal/need"
	"motehound/mote/board"
)

// Of every example, the log says what the emulator saw: all edges of all paths, by labels on them. And it does what it does
// without the tracer: the same frames, bytes on the serial port and changes of lights, in the same order. Builds of an example that differ in a bug, which is
// a line or two, take turns on the boards that it is for; with MOTEHOUND_LONG=1 each is tried on all.
func TestExamplesExactly(t *testing.T) {
	need.Tools(t, "avr-gcc", "make")
	list := samples
	if testing.Short() {
		list = samples[:3]
	}
	t.Chdir("../../examples")
	shared := objects{t.TempDir(), map[string]string{}}
	for _, s := range list {
		s.shared = shared
		var n int
		for n, s.app = range append([]string{s.app}, s.also...) {
			for i, b := range s.boards {
				if len(s.also) > 0 && i != n%len(s.boards) && !need.Long() {
					continue
				}
				t.Run(s.app+"-"+b.Name, func(t *testing.T) {
					s.sameEdges(t, b)
					if !s.races {
						s.sameBehaviour(t, b)
					}
				})
			}
		}
	}
}

// sameEdges runs an example with labels, each of which takes a cycle.
func (s *sample) sameEdges(t *testing.T, b *board.Board) {
	im, m := s.build(t, b, labeled)
	at := labels(t, im.Path)
	var sum edgeTally
	for _, seen := range s.run(t, b, im, at, start{apart: apart[0]}) {
		sum.add(seen.follow(t, m, at))
	}
	t.Logf("%+v", sum)
	if sum.invocations < 10 || sum.lost > sum.paths/100 && !s.starves || sum.unlabeled > sum.edges/8 {
		t.Error("too little was compared")
	}
}

// sameBehaviour compares an example that traces itself with the plain one. Where they differ, and the plain one does otherwise, too, when
// it is only a little late, then what it did was a matter of microseconds, and another start of the motes is tried.
func (s *sample) sameBehaviour(t *testing.T, b *board.Board) {
	plain, err := find(s.app, b)
	if err != nil {
		t.Fatal(err)
	}
	traced, _ := s.build(t, b, normal)
	for _, apart := range apart {
		was := s.run(t, b, plain.kind.Image, nil, start{apart: apart})
		differ := s.compare(was, s.run(t, b, traced, nil, start{apart: apart}))
		if len(differ) == 0 {
			return
		}
		if !s.isDelicate(t, b, plain.kind.Image, was, apart) {
			for _, d := range differ {
				t.Errorf("boots %d ms apart: traced, it behaves otherwise: %s", apart, d)
			}
			return
		}
		t.Logf("boots %d ms apart: what it does is a matter of microseconds: %s", apart, differ[0])
	}
	t.Error("whenever the motes start, what they do is a matter of microseconds: nothing was compared")
}

// isDelicate tells whether plain motes behave otherwise than they did if their crystals are off by 20 ppm, as real ones are, if they start
// by less than a tick of their clock, a millisecond, later than each other, or if they take as long as with the tracer at the same places.
func (s *sample) isDelicate(t *testing.T, b *board.Board, plain *image.Image, was []seen, apart uint64) bool {
	t.Helper()
	for _, other := range []start{{apart, 0, -20}, {apart, 0, 20}, {apart, 250, 0}, {apart, 500, 0}, {apart, 750, 0}} {
		if len(s.compare(was, s.run(t, b, plain, nil, other))) > 0 {
			return true
		}
	}
	for i := range work {
		late, _ := s.build(t, b, padded+variant(i))
		if len(s.compare(was, s.run(t, b, late, nil, start{apart: apart}))) > 0 {
			return true
		}
	}
	return false
}

// narrow is the most procedures that have labels of one byte.
const narrow = 64

// tracer is what is linked with a traced example, and what is defined for it.
func tracer(b *board.Board, v variant) (defines, files []string) {
	if v >= padded {
		return []string{fmt.Sprint("-DWORK=", work[v-padded])}, []string{"../internal/tracing/testdata/pad.c"}
	}
	for _, f := range runtime.Core {
		files = append(files, "../firmware/pathtrace/runtime/src/"+f)
	}
	if b.Flash != nil {
		return nil, append(files, "../firmware/pathtrace/runtime/src/"+runtime.AT45DB)
	}
	return nil, append(files, "../internal/tracing/testdata/store.c")
}

// variant is a way to build an example.
type variant uint8

const (
	normal  variant = iota // it traces itself
	labeled                // and has labels on its edges
	padded                 // it does not, but takes as long; and as many more as there are in work
)

// work is how many cycles the tracer takes, about, for what it has put off.
var work = []int{1000, 5000}

var kernelObject = regexp.MustCompile(` build/[^/ ]*/(\S+)\.o`)

// build compiles an example as its makefile does, but its own files with calls of the tracer.
func (s *sample) build(t *testing.T, b *board.Board, v variant) (*image.Image, *instrument.Map) {
	t.Helper()
	dir := t.TempDir()
	target := fmt.Sprintf("elf/%s-%s.elf", s.app, b.Name)
	out, err := exec.Command("make", "-s", "-n", "-B", target).Output()
	if err != nil {
		t.Fatalf("make %s: %v", target, err)
	}
	commands := strings.Split(strings.TrimSpace(strings.ReplaceAll(string(out), "\\\n", " ")), "\n")
	command := strings.Fields(kernelObject.ReplaceAllString(commands[len(commands)-1], " kernel/$1.c")) // behind those that compile the kernel
	var flags, traced, plain []string
	for i := 0; i < len(command); i++ {
		switch x := command[i]; {
		case x == "-o":
			i++
		case !strings.HasSuffix(x, ".c"):
			flags = append(flags, x)
		// Where the kernel sleeps it gives the tracer its time, whether it is traced or not.
		case strings.HasPrefix(x, "kernel/") && x != "kernel/sleep.c" && len(s.choice.Except) > 1:
			plain = append(plain, x)
		default:
			traced = append(traced, x)
		}
	}
	elf, mapFile := filepath.Join(dir, s.app+".elf"), filepath.Join(dir, "map.json")
	flags = append(flags, `-DMH_TRACE_CONFIG="trace_config.h"`, "-DMH_TRACE_WAITING=128", fmt.Sprint("-DMH_TRACE_PROCS=", narrow))
	o := driver.Options{Choice: s.choice, Map: mapFile, Runtime: driver.None, Procs: narrow, Labels: v == labeled, Note: os.Stderr, Stdout: os.Stdout, Stderr: os.Stderr}
	with := append(slices.Clone(flags), "-w", "-I../firmware/pathtrace/runtime/src")
	link := slices.Concat(flags, []string{"-o", elf}, traced)
	defines, files := tracer(b, v)
	with = append(with, defines...)
	for _, source := range append(plain, files...) {
		link = append(link, s.shared.compile(t, with, source))
	}
	if status, err := driver.Run(context.Background(), o, link); err != nil || status != 0 {
		t.Fatalf("%s: status %d, %v", s.app, status, err)
	}
	im, err := image.Load(elf)
	if err != nil {
		t.Fatal(err)
	}
	file, err := os.Open(mapFile)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	m, err := instrument.Read(file)
	if err != nil {
		t.Fatal(err)
	}
	return im, m
}

// The traced builds that come with the examples do the same as the plain ones.
func TestShippedBehaveAlike(t *testing.T) {
	for _, r := range Rows {
		for _, b := range r.Boards {
			s := sample{app: r.App, motes: r.Motes}
			plain, err := find(r.App, b)
			if err != nil {
				t.Fatal(err)
			}
			traced, err := find(r.App+r.Build+"_traced", b)
			if err != nil {
				t.Fatal(err)
			}
			begin := start{apart: apart[0]}
			for _, d := range s.compare(s.run(t, b, plain.kind.Image, nil, begin), s.run(t, b, traced.kind.Image, nil, begin)) {
				t.Errorf("%s%s on a %s, traced, behaves otherwise: %s", r.App, r.Build, b.Name, d)
			}
		}
	}
}
