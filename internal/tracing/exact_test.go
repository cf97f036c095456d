package tracing

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"motehound/examples"
	"motehound/firmware/image"
	"motehound/mote/board"
	"motehound/study/pathtrace/driver"
	"motehound/study/pathtrace/instrument"
)

// sample is an example to be traced, and how much of it.
type sample struct {
	name   string
	board  *board.Board
	motes  int // in a line
	choice instrument.Choice
	// timed: what it sends depends on when it runs (Trickle, times in messages, retries, as fast as it can). Then what
	// kinds of messages it sends is compared, and its lights and serial port as far as both have got.
	timed bool
}

// own is what an example does not share with others; all is its kernel, too, but for what the tracer itself calls.
var (
	own = instrument.Choice{All: true, Except: []string{"kernel/*.c", "kernel/*/*.c"}}
	all = instrument.Choice{All: true, Except: []string{"ClockC__now"}}
)

// samples is every source of examples that makes firmware for a mote. Of those with bugs it is the builds without: when
// a bug shows depends on time, and time is what tracing takes.
var samples = []sample{
	{"blink", &board.MicaZ, 1, all, false}, {"sense", &board.MicaZ, 1, own, false}, {"serial", &board.MicaZ, 1, own, false},
	{"counter", &board.MicaZ, 2, own, false}, {"relay", &board.MicaZ, 3, own, false}, {"collect", &board.MicaZ, 3, own, true},
	{"disseminate", &board.MicaZ, 3, own, true}, {"timesync", &board.MicaZ, 3, own, true}, {"pollute_fixed", &board.MicaZ, 2, own, true},
	{"drop_fixed", &board.MicaZ, 3, own, false}, {"hang_fixed", &board.MicaZ, 3, own, true}, {"router_fixed", &board.MicaZ, 5, own, true},
	{"versions_fixed", &board.MicaZ, 2, own, false}, {"orphan_fixed", &board.MicaZ, 3, own, false}, {"readings_fixed", &board.MicaZ, 2, own, true},
	{"bitvector_fixed", &board.MicaZ, 2, own, true}, {"serialbuf_fixed", &board.MicaZ, 1, own, false}, {"dissem_fixed", &board.MicaZ, 3, own, false},
	{"tinytcp_fixed", &board.MicaZ, 2, own, false}, {"oscilloscope", &board.MicaZ, 1, own, false}, {"surge", &board.MicaZ, 3, own, false},
	{"base", &board.MicaZ, 2, own, false}, {"limits", &board.MicaZ, 2, own, true},
	{"starve_fixed", &board.Mica2, 1, instrument.Choice{All: true, Components: []string{"link", "starve"}, Functions: []string{"__vector_17", "QueueP__run__runTask"}}, false},
}

// Every folder of examples with firmware of its own is tried.
func TestAllExamplesAreSamples(t *testing.T) {
	for _, f := range examples.All {
		app, _, _ := strings.Cut(f.Name, "_")
		if f.Board != "" && !slices.ContainsFunc(samples, func(s sample) bool { n, _, _ := strings.Cut(s.name, "_"); return n == app }) {
			t.Errorf("%s is not traced here", f.Name)
		}
	}
}

// Of every example, the log says what the emulator saw: all edges of all paths, by labels on them. And it does what it does
// without the tracer.
func TestExamplesExactly(t *testing.T) {
	if _, err := exec.LookPath("avr-gcc"); err != nil {
		t.Fatal("this test needs gcc-avr and avr-libc: run make setup")
	}
	list := samples
	if testing.Short() {
		list = samples[:3]
	}
	t.Chdir("../../examples")
	for _, s := range list {
		im, m := s.build(t)
		plain, err := find(s.name, s.board)
		if err != nil {
			t.Fatal(err)
		}
		at := labels(t, im.Path)
		was, is := s.run(t, plain.kind.Image, nil), s.run(t, im, at)
		var sum edgeTally
		for i := range is {
			sum.add(is[i].follow(t, s.name, m, at))
		}
		t.Logf("%s: %+v", s.name, sum)
		if sum.invocations < 10 || sum.lost > sum.paths/3 || sum.unlabeled > sum.edges/8 {
			t.Errorf("%s: too little was compared", s.name)
		}
		for i := range is {
			for _, d := range s.differences(&was[i], &is[i]) {
				t.Errorf("%s, mote %d: traced, it behaves otherwise: %s", s.name, i, d)
			}
		}
	}
}

// build compiles an example as its makefile does, but its own files with tracing and labels.
func (s sample) build(t *testing.T) (*image.Image, *instrument.Map) {
	t.Helper()
	dir := t.TempDir()
	target := fmt.Sprintf("elf/%s-%s.elf", s.name, s.board.Name)
	out, err := exec.Command("make", "-s", "-n", "-B", target).Output()
	if err != nil {
		t.Fatalf("make %s: %v", target, err)
	}
	command := strings.Fields(strings.ReplaceAll(string(out), "\\\n", " "))
	var flags, traced, plain []string
	for i := 0; i < len(command); i++ {
		switch x := command[i]; {
		case x == "-o":
			i++
		case !strings.HasSuffix(x, ".c"):
			flags = append(flags, x)
		case strings.HasPrefix(x, "kernel/") && len(s.choice.Except) > 1:
			plain = append(plain, x)
		default:
			traced = append(traced, x)
		}
	}
	elf, mapFile := filepath.Join(dir, s.name+".elf"), filepath.Join(dir, "map.json")
	flags = append(flags, `-DMH_TRACE_CONFIG="trace_config.h"`, "-DMH_TRACE_WAITING=32")
	o := driver.Options{Choice: s.choice, Map: mapFile, Runtime: driver.None, Labels: true, Note: os.Stderr, Stdout: os.Stdout, Stderr: os.Stderr}
	link := append(slices.Clone(flags), "-w", "-I../study/pathtrace/runtime/src", "-o", elf)
	for i, source := range traced {
		object := filepath.Join(dir, fmt.Sprint(i, ".o"))
		status, err := driver.Run(context.Background(), o, append(slices.Clone(flags), "-c", "-o", object, source))
		if err != nil || status != 0 {
			t.Fatalf("%s: status %d, %v", source, status, err)
		}
		link = append(link, object)
	}
	link = append(link, plain...)
	for _, f := range []string{"", "_sequence", "_log", "_extra", "_at45db"} {
		link = append(link, "../study/pathtrace/runtime/src/motehound_trace"+f+".c")
	}
	if out, err := exec.Command(link[0], link[1:]...).CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", s.name, err, out)
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
