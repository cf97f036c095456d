package engine

import (
	"fmt"
	"maps"
	"slices"
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
	cfg.Core.Pool, cfg.Core.Solver = pool, queries.Solver(pool, solver.Config{})
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
	t.Logf("%+v %+v, %d outcomes", e.Stats(), e.Explorer().Stats(), total)
	if total < 9 {
		t.Errorf("%d outcomes, want three for each of two readings at least", total)
	}
}

// limits is a tree of five motes that collect readings and do something about them: 0 is the root, 3 behind 1, 4 behind 2. The first
// readings of 3 and 4 are symbolic.
func limits(t testing.TB, count int) Config {
	t.Helper()
	f, ok := examples.Find("limits", "micaz")
	if !ok {
		t.Fatal("there is no example limits")
	}
	k := example(t, f)
	net, err := medium.New(5, slices.Concat(medium.Both(0, 1, -60, 0), medium.Both(0, 2, -60, 0), medium.Both(1, 3, -60, 0), medium.Both(2, 4, -60, 0)))
	if err != nil {
		t.Fatal(err)
	}
	cfg := Config{World: &world.Config{Net: net}, Until: 5 * world.Second}
	for i := range 5 {
		cfg.World.Motes = append(cfg.World.Motes, world.MoteConfig{Kind: k, ID: uint16(i), BootFrom: uint64(i) * 7 * world.Millisecond, Drift: int32(i)})
		switch {
		case i > 2:
			cfg.Readings = append(cfg.Readings, Reading{i, core.Sensor{Channel: 1, Name: "light", Value: 500, Count: count}})
		case i > 0:
			cfg.World.Sensors = append(cfg.World.Sensors, world.Sensor{Mote: i, Channel: 1, Value: 400})
		}
	}
	return cfg
}

// TestSDS: where motes do most things by themselves, sds runs far less than cob, and finds the same.
func TestSDS(t *testing.T) {
	if testing.Short() {
		t.Skip("cob has 256 outcomes of five motes")
	}
	cfg := limits(t, 2)
	ends := map[*mapping.Algorithm]map[string]int{}
	ran := map[*mapping.Algorithm]uint64{}
	for _, a := range []*mapping.Algorithm{&mapping.SDS, &mapping.COB} {
		cfg.Mapping = a
		e := explored(t, cfg)
		ran[a] = e.Stats().Instructions
		ends[a] = map[string]int{}
		list, more := e.Outcomes(1000, noHurry)
		if more {
			t.Fatal("more than 1000 outcomes")
		}
		for _, sc := range list {
			ends[a][valuesOf(t, e, sc, "LimitsC__made", "LimitsC__cold", "LimitsC__warm", "LimitsC__fires", "LimitsC__alarms", "ForwarderP__forwarded",
				"LimitsC__delivered[3]", "LimitsC__delivered[4]")]++
		}
		for _, l := range e.Explorer().LeftOut() {
			t.Errorf("left out: %s", l)
		}
		t.Logf("%s: %+v, %d states, %d dstates, %d of %d outcomes", a.Name, e.Stats(), e.g.mapping.States(), e.g.mapping.Dstates(), len(list), e.g.mapping.Count())
	}
	if !maps.Equal(ends[&mapping.SDS], ends[&mapping.COB]) || len(ends[&mapping.SDS]) < 50 {
		t.Errorf("outcomes end as %v with sds, as %v with cob", ends[&mapping.SDS], ends[&mapping.COB])
	}
	if ran[&mapping.COB] < 20*ran[&mapping.SDS] {
		t.Errorf("%d instructions with sds, only %d with cob", ran[&mapping.SDS], ran[&mapping.COB])
	}
}

// valuesOf is variables of all motes in an outcome, with its inputs.
func valuesOf(t testing.TB, e *Engine, sc Outcome, vars ...string) string {
	t.Helper()
	var key []int64
	ev := e.pool.NewEvaluator()
	ev.Use(sc.Model)
	for _, id := range sc.States {
		s, ok := e.State(id)
		if !ok {
			t.Fatalf("state %d is gone", id)
		}
		for _, v := range vars {
			x, err := s.Value(v)
			if err != nil {
				t.Fatal(err)
			}
			key = append(key, int64(ev.Eval(x)))
		}
	}
	return fmt.Sprint(key)
}

// TestSDSAgain: outcomes of sds, of states that were not parted though their readings differ, are the same when they are run again.
func TestSDSAgain(t *testing.T) {
	cfg := limits(t, 1)
	e := explored(t, cfg)
	count := outcomes(t, e, cfg.Until, "LimitsC__made", "LimitsC__cold", "LimitsC__warm", "LimitsC__fires", "LimitsC__alarms", "ForwarderP__forwarded")
	total := 0
	for _, n := range count {
		total += n
	}
	if total != 16 || len(count) != 15 {
		t.Errorf("%d outcomes end as %v, want four ways for each of two readings; the root cannot tell who burns", total, count)
	}
}

func noHurry() bool { return false }
