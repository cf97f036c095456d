package cases_test

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"motehound/firmware/kernel"
	"motehound/internal/testkit"
	"motehound/mote"
	"motehound/observe/calltree"
	"motehound/observe/lifecycle"
	"motehound/observe/stray"
	"motehound/study/mining"
	"motehound/study/property"
	"motehound/world"
	"motehound/world/medium"
)

// observer begins to look at a world, and returns what gives all that it has seen when the run is over.
type observer struct {
	name  string
	begin func(t *testing.T, w *world.World) func() any
}

// miner gathers intervals, counters and what becomes of data in the motes of a mote's firmware.
func miner(of int, opt mining.Options) func(*testing.T, *world.World) func() any {
	return func(t *testing.T, w *world.World) func() any {
		t.Helper()
		field, err := mining.NewFirmware(w.Motes()[of].Kind)
		if err != nil {
			t.Fatal(err)
		}
		opt.Losses = mining.NewLossTracker(field)
		var seen []string
		h, err := field.Watch(w, 0, opt, func(iv *mining.Interval) {
			life := iv.Interval
			life.Tag = 0 // which is the miner's own affair
			seen = append(seen, fmt.Sprintf("%d %+v %v", iv.Mote, life, iv.Counts))
		})
		if err != nil {
			t.Fatal(err)
		}
		return func() any {
			stats := h.Close()
			return []any{seen, stats, opt.Losses.Losses()}
		}
	}
}

// tree is a tree of calls as text.
func tree(n *calltree.Node) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%v %s %v(", n.Kind, n.Func.Name, n.Site)
	for _, c := range n.Calls {
		b.WriteString(tree(c))
	}
	return b.String() + ")"
}

// caller gathers trees of calls, and which of them use variables.
func caller(opt calltree.Options) func(*testing.T, *world.World) func() any {
	return func(t *testing.T, w *world.World) func() any {
		t.Helper()
		var seen, touched []string
		opt.Touched = func(x calltree.Touch) { touched = append(touched, fmt.Sprintf("%+v", x)) }
		known := map[*calltree.Node]string{}
		h, err := calltree.Watch(w, calltree.NewBook(), opt, func(x calltree.Instance) {
			if known[x.Tree] == "" {
				known[x.Tree] = tree(x.Tree)
			}
			text := known[x.Tree]
			x.Tree = nil
			seen = append(seen, fmt.Sprintf("%+v %s", x, text))
		})
		if err != nil {
			t.Fatal(err)
		}
		return func() any {
			stats := h.Close()
			return []any{seen, touched, stats, h.Stats()}
		}
	}
}

func recorder(t *testing.T, w *world.World) func() any {
	t.Helper()
	items := make([][]kernel.Item, len(w.Motes()))
	if _, err := lifecycle.Record(w, func(i int, it kernel.Item) { items[i] = append(items[i], it) }); err != nil {
		t.Fatal(err)
	}
	return func() any { return items }
}

func stranger(_ *testing.T, w *world.World) func() any {
	x := stray.Watch(w)
	return func() any {
		var list []any
		for _, c := range x.Codes() {
			list = append(list, c.Share, c.Unknown, c.Ran)
		}
		return list
	}
}

// checker has all checks look, every millisecond.
func checker(t *testing.T, w *world.World) func() any {
	t.Helper()
	plan, err := property.Prepare(w.Config(), nil, property.Options{FailedPosts: true, Without: []string{"memory"}})
	if err != nil {
		t.Fatal(err)
	}
	suite, err := plan.Attach(w)
	if err != nil {
		t.Fatal(err)
	}
	return func() any {
		list, err := suite.Look(-1)
		if err != nil {
			t.Fatal(err)
		}
		return list
	}
}

var observers = []observer{
	{"miner", miner(0, mining.Options{})},
	{"miner of some", miner(0, mining.Options{Motes: []int{1}, Skip: world.Second / 2, Partial: true})},
	{"miner of others", miner(2, mining.Options{})},
	{"calls", caller(calltree.Options{})},
	{"calls of some", caller(calltree.Options{Motes: []int{1, 2}, ByStart: true, Filter: calltree.Filter{Wiring: true}})},
	{"items", recorder},
	{"strays", stranger},
	{"checks", checker},
}

// Whatever observers there are on a world, two of each among them, each sees what it sees alone, and the run is the same.
func TestObserversTogether(t *testing.T) {
	t.Parallel()
	sense, hang := testkit.Example(t, "sense", "micaz"), testkit.Example(t, "hang", "micaz")
	kinds := []*mote.Kind{sense, sense, hang, hang}
	fresh := func() *world.World {
		cfg := &world.Config{Stagger: 1000}
		for i, k := range kinds {
			cfg.Motes = append(cfg.Motes, world.MoteConfig{Kind: k, ID: uint16(i + 1)})
		}
		var err error
		if cfg.Net, err = medium.New(len(kinds), medium.Full(len(kinds), -60, 0)); err != nil {
			t.Fatal(err)
		}
		return testkit.World(t, cfg, world.Natural{Seed: 1})
	}
	const until = 3*world.Second + 137*world.Microsecond
	plain := fresh()
	plain.RunUntil(until)
	want := make([]any, len(observers))
	for i, o := range observers {
		w := fresh()
		seen := o.begin(t, w)
		w.RunUntil(until)
		want[i] = seen()
		if w.Hash() != plain.Hash() {
			t.Errorf("%s alone changes the run", o.name)
		}
		if n := len(fmt.Sprint(want[i])); n < 30 {
			t.Errorf("%s has seen nothing: %v", o.name, want[i])
		}
	}
	twice := slices.Concat(observers, observers)
	for range 2 {
		w := fresh()
		var seen []func() any
		for _, o := range twice {
			seen = append(seen, o.begin(t, w))
		}
		w.RunUntil(until)
		for i, o := range twice {
			alone := slices.IndexFunc(observers, func(x observer) bool { return x.name == o.name })
			if got := seen[i](); !reflect.DeepEqual(got, want[alone]) {
				t.Errorf("%s, number %d of all, sees something else than alone", o.name, i)
			}
		}
		if w.Hash() != plain.Hash() {
			t.Error("all together change the run")
		}
		slices.Reverse(twice)
	}
}
