package lifecycle_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"motehound/examples"
	"motehound/firmware/image"
	"motehound/firmware/kernel"
	"motehound/internal/need"
	"motehound/internal/testkit"
	"motehound/mote/board"
	"motehound/observe/lifecycle"
	"motehound/world"
)

var update = flag.Bool("update", false, "write the golden files again")

// worldOf puts one mote with a firmware into a world.
func worldOf(t testing.TB, name string, elf []byte, boardName string) *world.World {
	t.Helper()
	im, err := image.Parse(name, elf)
	if err != nil {
		t.Fatal(err)
	}
	if boardName == "" {
		return testkit.Alone(t, testkit.Bare(t, im), 1)
	}
	b, err := board.Find(boardName)
	if err != nil {
		t.Fatal(err)
	}
	return testkit.Alone(t, testkit.On(t, b, im), 1)
}

// build compiles a program of testdata for the ATmega128.
func build(t testing.TB, source string, flags ...string) []byte {
	t.Helper()
	elf := filepath.Join(t.TempDir(), "a.elf")
	args := append([]string{"-std=gnu99", "-mmcu=atmega128", "-o", elf, filepath.Join("testdata", source)}, flags...)
	if out, err := need.Command(t, "avr-gcc", args...).CombinedOutput(); err != nil {
		t.Fatalf("avr-gcc (packages gcc-avr, avr-libc): %v\n%s", err, out)
	}
	text, err := os.ReadFile(elf)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// record runs a world and gives its first mote's items.
func record(t testing.TB, w *world.World, d *kernel.Description, until uint64) ([]kernel.Item, *lifecycle.Recorder) {
	t.Helper()
	var items []kernel.Item
	described := kernel.Descriptions{w.Motes()[0].Kind.Image.Hash: d}
	r, err := lifecycle.RecordSome(w, described, nil, func(_ int, it kernel.Item) { items = append(items, it) })
	if err != nil {
		t.Fatal(err)
	}
	w.RunUntil(until)
	return items, r
}

// obeys checks what holds of every lifecycle.
func obeys(t testing.TB, items []kernel.Item) {
	t.Helper()
	var handlers, queue []uint16
	running, last := -1, uint64(0)
	for i, it := range items {
		bad := ""
		switch {
		case it.Cycle < last:
			bad = "before the one in front of it"
		case i == 0 && it.Kind != kernel.Reset:
			bad = "before the reset"
		}
		last = it.Cycle
		switch it.Kind {
		case kernel.Int:
			handlers = append(handlers, it.Arg)
		case kernel.Reti:
			if n := len(handlers) - 1; n < 0 || handlers[n] != it.Arg {
				bad = "of another handler than the innermost"
			} else {
				handlers = handlers[:n]
			}
		case kernel.Post:
			queue = append(queue, it.Arg)
		case kernel.Run:
			switch {
			case running >= 0:
				bad = "in a task"
			case len(handlers) > 0:
				bad = "in a handler"
			case len(queue) == 0 || queue[0] != it.Arg:
				bad = fmt.Sprintf("out of order: %v wait", queue)
			default:
				queue = queue[1:]
			}
			running = int(it.Arg)
		case kernel.End:
			if running != int(it.Arg) {
				bad = "of a task that does not run"
			}
			running = -1
		case kernel.Fail:
			if !slices.Contains(queue, it.Arg) {
				bad = "of a task that does not wait"
			}
		case kernel.Reset:
			handlers, queue, running = nil, nil, -1
		}
		if bad != "" {
			t.Fatalf("item %d at cycle %d: %v %d %s", i, it.Cycle, it.Kind, it.Arg, bad)
		}
	}
}

// Every example obeys the laws of a lifecycle, and does the same, watched or not.
func TestExamples(t *testing.T) {
	for _, f := range examples.All {
		t.Run(f.File(), func(t *testing.T) {
			t.Parallel()
			until := uint64(3 * world.Second)
			if f.Board == "" {
				until = world.Second / 10 // nothing but computing
			}
			w := worldOf(t, f.File(), f.ELF(), f.Board)
			items, r := record(t, w, nil, until)
			obeys(t, items)
			plain := worldOf(t, f.File(), f.ELF(), f.Board)
			plain.RunUntil(until)
			if w.Hash() != plain.Hash() {
				t.Error("watched, it does something else")
			}
			p := r.Profile(0)
			if f.Board == "" {
				if p.Kernel != "none" || len(items) != 1 {
					t.Errorf("kernel %s, %d items; want none, and the reset", p.Kernel, len(items))
				}
				return
			}
			if f.Plain {
				if p.Kernel != "none" {
					t.Errorf("kernel %s, want none", p.Kernel)
				}
				return
			}
			if p.Kernel != "TinyOS 2" {
				t.Fatalf("kernel %s (%s)", p.Kernel, p.Why)
			}
			for _, task := range p.Tasks() {
				if task.Name == "" || len(task.Bodies) == 0 {
					t.Errorf("task %d: name %q, bodies %v", task.Arg, task.Name, task.Bodies)
				}
			}
			count := map[kernel.Kind]int{}
			for _, it := range items {
				count[it.Kind]++
			}
			if count[kernel.Int] == 0 || count[kernel.Run] == 0 || count[kernel.Post]-count[kernel.Run] > len(p.Tasks()) {
				t.Errorf("counts %v", count)
			}
		})
	}
}

// Blink's first second, item by item.
func TestBlinkGolden(t *testing.T) {
	for _, f := range examples.All {
		if f.Name != "blink" {
			continue
		}
		items, r := record(t, worldOf(t, f.File(), f.ELF(), f.Board), nil, world.Second)
		var got strings.Builder
		fmt.Fprintf(&got, "# Purpose: the first second of %s: cycle, item, what it is about.\n", f.File())
		for _, it := range items {
			name := fmt.Sprint(it.Arg)
			if it.Kind >= kernel.Post && it.Kind <= kernel.Fail {
				name = r.Profile(0).TaskName(it.Arg)
			}
			fmt.Fprintln(&got, it.Cycle, it.Kind, name)
		}
		golden := filepath.Join("testdata", "blink-"+f.Board+".txt")
		if *update {
			if err := os.WriteFile(golden, []byte(got.String()), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(golden)
		if err != nil {
			t.Fatal(err)
		}
		if got.String() != string(want) {
			t.Errorf("%s differs (write it again with -update if it should):\n%s", golden, got.String())
		}
	}
}

// Several motes of two kinds, each for itself.
func TestNetwork(t *testing.T) {
	items := make([][]kernel.Item, 3)
	w := worldOf(t, "blink", exampleELF(t, "blink", "micaz"), "micaz")
	cfg := *w.Config()
	other := worldOf(t, "sense", exampleELF(t, "sense", "mica2"), "mica2")
	cfg.Motes = append(cfg.Motes, other.Config().Motes[0], cfg.Motes[0])
	all, err := world.New(&cfg, world.Natural{Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	r, err := lifecycle.Record(all, func(i int, it kernel.Item) { items[i] = append(items[i], it) })
	if err != nil {
		t.Fatal(err)
	}
	all.RunUntil(world.Second)
	if r.Profile(0) != r.Profile(2) || r.Profile(0) == r.Profile(1) {
		t.Error("not one profile for each kind of motes")
	}
	alone, _ := record(t, w, nil, world.Second)
	if !slices.Equal(items[0], alone) || !slices.Equal(items[2], alone) {
		t.Error("a mote among others has another life than alone")
	}
	obeys(t, items[1])
}

func exampleELF(t testing.TB, name, on string) []byte {
	t.Helper()
	for _, f := range examples.All {
		if f.Name == name && f.Board == on {
			return f.ELF()
		}
	}
	t.Fatalf("no example %s for %s", name, on)
	return nil
}
