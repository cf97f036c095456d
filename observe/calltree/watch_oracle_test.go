package calltree_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"motehound/firmware/image"
	"motehound/internal/need"
	"motehound/internal/testkit"
	"motehound/isa/avr"
	"motehound/mote"
	"motehound/observe/calltree"
	"motehound/world"
)

// compile builds a C program for the ATmega128.
func compile(t testing.TB, source string, flags ...string) *image.Image {
	t.Helper()
	dir := t.TempDir()
	c, elf := filepath.Join(dir, "a.c"), filepath.Join(dir, "a.elf")
	if err := os.WriteFile(c, []byte(source), 0o644); err != nil {
		t.Fatal(err)
	}
	args := append([]string{"-std=gnu99", "-mmcu=atmega128", "-gdwarf-4", "-o", elf, c}, flags...)
	if out, err := need.Command(t, "avr-gcc", args...).CombinedOutput(); err != nil {
		t.Fatalf("avr-gcc (packages gcc-avr, avr-libc): %v\n%s", err, out)
	}
	im, err := image.Load(elf)
	if err != nil {
		t.Fatal(err)
	}
	return im
}

// bare puts a firmware on a bare ATmega128.
func bare(t testing.TB, im *image.Image) *world.World {
	t.Helper()
	return testkit.Alone(t, testkit.Bare(t, im), 1)
}

// call is a call as the program itself tells it.
type call struct {
	name    string
	calls   []*call
	jumping bool // it ends with what it has jumped to
	ended   bool
}

func (c *call) write(b *strings.Builder, indent int) {
	fmt.Fprintf(b, "%s%s\n", strings.Repeat("  ", indent), c.name)
	for _, x := range c.calls {
		x.write(b, indent+1)
	}
}

func (c *call) String() string {
	var b strings.Builder
	c.write(&b, 0)
	return b.String()
}

// teller makes calls of what a program says.
type teller struct {
	t     testing.TB
	stack []*call
	roots []*call // handlers, in order of start
}

func (x *teller) enter(name string) {
	c := &call{name: name}
	if strings.HasPrefix(name, "TIMER") {
		x.roots = append(x.roots, c)
	} else if n := len(x.stack); n > 0 {
		x.stack[n-1].calls = append(x.stack[n-1].calls, c)
	}
	x.stack = append(x.stack, c)
}

func (x *teller) exit(name string) {
	n := len(x.stack) - 1
	if n < 0 || x.stack[n].name != name {
		x.t.Fatalf("the program says that %s ends, in %v", name, x.stack)
	}
	x.stack[n].ended = true
	x.stack = x.stack[:n]
	if n > 0 && x.stack[n-1].jumping && !strings.HasPrefix(name, "TIMER") {
		x.exit(x.stack[n-1].name)
	}
}

func (x *teller) jump() { x.stack[len(x.stack)-1].jumping = true }

// listenMarks has the program's stores to PORTA, PORTB and PORTC told.
func (x *teller) listenMarks(w *world.World) {
	m := w.Motes()[0]
	code := m.Kind.Program()
	const portA, portB, portC = 0x3B, 0x38, 0x35
	at := map[uint32]avr.Inst{}
	var pcs []uint32
	for pc := range code.Words() {
		if in := code.At(pc); in.Op == avr.OpOut && (in.K == portA || in.K == portB || in.K == portC) {
			at[pc] = in
			pcs = append(pcs, pc)
		}
	}
	if len(pcs) == 0 {
		x.t.Fatal("the program says nothing")
	}
	name := func(n uint8) string {
		return map[uint8]string{201: "TIMER1_COMPA", 202: "TIMER3_COMPA"}[n] + map[bool]string{true: fmt.Sprintf("f%d", n)}[n < 200]
	}
	w.Observe(world.Observer{
		CodeAt: func(*mote.Kind) []uint32 { return pcs },
		Code: func(_ int, _ uint64, pc uint32) bool {
			if in, ok := at[pc]; ok {
				v := m.Core().R[in.D]
				switch in.K {
				case portA:
					x.enter(name(v))
				case portB:
					x.exit(name(v))
				case portC:
					x.jump()
				}
			}
			return false
		},
	})
}

// listenProfile has the calls that -finstrument-functions makes told.
func (x *teller) listenProfile(w *world.World) {
	m := w.Motes()[0]
	im := m.Kind.Image
	enter, ok1 := im.Symbol("__cyg_profile_func_enter")
	exit, ok2 := im.Symbol("__cyg_profile_func_exit")
	if !ok1 || !ok2 {
		x.t.Fatal("the program is not instrumented")
	}
	name := func() string {
		s, _ := im.FuncAt(2 * (uint32(m.Core().R[24]) | uint32(m.Core().R[25])<<8))
		switch s.Name {
		case "__vector_12":
			return "TIMER1_COMPA"
		case "__vector_26":
			return "TIMER3_COMPA"
		}
		return s.Name
	}
	w.Observe(world.Observer{
		CodeAt: func(*mote.Kind) []uint32 { return []uint32{enter.Addr / 2, exit.Addr / 2} },
		Code: func(_ int, _ uint64, pc uint32) bool {
			switch pc {
			case enter.Addr / 2:
				x.enter(name())
			case exit.Addr / 2:
				x.exit(name())
			}
			return false
		},
	})
}

// outline is a tree as the program would tell it: names only.
func outline(n *calltree.Node) *call {
	c := &call{name: n.Func.Name}
	for _, x := range n.Calls {
		c.calls = append(c.calls, outline(x))
	}
	return c
}

// verdict is how trees compare with what programs tell.
type verdict struct {
	programs, trees, calls, wrong int
	first                         string // of the wrong ones
}

// compare runs a program and compares the trees of its handlers with what it says itself.
func (v *verdict) compare(t testing.TB, im *image.Image, listen func(*teller, *world.World)) {
	t.Helper()
	w := bare(t, im)
	x := &teller{t: t}
	var got []calltree.Instance
	h, err := calltree.Watch(w, calltree.NewBook(), calltree.Options{Vectors: []uint16{13, 27}, ByStart: true},
		func(i calltree.Instance) { got = append(got, i) })
	if err != nil {
		t.Fatal(err)
	}
	listen(x, w)
	w.RunUntil(300 * world.Millisecond)
	h.Close()
	if s := h.Stats(); s != (calltree.Stats{}) {
		t.Errorf("%+v", s)
	}
	if len(got) != len(x.roots) || len(got) < 20 {
		t.Fatalf("%d handlers were seen, the program tells of %d", len(got), len(x.roots))
	}
	v.programs++
	for i, in := range got {
		if !x.roots[i].ended {
			continue
		}
		v.trees++
		seen, told := outline(in.Tree.Calls[0]).String(), x.roots[i].String()
		v.calls += strings.Count(told, "\n")
		if len(in.Tree.Calls) != 1 || seen != told {
			v.wrong++
			if v.first == "" {
				v.first = fmt.Sprintf("program %d, instance %d, seen:\n%s\ntold:\n%s", v.programs-1, i, seen, told)
			}
		}
	}
}

// Random programs say of themselves when each function begins and ends, inlined or not. The trees say the same. Without
// optimisation they always do. GCC's optimisations leave a little to guess, so a tree in a hundred may be wrong, and more of
// them where loops are unrolled: see inline.go.
func TestTreesAreWhatProgramsTell(t *testing.T) {
	t.Parallel()
	marks, profile := (*teller).listenMarks, (*teller).listenProfile
	for _, c := range []struct {
		flags   string
		listen  func(*teller, *world.World)
		percent int
	}{
		{"-O0 -DMARKS", marks, 0},
		{"-O0 -DPROFILE -finstrument-functions", profile, 0},
		{"-Os -DMARKS", marks, 1},
		{"-Os -fno-inline -DMARKS", marks, 1},
		{"-Os -mcall-prologues -DMARKS", marks, 1},
		{"-Os -DPROFILE -finstrument-functions", profile, 1},
		{"-O1 -DMARKS", marks, 1},
		{"-O2 -DMARKS", marks, 3},
	} {
		t.Run(c.flags, func(t *testing.T) {
			t.Parallel()
			programs := uint64(16)
			if testing.Short() {
				programs = 2
			}
			var v verdict
			for seed := range programs {
				v.compare(t, compile(t, newProgram(seed, 12), strings.Fields(c.flags)...), c.listen)
			}
			t.Logf("%d programs, %d trees with %d calls, %d of them wrong", v.programs, v.trees, v.calls, v.wrong)
			if 100*v.wrong > c.percent*v.trees {
				t.Errorf("%d of %d trees are wrong, the first of them:\n%s", v.wrong, v.trees, v.first)
			}
		})
	}
}
