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

	"motehound/firmware/image"
	"motehound/mote/board"
	"motehound/study/pathtrace/driver"
	"motehound/study/pathtrace/instrument"
	"motehound/study/pathtrace/runtime"
)

// Of every example, the log says what the emulator saw: all edges of all paths, by labels on them. And it does what it does
// without the tracer: the same frames, bytes on the serial port and changes of lights, in the same order.
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
		for _, b := range s.boards {
			t.Run(s.app+"-"+b.Name, func(t *testing.T) { s.try(t, b) })
		}
	}
}

func (s *sample) try(t *testing.T, b *board.Board) {
	im, m := s.build(t, b)
	plain, err := find(s.app, b)
	if err != nil {
		t.Fatal(err)
	}
	at := labels(t, im.Path)
	var differ []string
	for _, apart := range apart {
		differ = nil
		was, is := s.run(t, b, plain.kind.Image, nil, apart), s.run(t, b, im, at, apart)
		var sum edgeTally
		for i := range is {
			sum.add(is[i].follow(t, m, at))
		}
		t.Logf("boots %d ms apart: %+v", apart, sum)
		if sum.invocations < 10 || sum.lost > sum.paths/100 || sum.unlabeled > sum.edges/8 {
			t.Error("too little was compared")
		}
		for i := range is {
			for _, d := range s.differences(&was[i], &is[i]) {
				differ = append(differ, fmt.Sprintf("boots %d ms apart, mote %d: traced, it behaves otherwise: %s", apart, i, d))
			}
		}
		if len(differ) == 0 || !s.races {
			break
		}
	}
	for _, d := range differ {
		t.Error(d)
	}
}

// narrow is the most procedures that have labels of one byte.
const narrow = 64

// build compiles an example as its makefile does, but its own files with tracing and labels.
func (s *sample) build(t *testing.T, b *board.Board) (*image.Image, *instrument.Map) {
	t.Helper()
	dir := t.TempDir()
	target := fmt.Sprintf("elf/%s-%s.elf", s.app, b.Name)
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
		// Where the kernel sleeps it gives the tracer its time, whether it is traced or not.
		case strings.HasPrefix(x, "kernel/") && x != "kernel/sleep.c" && len(s.choice.Except) > 1:
			plain = append(plain, x)
		default:
			traced = append(traced, x)
		}
	}
	elf, mapFile := filepath.Join(dir, s.app+".elf"), filepath.Join(dir, "map.json")
	flags = append(flags, `-DMH_TRACE_CONFIG="trace_config.h"`, "-DMH_TRACE_WAITING=128", fmt.Sprint("-DMH_TRACE_PROCS=", narrow))
	o := driver.Options{Choice: s.choice, Map: mapFile, Runtime: driver.None, Procs: narrow, Labels: true, Note: os.Stderr, Stdout: os.Stdout, Stderr: os.Stderr}
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
	for _, f := range runtime.Core {
		link = append(link, "../study/pathtrace/runtime/src/"+f)
	}
	if b.Flash != nil {
		link = append(link, "../study/pathtrace/runtime/src/"+runtime.AT45DB)
	} else {
		link = append(link, "../internal/tracing/testdata/store.c")
	}
	if out, err := exec.Command(link[0], link[1:]...).CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", s.app, err, out)
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
