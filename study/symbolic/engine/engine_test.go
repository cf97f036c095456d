package engine

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"motehound/firmware/image"
	"motehound/internal/need"
	"motehound/mote"
	"motehound/mote/board"
	"motehound/study/symbolic/core"
	"motehound/study/symbolic/expr"
	"motehound/study/symbolic/mapping"
	"motehound/study/symbolic/solver"
	"motehound/world"
	"motehound/world/medium"
)

// compile builds a program of testdata for a MicaZ.
func compile(t testing.TB, source string, flags ...string) *mote.Kind {
	t.Helper()
	elf := filepath.Join(t.TempDir(), "a.elf")
	args := append([]string{"-mmcu=atmega128", "-Os", "-gdwarf-4", "-I../../../examples", "-o", elf, filepath.Join("testdata", source)}, flags...)
	if out, err := need.Command(t, "avr-gcc", args...).CombinedOutput(); err != nil {
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
	k, err := mote.NewKind(&board.MicaZ, im, nil)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// ports is two motes on a wire.
func ports(t testing.TB, k *mote.Kind, faults ...world.Fault) *world.Config {
	t.Helper()
	net, err := medium.New(2, nil)
	if err != nil {
		t.Fatal(err)
	}
	net.Wires = []medium.Wire{{A: medium.End{Mote: 0}, B: medium.End{Mote: 1}, Framing: medium.SLIP}}
	return &world.Config{Motes: []world.MoteConfig{{Kind: k, ID: 0}, {Kind: k, ID: 1}}, Net: net, Faults: faults}
}

// run explores.
func run(t testing.TB, w *world.Config, a *mapping.Algorithm, until uint64) *Engine {
	t.Helper()
	pool := expr.NewPool()
	e, err := New(Config{World: w, Until: until, Mapping: a, Core: core.Config{Pool: pool, Verify: true,
		Solver: queries.Solver(pool, solver.Config{})}})
	if err != nil {
		t.Fatal(err)
	}
	if err := e.Run(); err != nil {
		t.Fatal(err)
	}
	if s := e.Stats(); s.Stopped != "" {
		t.Fatal(s.Stopped)
	}
	return e
}

// number is a variable of a mote of a world.
func number(t testing.TB, m *mote.Mote, path string) int64 {
	t.Helper()
	ref, err := m.Kind.Image.Lookup(path)
	if err != nil {
		t.Fatal(err)
	}
	v, err := ref.Read(m.Memory())
	if err != nil {
		t.Fatal(err)
	}
	return v.Int()
}

// outcomes counts the outcomes by how they end, each run again without symbolic inputs: there everything must be the same.
func outcomes(t testing.TB, e *Engine, until uint64, vars ...string) map[string]int {
	t.Helper()
	list, more := e.Outcomes(1000, noHurry)
	if more {
		t.Fatal("more than 1000 outcomes")
	}
	count := map[string]int{}
	for _, sc := range list {
		w, err := e.Replay(sc.Way())
		if err != nil {
			t.Fatal(err)
		}
		w.RunUntil(until)
		var key string
		for i, id := range sc.States {
			s, ok := e.State(id)
			if !ok {
				t.Fatalf("state %d is gone", id)
			}
			for _, v := range vars {
				is, want := number(t, s.Machine(), v), number(t, w.Motes()[i], v)
				if is != want {
					t.Errorf("%s of mote %d is %d, and when it is run again %d (answers %v)", v, i, is, want, sc.Answers)
				}
				key += string(rune('0' + is))
			}
		}
		count[key]++
	}
	return count
}

// confirm runs a finding again.
func confirm(t testing.TB, e *Engine, f Finding) {
	t.Helper()
	if ok, err := e.confirm(f); err != nil || !ok {
		t.Errorf("%s: it does not fail when it is run again (%v)", f, err)
	}
}

// TestPorts: a symbolic port leads to three outcomes, one of which fails.
func TestPorts(t *testing.T) {
	k := compile(t, "ports.c")
	const until = 100 * world.Millisecond
	for _, a := range mapping.Algorithms {
		t.Run(a.Name, func(t *testing.T) {
			e := run(t, ports(t, k), a, until)
			found := e.Findings()
			if len(found) != 1 || found[0].Mote != 1 || found[0].Kind != core.Assertion {
				t.Errorf("found %v, want the assertion at the server", found)
			}
			for _, f := range found {
				confirm(t, e, f)
			}
			if serve, ok := k.Image.Symbol("__vector_18"); !ok || !slices.Contains(e.Reached(1), serve.Addr) {
				t.Error("the server's handler was not reached, it seems")
			}
			count := outcomes(t, e, until, "state", "served")
			if len(count) != 2 || count["2001"] != 1 || count["3001"] != 1 {
				t.Errorf("outcomes end as %v, want one that is open and one that is refused", count)
			}
			t.Logf("%+v %+v, %d states, %d dstates, left %v", e.Stats(), e.Explorer().Stats(), e.g.mapping.States(), e.g.mapping.Dstates(), e.Explorer().LeftOut())
		})
	}
}

// TestChecks: at the end the client must not believe that its port is open unless the server has served it; and, which is wrong, that the
// server has served it once only.
func TestChecks(t *testing.T) {
	k := compile(t, "ports.c")
	const until = 300 * world.Millisecond
	opened := func(v View, served uint64) (expr.ID, error) {
		state, err := v.value(0, "state")
		if err != nil {
			return 0, err
		}
		count, err := v.value(1, "served")
		if err != nil {
			return 0, err
		}
		p := v.Pool
		some := p.Ult(p.Const(8, 0), count)
		if served != 0 {
			some = p.Eq(count, p.Const(8, served))
		}
		return p.Or(p.Ne(state, p.Const(8, 2)), some), nil
	}
	checks := []Check{
		{Name: "open means served", At: until, Motes: []int{0, 1}, Holds: func(v View) (expr.ID, error) { return opened(v, 0) }},
		{Name: "open means served once", At: until, Motes: []int{0, 1}, Holds: func(v View) (expr.ID, error) { return opened(v, 1) }},
		{Name: "nobody is asked yet", At: until / 100, Motes: []int{0}, Holds: func(v View) (expr.ID, error) {
			x, err := v.value(0, "state")
			return v.Pool.Eq(x, v.Pool.Const(8, 0)), err
		}},
	}
	e := explored(t, Config{World: ports(t, k, onWire(world.Lose, 1)), Until: until, Checks: checks})
	found := slices.DeleteFunc(e.Findings(), func(f Finding) bool { return f.Kind != core.Distributed })
	if len(found) == 0 {
		t.Error("nothing is found, though an answer can be lost and the port be served twice")
	}
	for _, f := range found {
		if f.Message != "open means served once does not hold" {
			t.Errorf("a false alarm: %s", f)
		}
		confirm(t, e, f)
	}
}

// TestBounds: an exploration that is cut short says so.
func TestBounds(t *testing.T) {
	k := compile(t, "ports.c")
	for want, spoil := range map[string]func(*Config){
		"more than 5 states": func(c *Config) { c.MaxStates = 5 },
		"was stopped":        func(c *Config) { c.Stop = func() bool { return true } },
		"bounded to 1.5 MiB": func(c *Config) { c.MaxBytes = 3 << 19 },
	} {
		pool := expr.NewPool()
		cfg := Config{World: ports(t, k, onWire(world.Lose, 5)), Until: world.Second,
			Core: core.Config{Pool: pool, Solver: queries.Solver(pool, solver.Config{})}}
		spoil(&cfg)
		e, err := New(cfg)
		if err != nil {
			t.Fatal(err)
		}
		if err := e.Run(); err != nil || !strings.Contains(e.Stats().Stopped, want) || e.Stats().Unfinished == 0 {
			t.Errorf("%v, %+v, want something of %q, and states that are not finished", err, e.Stats(), want)
		}
	}
}

// TestConfigRefused: what the engine cannot do it says.
func TestConfigRefused(t *testing.T) {
	k := compile(t, "ports.c")
	for want, spoil := range map[string]func(*Config){
		"no motes":          func(c *Config) { c.World = &world.Config{} },
		"drift":             func(c *Config) { c.World.Drift = 3 },
		"power failures":    func(c *Config) { c.World.Events = []world.Event{{}} },
		"changes with time": func(c *Config) { c.World.Sensors = []world.Sensor{{At: 5}} },
		"has a loss":        func(c *Config) { c.World.Net.Wires[0].Loss = 0.5 },
		"is of mote 7":      func(c *Config) { c.Vars = []Var{{7, core.Input{At: "main", Var: "port"}}} },
		"no function":       func(c *Config) { c.Vars = []Var{{0, core.Input{At: "nowhere", Var: "port"}}} },
		"said to be symb":   func(c *Config) { c.Serial = []Serial{{Symbolic: []int{3}}} },
	} {
		pool := expr.NewPool()
		cfg := Config{World: ports(t, k), Until: world.Second, Core: core.Config{Pool: pool, Solver: queries.Solver(pool, solver.Config{})}}
		spoil(&cfg)
		if _, err := New(cfg); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want something of %q", err, want)
		}
	}
}
