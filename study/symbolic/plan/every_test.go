package plan

import (
	"fmt"
	"os"
	"testing"

	"motehound/study/symbolic/engine"
	"motehound/study/symbolic/expr"
	"motehound/study/symbolic/solver"
	"motehound/world"
	"motehound/world/recipe"
)

// TestEveryValue: an input of one byte has 256 values. Each of them is run without anything symbolic, and violates what the conditions of
// the findings say, and ends like the one scenario whose conditions it meets.
func TestEveryValue(t *testing.T) {
	t.Parallel()
	elf := built(t)
	p, err := planned(t, elf, symbolicInput+`
at_line(`+lineOf(t, "taken")+`, lambda n: n.var("half") != n.var("input") - n.var("half") or n.var("input") in [4, 8, 100], name = "line")
at_call("halve", lambda n: (n.var("input") & 0x18) >> 3 != 2 and n.var("input") ^ 0x55 > 3, name = "call")
at_time("10ms", "time", each(lambda n: not n.var("taken") or (n.var("half"), 1) != (60, n.var("taken"))))
`, Options{})
	if err != nil {
		t.Fatal(err)
	}
	e, err := engine.New(p.engine)
	if err != nil {
		t.Fatal(err)
	}
	if err := e.Run(); err != nil {
		t.Fatal(err)
	}
	scenarios, more := e.Scenarios(100, p.rest)
	if more || len(scenarios) != 2 {
		t.Fatalf("%d scenarios", len(scenarios))
	}
	ev := p.pool.NewEvaluator()
	meets := func(set *solver.Set) bool {
		for _, c := range set.Conditions() {
			if !ev.Holds(c) {
				return false
			}
		}
		return true
	}
	input, bad := scenarios[0].Inputs[0].Bytes[0], 0
	index, ok := p.pool.VarOf(input)
	if !ok {
		t.Fatal("the input is no variable")
	}
	for value := range uint64(256) {
		ev.Use(expr.NewModel([]expr.VarIndex{index}, []uint64{value}))
		for _, name := range []string{"line", "call", "time"} {
			said := false
			for _, f := range e.Findings() {
				said = said || f.Check.Name == name && meets(f.All)
			}
			if is := violates(t, p, scenarios[0].Inputs[0].PC, scenarios[0].Inputs[0].Addr, value, name); is != said {
				t.Errorf("input %d violates %q: %v, but the condition says %v", value, name, is, said)
			} else if is {
				bad++
			}
		}
		in := 0
		for _, s := range scenarios {
			if meets(s.All) {
				in++
			}
		}
		if in != 1 {
			t.Errorf("input %d is in %d scenarios", value, in)
		}
	}
	if bad < 50 {
		t.Errorf("only %d violations", bad)
	}
}

// violates runs the plan's motes with one value of the input, and looks at a property.
func violates(t *testing.T, p *Plan, pc uint32, addr uint16, value uint64, name string) bool {
	t.Helper()
	rec := *p.base
	rec.Ordinary, rec.Until = true, 10*world.Millisecond
	rec.Pokes = []recipe.Poke{{PC: pc, Addr: addr, Hex: fmt.Sprintf("%02x", value)}}
	prop := p.property(name)
	places := []uint32{0}
	im := p.cfg.Motes[0].Kind.Image
	switch name {
	case "line":
		places = im.AddrsOf(prop.File, prop.Line)
	case "call":
		s, _ := im.Symbol(prop.Func)
		places = []uint32{s.Addr}
	}
	for _, at := range places {
		w, err := rec.World(os.ReadFile)
		if err != nil {
			t.Fatal(err)
		}
		own := rec
		own.Symbolic = &recipe.Symbolic{Property: name, Kind: KindProperty, PC: at, At: rec.Until}
		c, err := newClaim(w, &own, p.sc, nil)
		if err != nil {
			t.Fatal(err)
		}
		seen, err := c.look(p.sc, &own)
		if err != nil {
			t.Fatal(err)
		}
		if len(seen) > 0 {
			return true
		}
	}
	return false
}
