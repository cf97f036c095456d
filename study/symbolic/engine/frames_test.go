package engine

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"motehound/examples"
	"motehound/study/symbolic/core"
	"motehound/study/symbolic/expr"
	"motehound/study/symbolic/solver"
	"motehound/world"
)

// frameCase is a frame of which one byte is symbolic.
type frameCase struct {
	world *world.Config
	frame Frame
	until uint64
	tell  func(w *world.World) string // how it ends
}

// everyValue runs the network once for each value that the byte can have, without symbolic inputs: how it ends, and for how many values.
func (c frameCase) everyValue(t *testing.T) map[string]int {
	t.Helper()
	ends := map[string]int{}
	for v := range 256 {
		cfg := *c.world
		cfg.Edits = []world.Edit{{Mote: c.frame.Mote, Sent: c.frame.Sent, Wire: c.frame.Wire, Nth: c.frame.Nth, Offset: c.frame.Offset, Value: uint8(v)}}
		w, err := world.New(&cfg, world.Ordinary{})
		if err != nil {
			if c.frame.Wire == world.None || v != 0xC0 && v != 0xDB {
				t.Fatal(err)
			}
			continue
		}
		w.RunUntil(c.until)
		ends[c.tell(w)]++
	}
	return ends
}

// symbolicValue explores it, and counts for how many values the conditions of each outcome hold: these must part all values among them.
func (c frameCase) symbolicValue(t *testing.T) map[string]int {
	t.Helper()
	pool := expr.NewPool()
	s := queries.Solver(pool, solver.Config{})
	e, err := New(Config{World: c.world, Until: c.until, Frames: []Frame{c.frame}, Core: core.Config{Pool: pool, Solver: s, Verify: true}})
	if err != nil {
		t.Fatal(err)
	}
	if err := e.Run(); err != nil {
		t.Fatal(err)
	}
	for _, l := range e.Explorer().LeftOut() {
		t.Errorf("left out: %s", l)
	}
	list, _ := e.Outcomes(1000, noHurry)
	v, ok := e.inputs[inputKey{frameInput, 0, 0}]
	if !ok {
		t.Fatal("no byte has become symbolic")
	}
	ends := map[string]int{}
	for _, sc := range list {
		w, err := e.Replay(sc.Way())
		if err != nil {
			t.Fatal(err)
		}
		w.RunUntil(c.until)
		set := solver.NewSet(pool)
		for i, id := range sc.States {
			state, _ := e.State(id)
			for _, x := range state.Path().Conditions() {
				set = set.Add(x)
			}
			if a, b := state.Machine().Core(), w.Motes()[i].Core(); !bytes.Equal(a.RAM, b.RAM) || state.Machine().LEDs() != w.Motes()[i].LEDs() {
				t.Errorf("mote %d with %#x is not as it is when it is run again", i, sc.Model.Value(v))
			}
		}
		values, result, why := s.Values(set, pool.VarID(v), 256)
		if result != solver.Sat {
			t.Fatal(why)
		}
		ends[c.tell(w)] += len(values)
	}
	for _, f := range e.Findings() {
		confirm(t, e, f)
		t.Logf("%s", f)
	}
	return ends
}

// TestFrames: for one symbolic byte the outcomes stand for exactly what the 256 values do, one by one.
func TestFrames(t *testing.T) {
	f, ok := examples.Find("counter", "micaz")
	if !ok {
		t.Fatal("there is no example counter")
	}
	k := compile(t, "ports.c", "-DMOTEHOUND_OFF")
	for name, c := range map[string]frameCase{
		"air": {world: lineOf(t, example(t, f), 2), until: 1100 * world.Millisecond,
			frame: Frame{Mote: 1, Wire: world.None, Nth: 3, Offset: 12, Length: 1, Name: "counter"},
			tell: func(w *world.World) string {
				return fmt.Sprint(w.Motes()[1].LEDs(), number(t, w.Motes()[1], "CounterC__heard"))
			}},
		"sent": {world: lineOf(t, example(t, f), 3), until: 1100 * world.Millisecond,
			frame: Frame{Mote: 1, Sent: true, Wire: world.None, Nth: 3, Offset: 12, Length: 1, Name: "counter"},
			tell: func(w *world.World) string {
				return fmt.Sprint(w.Motes()[0].LEDs(), w.Motes()[2].LEDs(), number(t, w.Motes()[0], "CounterC__heard"))
			}},
		"wire": {world: ports(t, k), until: 100 * world.Millisecond,
			frame: Frame{Mote: 1, Wire: 0, Nth: 0, Offset: 0, Length: 1, Name: "port"},
			tell: func(w *world.World) string {
				return fmt.Sprint(number(t, w.Motes()[0], "state"), number(t, w.Motes()[1], "served"))
			}},
	} {
		t.Run(name, func(t *testing.T) {
			want := c.everyValue(t)
			if got := c.symbolicValue(t); !maps.Equal(got, want) {
				t.Errorf("values end as %v, one by one as %v", got, want)
			}
			if len(want) < 2 {
				t.Errorf("values end as %v, want the byte to matter", want)
			}
			t.Log(want)
		})
	}
}

// TestFramesTwice: a frame that comes twice has the same symbolic byte twice.
func TestFramesTwice(t *testing.T) {
	k := compile(t, "ports.c", "-DMOTEHOUND_OFF")
	const until = 100 * world.Millisecond
	e := explored(t, Config{World: ports(t, k, onWire(world.Duplicate, 1)), Until: until,
		Frames: []Frame{{Mote: 1, Wire: 0, Nth: 0, Offset: 0, Length: 2, Name: "request"}}})
	count := outcomes(t, e, until, "state", "served")
	t.Log(count)
	for _, f := range []Frame{{Mote: 1, Sent: true, Length: 1}, {Mote: 2, Wire: world.None, Length: 1}, {Mote: 1, Wire: 3, Length: 1}, {Mote: 1}} {
		if _, err := resumable(t, Config{World: ports(t, k), Until: until, Frames: []Frame{f}}); err == nil {
			t.Errorf("%+v is taken", f)
		}
	}
	if !slices.ContainsFunc(slices.Collect(maps.Keys(count)), func(key string) bool { return strings.HasSuffix(key, "2") }) {
		t.Errorf("outcomes end as %v, want one in which the server has served twice", count)
	}
}
