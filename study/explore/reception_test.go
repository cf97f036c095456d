package explore_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"motehound/firmware/image"
	"motehound/internal/need"
	"motehound/internal/testkit"
	"motehound/mote"
	"motehound/mote/board"
	"motehound/study/check"
	"motehound/study/explore"
	"motehound/study/symbolic/core"
	"motehound/study/symbolic/engine"
	"motehound/study/symbolic/expr"
	"motehound/study/symbolic/solver"
	"motehound/world"
	"motehound/world/medium"
	"motehound/world/reception"
)

// fated is a network in which one frame to mote 1 may have another fate than the ordinary one, and its question.
type fated struct {
	cfg    *world.Config
	kind   world.ChoiceKind
	number uint32
	until  uint64
}

var faultOf = map[reception.Fate]world.FaultKind{reception.Lost: world.Lose, reception.Corrupted: world.Corrupt,
	reception.Duplicated: world.Duplicate, reception.Delayed: world.Delay, reception.Reordered: world.Reorder}

// wrong is the bit of a corrupted frame that explored runs turn over.
const wrong = 3

// answers have the frame meet its fate.
func (f *fated) answers(fate reception.Fate) []world.Answer {
	return []world.Answer{{Kind: f.kind, Mote: 1, Number: f.number, Answer: uint32(fate)}, {Kind: world.ChoiceCorruption, Mote: 1, Answer: wrong}}
}

// timed runs the network.
func (f *fated) timed(t *testing.T, answers []world.Answer) *mote.Mote {
	t.Helper()
	w := testkit.World(t, f.cfg, world.Fixed{Answers: answers, Else: world.Ordinary{}})
	w.RunUntil(f.until)
	return w.Motes()[1]
}

// symbolic gives each outcome in which the frame has a fate: mote 1, what a variable of it is, and the answers.
func (f *fated) symbolic(t *testing.T, fate reception.Fate, each func(m *mote.Mote, value func(path string) uint8, answers []world.Answer)) {
	t.Helper()
	pool := expr.NewPool()
	e, err := engine.New(engine.Config{World: f.cfg, Until: f.until, Core: core.Config{Pool: pool, Solver: solver.New(pool, solver.NewBuiltin(pool, 0), solver.Config{})}})
	if err != nil {
		t.Fatal(err)
	}
	if err := e.Run(); err != nil {
		t.Fatal(err)
	}
	list, _ := e.Scenarios(100, func() bool { return false })
	met := 0
	for _, sc := range list {
		if !slices.Contains(sc.Answers, f.answers(fate)[0]) {
			continue
		}
		met++
		s, ok := e.State(sc.States[1])
		if !ok {
			t.Fatal("a state is gone")
		}
		ev := pool.NewEvaluator()
		ev.Use(sc.Model)
		each(s.Machine(), func(path string) uint8 {
			x, err := s.Value(path)
			if err != nil {
				t.Fatal(err)
			}
			return uint8(ev.Eval(x))
		}, sc.Answers)
	}
	if met == 0 {
		t.Errorf("%d symbolic outcomes, in none of which frame %d has fate %d", len(list), f.number, fate)
	}
}

// fate finds the event that has the next frame to mote 1 meet a fate.
func fateOf(s *explore.System, fate reception.Fate) (check.Event, bool) {
	for _, e := range s.Enabled(nil) {
		if e.Mote == 1 && e.Class == check.Frame && e.Option == uint8(fate) {
			return e, true
		}
	}
	return check.Event{}, false
}

func fire(t *testing.T, s *explore.System, e check.Event) {
	t.Helper()
	if _, err := s.Fire(e); err != nil {
		t.Fatal(err)
	}
}

func explored(t *testing.T, cfg *world.Config) *explore.System {
	t.Helper()
	s, err := explore.New(cfg, explore.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// peek is the bytes of a variable.
func peek(t *testing.T, m *mote.Mote, name string) []byte {
	t.Helper()
	x, ok := m.Kind.Image.Symbol(name)
	if !ok {
		t.Fatalf("there is no variable %s", name)
	}
	list := make([]byte, x.Size)
	for i := range list {
		list[i] = m.Peek(uint16(x.Addr) + uint16(i))
	}
	return list
}

// The same frames on a wire with the same fates are the same characters in timed, explored and symbolic runs; by the clock, in those that have
// one, they come at the same moments.
func TestFatesOnWire(t *testing.T) {
	k := compiled(t, "fates.c")
	for fate, want := range map[reception.Fate]string{
		reception.Delivered:  "102030c0 112131c0 122232c0 132333c0",
		reception.Lost:       "102030c0 122232c0 132333c0",
		reception.Corrupted:  "102030c0 192131c0 122232c0 132333c0",
		reception.Duplicated: "102030c0 112131c0 112131c0 122232c0 132333c0",
		reception.Delayed:    "102030c0 112131c0 122232c0 132333c0", // on a wire, what comes later waits behind it
		reception.Reordered:  "102030c0 122232c0 112131c0 132333c0",
	} {
		t.Run(fmt.Sprint("fate ", fate), func(t *testing.T) {
			net, err := medium.New(2, nil)
			if err != nil {
				t.Fatal(err)
			}
			net.Wires = []medium.Wire{{A: medium.End{Mote: 0}, B: medium.End{Mote: 1}, Framing: medium.SLIP}}
			f := &fated{kind: world.ChoiceWire, number: 1, until: 25 * world.Millisecond,
				cfg: &world.Config{Motes: []world.MoteConfig{{Kind: k, ID: 0}, {Kind: k, ID: 1}}, Net: net}}
			if fate != reception.Delivered {
				f.cfg.Faults = world.Faults{{Kind: faultOf[fate], Max: 1, Mote: 1, From: world.None, To: world.None, Span: 5 * world.Millisecond}}
			}
			got := func(m *mote.Mote) string {
				text, list := "", peek(t, m, "got")[:peek(t, m, "count")[0]]
				for frame := range slices.Chunk(list, 4) {
					text += fmt.Sprintf(" %x", frame)
				}
				return text
			}
			if is := got(f.timed(t, f.answers(fate))); is != " "+want {
				t.Errorf("timed:%s, want %s", is, want)
			}
			if fate != reception.Delivered {
				f.symbolic(t, fate, func(m *mote.Mote, value func(string) uint8, answers []world.Answer) {
					same := f.timed(t, answers)
					list := peek(t, same, "got")
					for i := range list {
						if v := value(fmt.Sprintf("got[%d]", i)); v != list[i] {
							t.Errorf("symbolic: character %d is %#x, timed %#x", i, v, list[i])
						}
					}
					if a, b := peek(t, m, "when"), peek(t, same, "when"); !bytes.Equal(a, b) || m.Cycles() != same.Cycles() {
						t.Errorf("symbolic: characters come at %v, timed at %v", a, b)
					}
				})
			}
			s := explored(t, f.cfg)
			for frame := 0; ; frame++ {
				e, ok := fateOf(s, reception.Delivered)
				if frame == 1 {
					if e, ok = fateOf(s, fate); !ok && (fate == reception.Delayed || fate == reception.Reordered) {
						return // explored runs have no such frames on wires
					}
				}
				if !ok {
					break
				}
				fire(t, s, e)
				if fate == reception.Lost && frame == 1 {
					continue // all of it is gone
				}
				for range 3 {
					e, _ := fateOf(s, reception.Delivered)
					fire(t, s, e)
				}
			}
			if is := got(s.Mote(1)); is != " "+want {
				t.Errorf("explored:%s, want %s", is, want)
			}
		})
	}
}

// heardOf is what a mote has counted that others send.
func heardOf(t *testing.T, m *mote.Mote) string {
	return fmt.Sprintf("%x frames, the last one is %x", peek(t, m, "CounterC__heard"), peek(t, m, "CounterC__lastHeard"))
}

// The same frames on the air with the same fates are the same for the firmware in timed, explored and symbolic runs; in those that have a
// clock all of the mote that hears them is the same.
func TestFatesOnAir(t *testing.T) {
	const frames = 5
	k := testkit.Example(t, "counter", "micaz")
	for fate, want := range map[reception.Fate]string{
		reception.Delivered:  "0500 frames, the last one is 0500",
		reception.Lost:       "0400 frames, the last one is 0500",
		reception.Corrupted:  "0400 frames, the last one is 0500",
		reception.Duplicated: "0600 frames, the last one is 0500",
		reception.Delayed:    "0500 frames, the last one is 0300",
		reception.Reordered:  "0500 frames, the last one is 0500",
	} {
		t.Run(fmt.Sprint("fate ", fate), func(t *testing.T) {
			net, err := medium.New(2, []medium.Link{{From: 0, To: 1, GainDB: -60, Delay: 20_000}})
			if err != nil {
				t.Fatal(err)
			}
			f := &fated{kind: world.ChoiceReception, number: 2, until: 1300 * world.Millisecond,
				cfg: &world.Config{Motes: []world.MoteConfig{{Kind: k, ID: 0, BootFrom: world.Millisecond}, {Kind: k, ID: 1}}, Net: net}}
			if fate != reception.Delivered {
				f.cfg.Faults = world.Faults{{Kind: faultOf[fate], Max: 1, Mote: 1, From: world.None, To: world.None, Wire: world.None, Span: 530 * world.Millisecond}}
			}
			if is := heardOf(t, f.timed(t, f.answers(fate))); is != want {
				t.Errorf("timed: %s, want %s", is, want)
			}
			if fate != reception.Delivered {
				f.symbolic(t, fate, func(m *mote.Mote, _ func(string) uint8, answers []world.Answer) {
					same := f.timed(t, answers)
					if a, b := m.Core(), same.Core(); a.Digested() != b.Digested() || !bytes.Equal(a.RAM, b.RAM) {
						t.Errorf("symbolic: %s at cycle %d; timed: %s at cycle %d", heardOf(t, m), m.Cycles(), heardOf(t, same), same.Cycles())
					}
				})
			}
			if fate != reception.Delayed { // explored runs choose when a frame comes anyway
				f.explored(t, frames, fate, want)
			}
		})
	}
}

// explored has so many frames reach mote 1, one of them with a fate.
func (f *fated) explored(t *testing.T, frames int, fate reception.Fate, want string) {
	t.Helper()
	s := explored(t, f.cfg)
	if fate == reception.Reordered {
		frames-- // the one that was overtaken comes by itself, as does a second copy
	}
	idle := func(more int) {
		naturally(t, s, []int16{1}, func() bool { more--; return more < 0 && peek(t, s.Mote(1), "CounterC__isSending")[0] == 0 })
	}
	naturally(t, s, []int16{1}, func() bool { return peek(t, s.Mote(1), "CounterC__sent")[0] > 0 })
	for n := range frames {
		is := reception.Delivered
		if n == int(f.number) {
			is = fate
		}
		naturally(t, s, []int16{0}, func() bool { _, ok := fateOf(s, is); return ok })
		idle(0)
		e, _ := fateOf(s, is)
		fire(t, s, e)
		idle(20)
	}
	if is := heardOf(t, s.Mote(1)); is != want {
		t.Errorf("explored: %s, want %s", is, want)
	}
}

// compiled builds a test program for a MicaZ.
func compiled(t *testing.T, source string) *mote.Kind {
	t.Helper()
	elf := filepath.Join(t.TempDir(), "a.elf")
	cmd := need.Command(t, "avr-gcc", "-mmcu=atmega128", "-Os", "-gdwarf-4", "-o", elf, filepath.Join("testdata", source))
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("avr-gcc (packages gcc-avr, avr-libc): %v\n%s", err, out)
	}
	data, err := os.ReadFile(elf)
	if err != nil {
		t.Fatal(err)
	}
	im, err := image.Parse(source, data)
	if err != nil {
		t.Fatal(err)
	}
	return testkit.On(t, &board.MicaZ, im)
}
