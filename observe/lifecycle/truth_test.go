package lifecycle_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"motehound/firmware/image"
	"motehound/firmware/kernel"
	"motehound/isa/avr"
	"motehound/world"
)

// life is the part of items that is about some kinds.
func life(items []kernel.Item, kinds ...kernel.Kind) []string {
	var list []string
	for _, it := range items {
		if slices.Contains(kinds, it.Kind) {
			list = append(list, fmt.Sprint(it.Kind, " ", it.Arg))
		}
	}
	return list
}

// noted is what the firmware itself has noted (testdata/log.h).
func noted(t *testing.T, w *world.World) []kernel.Item {
	t.Helper()
	m := w.Motes()[0]
	at := func(name string) uint32 {
		s, ok := m.Kind.Image.Symbol(name)
		if !ok {
			t.Fatalf("no symbol %s", name)
		}
		return s.Addr
	}
	word := func(a uint32) uint16 { return uint16(m.Peek(uint16(a))) | uint16(m.Peek(uint16(a)+1))<<8 }
	var items []kernel.Item
	for i := range uint32(word(at("log_n"))) {
		items = append(items, kernel.Item{Kind: kernel.Kind(m.Peek(uint16(at("log_kind") + i))), Arg: word(at("log_arg") + 2*i)})
	}
	return items
}

// agrees compares items with what the firmware noted since it was switched on, as far as its log reaches.
func agrees(t *testing.T, w *world.World, items []kernel.Item, without ...kernel.Kind) {
	t.Helper()
	for i, it := range items {
		if it.Kind == kernel.Reset {
			items = items[i+1:]
			break
		}
	}
	truth := noted(t, w)
	for _, kinds := range [][]kernel.Kind{{kernel.Int, kernel.Reti}, {kernel.Post, kernel.Fail}, {kernel.Run, kernel.End}} {
		kinds = slices.DeleteFunc(kinds, func(k kernel.Kind) bool { return slices.Contains(without, k) })
		if len(kinds) == 0 {
			continue
		}
		want, got := life(truth, kinds...), life(items, kinds...)
		if len(want) < 20 {
			t.Fatalf("only %d notes of %v", len(want), kinds)
		}
		for i := range want {
			if i >= len(got) || got[i] != want[i] {
				t.Fatalf("%v: item %d of %d, %d noted:\nnoted %v\nseen  %v", kinds, i, len(got), len(want),
					want[max(0, i-6):min(len(want), i+6)], got[max(0, min(i, len(got))-6):min(len(got), i+6)])
			}
		}
	}
}

func flags(text string) []string { return strings.Fields(text) }

// The queue of TinyOS 2, from all real to all inlined, with and without debug information.
func TestTinyOS2(t *testing.T) {
	for _, how := range []string{"-Os -DREAL_POST -DREAL_RUN", "-Os -DREAL_POST", "-Os -DREAL_RUN", "-Os", "-O1", "-O2", "-O3", "-O3 -gdwarf-4",
		"-Os -flto -DREAL_POST", "-Os -gdwarf-4 -DREAL_POST", "-Os -mcall-prologues -DREAL_RUN"} {
		t.Run(how, func(t *testing.T) {
			w := worldOf(t, "list.elf", build(t, "list.c", flags(how)...), "")
			items, r := record(t, w, nil, world.Second/10)
			if p := r.Profile(0); p.Kernel != "TinyOS 2" {
				t.Fatalf("kernel %s: %s", p.Kernel, p.Why)
			}
			var without []kernel.Kind
			if !strings.Contains(how, "REAL_POST") { // nothing is stored then
				without = append(without, kernel.Fail)
			}
			agrees(t, w, items, without...)
			obeys(t, items)
			want := "task 2"
			if strings.Contains(how, "dwarf") {
				want = "A.third"
			}
			if got := r.Profile(0).TaskName(2); got != want {
				t.Errorf("task 2 is called %q, want %q", got, want)
			}
		})
	}
}

func TestTinyOS1(t *testing.T) {
	for _, how := range []string{"-Os", "-O1", "-O2", "-O3", "-Os -gdwarf-4", "-Os -flto"} {
		t.Run(how, func(t *testing.T) {
			w := worldOf(t, "ring.elf", build(t, "ring.c", flags(how)...), "")
			items, r := record(t, w, nil, world.Second/10)
			p := r.Profile(0)
			if p.Kernel != "TinyOS 1" {
				t.Fatalf("kernel %s: %s", p.Kernel, p.Why)
			}
			agrees(t, w, items)
			i := slices.IndexFunc(items, func(it kernel.Item) bool { return it.Kind == kernel.Run })
			if got := p.TaskName(items[i].Arg); got != "A.long" {
				t.Errorf("the first task is called %q", got)
			}
		})
	}
}

func TestContiki(t *testing.T) {
	for _, how := range []string{"-Os", "-O1", "-O2", "-O3", "-Os -gdwarf-4", "-Os -flto", "-O3 -DCALLS=static"} {
		t.Run(how, func(t *testing.T) {
			w := worldOf(t, "processes.elf", build(t, "processes.c", flags(how)...), "")
			items, r := record(t, w, nil, world.Second/10)
			p := r.Profile(0)
			if p.Kernel != "Contiki" {
				t.Fatalf("kernel %s: %s", p.Kernel, p.Why)
			}
			slow := worldOf(t, "processes.elf", build(t, "processes.c", flags(how)...), "")
			slow.Motes()[0].SkipWaits(false)
			if all, _ := record(t, slow, nil, world.Second/10); !slices.Equal(items, all) || w.Hash() != slow.Hash() {
				t.Error("skipping iterations of the idle loop makes a difference")
			}
			var without []kernel.Kind
			if strings.Contains(how, "CALLS=static") {
				without = append(without, kernel.Fail)
			}
			agrees(t, w, dropReposts(t, items), without...)
			names := map[string]bool{}
			for _, it := range items {
				if it.Kind == kernel.Run {
					names[p.TaskName(it.Arg)] = true
				}
			}
			for _, want := range []string{"slow: poll", "poller: poll", "quick: event 6", "quick: event 8", "all processes: event 7"} {
				if !names[want] {
					t.Errorf("no run of %q among %v", want, names)
				}
			}
		})
	}
}

// dropReposts takes out the posts by which an event for all goes on after a poll: the firmware knows nothing of them.
func dropReposts(t *testing.T, items []kernel.Item) []kernel.Item {
	t.Helper()
	var list []kernel.Item
	running, reposts := -1, 0
	for i, it := range items {
		switch it.Kind {
		case kernel.Run:
			running = int(it.Arg)
		case kernel.End:
			running = -1
		case kernel.Post:
			if int(it.Arg) == running && it.Arg>>8 == 0xFF {
				if next := items[i+1]; next.Kind != kernel.End || next.Cycle != it.Cycle {
					t.Fatalf("%v after an event for all was posted again", next)
				}
				reposts++
				continue
			}
		}
		list = append(list, it)
	}
	if reposts == 0 {
		t.Error("no poll in the middle of an event for all")
	}
	return list
}

func TestDescribed(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("testdata", "own.json"))
	if err != nil {
		t.Fatal(err)
	}
	d, err := kernel.ParseDescription("own.json", text)
	if err != nil {
		t.Fatal(err)
	}
	for _, how := range []string{"-Os", "-O2"} {
		w := worldOf(t, "own.elf", build(t, "own.c", flags(how)...), "")
		items, r := record(t, w, d, world.Second/10)
		agrees(t, w, items)
		if p := r.Profile(0); p.Kernel != "own" || p.TaskName(2) != "later" || p.TaskName(9) != "task 9" {
			t.Errorf("kernel %s, tasks %q and %q", p.Kernel, p.TaskName(2), p.TaskName(9))
		}
	}
}

// Handlers that are left by longjmp, that let others in, that call a function which returns by RETI; and a watchdog reset.
func TestHandlers(t *testing.T) {
	w := worldOf(t, "handlers.elf", build(t, "handlers.c", "-Os"), "")
	items, r := record(t, w, nil, world.Second/20)
	if p := r.Profile(0); p.Kernel != "none" {
		t.Fatalf("kernel %s: %s", p.Kernel, p.Why)
	}
	agrees(t, w, items, kernel.Post, kernel.Fail, kernel.Run, kernel.End)
	nested := false
	depth, resets := 0, 0
	w = worldOf(t, "handlers.elf", build(t, "handlers.c", "-Os"), "")
	items, _ = record(t, w, nil, world.Second/5)
	for _, it := range items {
		switch it.Kind {
		case kernel.Int:
			depth++
			nested = nested || depth > 1
		case kernel.Reti:
			depth--
		case kernel.Reset:
			depth = 0
			resets++
		}
	}
	if !nested || resets != int(w.Motes()[0].Resets()) || resets < 2 {
		t.Errorf("nested %v, %d resets of %d", nested, resets, w.Motes()[0].Resets())
	}
}

// What is wrong with a description is said, with its line and column, and what to do.
func TestDescriptionErrors(t *testing.T) {
	im, err := image.Parse("own.elf", build(t, "own.c", "-Os"))
	if err != nil {
		t.Fatal(err)
	}
	program := avr.Compile(im.Flash, 1<<16, avr.AVRePlusElpm)
	run := `"run": [{"at": "my_run", "task": "r24"}]`
	for _, c := range []struct{ text, want string }{
		{`{`, "own.json:1:2: not the description of a kernel: it is cut short"},
		{"{\n \"posts\": 1}", `own.json:2:2: not the description of a kernel: json: unknown field "posts"`},
		{"{\"post\": [{\"at\":\n  7}]}", "own.json:2:4: not the description of a kernel: json: cannot unmarshal number"},
		{`{"post": [{"at": "my_post", "task": "r24"}]}`, "own.json:1:1: say where the kernel posts and where it runs"},
		{`{"post": [{"at": "no_post", "task": "r24"}], ` + run + `}`, `own.json:1:18: kernel own.json, for own.elf: post: there is no function "no_post": it may be inlined`},
		{`{"post": [{"at": "0x101", "task": "r24"}], ` + run + `}`, "0x101 is not the byte address"},
		{"{\"post\": [\n{\"at\": \"my_post\",\n \"task\": \"r32\"}], " + run + `}`, `own.json:3:10: kernel own.json, for own.elf: post my_post: task: "r32" is neither a register`},
		{`{"post": [{"at": "my_post", "task": "r25:x"}], ` + run + `}`, `"r25:x" is neither a register`},
		{`{"post": [{"at": "my_post", "task": "r24", "fails": "often"}], ` + run + `}`, `"often" is not a condition`},
		{`{"post": [{"at": "0x100", "task": "r24", "fails": "r24 == 1"}], ` + run + `}`, "no RET"},
		{`{"post": [{"at": "my_post", "task": "r24"}], "run": [{"task": "r24"}]}`, `either "at" or "icall_in"`},
		{`{"post": [{"at": "my_post", "task": "r24"}], "run": [{"icall_in": "my_post", "task": "r24"}]}`, "own.json:1:67: kernel own.json, for own.elf: run: there is no ICALL in my_post"},
		{`{"post": [{"at": "my_post", "task": "r24"}], "tasks": {"x": "y"}, ` + run + `}`, `own.json:1:61: kernel own.json, for own.elf: tasks: "x" is not a task's number`},
		{`{"post": [{"at": "my_post", "task": "r24"}], "enum": "jobs", ` + run + `}`, `own.json:1:54: kernel own.json, for own.elf: enum: the debug information has no enumeration "jobs"`},
	} {
		d, err := kernel.ParseDescription("own.json", []byte(c.text))
		if err == nil {
			_, err = d.Profile(im, program)
		}
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v; want %q in it", c.text, err, c.want)
		}
	}
}
