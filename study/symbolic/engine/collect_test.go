package engine

import (
	"maps"
	"testing"

	"motehound/examples"
	"motehound/study/symbolic/core"
	"motehound/study/symbolic/expr"
	"motehound/study/symbolic/mapping"
	"motehound/study/symbolic/solver"
	"motehound/world"
	"motehound/world/medium"
)

// explored runs a config to its end.
func explored(t testing.TB, cfg Config) *Engine {
	t.Helper()
	pool := expr.NewPool()
	cfg.Core.Pool, cfg.Core.Solver = pool, solver.New(pool, solver.NewBuiltin(pool, 0), solver.Config{})
	e, err := New(cfg)
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

// TestRadio: symbolic readings go over the air to the root, whose serial port escapes some values.
func TestRadio(t *testing.T) {
	f, ok := examples.Find("collect", "micaz")
	if !ok {
		t.Fatal("there is no example collect")
	}
	k := example(t, f)
	const until = 3 * world.Second
	reading := func(mote int, v uint16) Reading {
		return Reading{mote, core.Sensor{Channel: 1, Name: "light", Value: v, Count: 1}}
	}
	e := explored(t, Config{World: lineOf(t, k, 3), Until: until, Readings: []Reading{reading(1, 300), reading(2, 400)}})
	for _, l := range e.Explorer().LeftOut() {
		t.Errorf("left out: %s", l)
	}
	count := outcomes(t, e, until, "CollectC__made", "CollectC__reported", "CollectC__notReported")
	total := 0
	for _, n := range count {
		total += n
	}
	t.Logf("%+v %+v, %d scenarios", e.Stats(), e.Explorer().Stats(), total)
	if total < 9 {
		t.Errorf("%d scenarios, want three for each of two readings at least", total)
	}
}

// TestSDS: where motes branch by themselves, sds runs far less than cob, and finds the same.
func TestSDS(t *testing.T) {
	k := compile(t, "chain.c")
	const until = 150 * world.Millisecond
	net, err := medium.New(5, nil)
	if err != nil {
		t.Fatal(err)
	}
	cfg := &world.Config{Net: net}
	for i := range 5 {
		cfg.Motes = append(cfg.Motes, world.MoteConfig{Kind: k, ID: uint16(i)})
		if i > 0 {
			net.Wires = append(net.Wires, medium.Wire{A: medium.End{Mote: i - 1, USART: 1}, B: medium.End{Mote: i}, Framing: medium.SLIP})
		}
	}
	var readings []Reading
	for i, count := range []int{3, 2} {
		readings = append(readings, Reading{3 + i, core.Sensor{Channel: 2, Name: "light", Value: 500, Count: count}})
	}
	ends := map[*mapping.Algorithm]map[string]int{}
	ran := map[*mapping.Algorithm]uint64{}
	for _, a := range []*mapping.Algorithm{&mapping.SDS, &mapping.COB} {
		e := explored(t, Config{World: cfg, Until: until, Readings: readings, Mapping: a})
		ran[a] = e.Stats().Instructions
		ends[a] = outcomes(t, e, until, "low", "high", "taken", "reports", "alarms")
		t.Logf("%s: %+v, %d states, %d dstates, %d scenarios", a.Name, e.Stats(), e.Mapping().States(), e.Mapping().Dstates(), e.Mapping().Count())
	}
	if !maps.Equal(ends[&mapping.SDS], ends[&mapping.COB]) {
		t.Errorf("scenarios end as %v with sds, as %v with cob", ends[&mapping.SDS], ends[&mapping.COB])
	}
	if ran[&mapping.COB] < 20*ran[&mapping.SDS] {
		t.Errorf("%d instructions with sds, only %d with cob", ran[&mapping.SDS], ran[&mapping.COB])
	}
}
