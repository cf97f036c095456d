package plan

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"motehound/firmware/image"
	"motehound/study/symbolic/expr"
	"motehound/study/symbolic/solver"
	"motehound/world/scenario"
)

// memory is a mote whose bytes are symbolic, or have values: a view for properties that needs no engine.
type memory struct {
	im   *image.Image
	walk *walk // nil: values
	vars map[uint32]expr.ID
	pool *expr.Pool
	ev   *expr.Evaluator
}

func (m *memory) Motes() int                { return 1 }
func (m *memory) ID(int) uint16             { return 1 }
func (m *memory) Image(int) *image.Image    { return m.im }
func (m *memory) Time() uint64              { return 0 }
func (m *memory) Alive(int) bool            { return true }
func (m *memory) LEDs(int) uint32           { return 0 }
func (m *memory) Linked(int, int) bool      { return false }
func (m *memory) FramesSent(int) uint32     { return 0 }
func (m *memory) FramesReceived(int) uint32 { return 0 }

func (m *memory) at(addr uint32) expr.ID {
	if m.vars[addr] == 0 {
		m.vars[addr] = m.pool.NewVar(fmt.Sprintf("m%x", addr), 8, "")
	}
	return m.vars[addr]
}

func (m *memory) LoadByte(_ int, addr uint32) uint8 {
	if m.walk != nil {
		return uint8(m.walk.pick(m.at(addr)))
	}
	return uint8(m.ev.Eval(m.at(addr)))
}

// unknownMemory is the same with unknown numbers.
type unknownMemory struct{ memory }

func (m *unknownMemory) Number(f scenario.Field) scenario.Unknown {
	list := make([]expr.ID, f.Size)
	for i := range f.Size {
		list[i] = m.at(f.Addr + i)
	}
	x := m.pool.ConcatBytes(list...)
	if f.BitSize > 0 {
		x = m.pool.Extract(x, int(f.BitOffset+f.BitSize)-1, int(f.BitOffset))
	}
	return &number{m.walk, x, f.Signed}
}

// formula writes random properties.
type formula struct{ *rand.Rand }

func (r formula) pick(list ...string) string { return list[r.IntN(len(list))] }

func (r formula) atom() string {
	if r.IntN(3) == 0 {
		return fmt.Sprint(r.IntN(300) - 40)
	}
	return r.pick(`n.var("a")`, `n.var("b")`, `n["c"]`, `n.var("d")`, `n.var("bits").low`, `n.var("bits").middle`, `n.var("bits").high`,
		`n.var("bits.wide")`, `n.var("list")[1]`)
}

func (r formula) number(depth int) string {
	if depth == 0 {
		return r.atom()
	}
	x := r.number(depth - 1)
	switch r.IntN(8) {
	case 0:
		return fmt.Sprintf("(-%s)", x)
	case 1:
		return fmt.Sprintf("(~%s)", x)
	case 2:
		return fmt.Sprintf("(%s %s %d)", x, r.pick("<<", ">>"), r.IntN(10))
	case 3:
		return fmt.Sprintf("(%s %s %d)", x, r.pick("//", "%"), 1<<r.IntN(8))
	case 4:
		return fmt.Sprintf("(%s if %s else %s)", x, r.truth(0), r.atom())
	}
	return fmt.Sprintf("(%s %s %s)", x, r.pick("+", "-", "&", "|", "^", "*"), r.atom())
}

func (r formula) truth(depth int) string {
	if depth > 0 {
		x, y := r.truth(depth-1), r.truth(0)
		return r.pick(fmt.Sprintf("(%s and %s)", x, y), fmt.Sprintf("(%s or %s)", x, y), fmt.Sprintf("(not %s)", x),
			fmt.Sprintf("all([%s, %s])", x, y), fmt.Sprintf("any((%s, %s))", x, y))
	}
	x, y := r.number(r.IntN(3)), r.number(r.IntN(2))
	switch r.IntN(8) {
	case 0:
		return fmt.Sprintf("(%s in [%s, %s])", x, y, r.atom())
	case 1:
		return fmt.Sprintf("(%s not in (%s, 7))", x, y)
	case 2:
		return fmt.Sprintf("([%s, 3, %s].index(%s) == 1)", x, r.atom(), "3")
	case 3:
		return fmt.Sprintf("((%s, 1) == (%s, n.var(\"bits\").high))", x, y)
	case 4:
		return fmt.Sprintf("bool(%s)", x)
	}
	return fmt.Sprintf("(%s %s %s)", x, r.pick("==", "!=", "<", "<=", ">", ">="), y)
}

// TestNumbers: a property over symbolic numbers has the answer for each input that it has over the numbers themselves.
func TestNumbers(t *testing.T) {
	t.Parallel()
	elf := built(t)
	im := imageOf(t, elf)
	r := formula{rand.New(rand.NewPCG(7, 7))}
	var text strings.Builder
	const formulas = 150
	for i := range formulas {
		fmt.Fprintf(&text, "always(\"p%d\", each(lambda n: %s))\n", i, r.truth(r.IntN(3)))
	}
	sc, err := loaded(t, elf, text.String())
	if err != nil {
		t.Fatal(err)
	}
	ways, both := 0, 0
	for i := range sc.Properties {
		p := &sc.Properties[i]
		line := strings.Split(text.String(), "\n")[i]
		pool := expr.NewPool()
		w := &walk{pool: pool, solver: solver.New(pool, solver.NewBuiltin(pool, 0), solver.Config{}), base: solver.NewSet(pool)}
		symbolic := &unknownMemory{memory{im: im, walk: w, vars: map[uint32]expr.ID{}, pool: pool}}
		eval := scenario.NewEvaluator()
		fails, err := w.violated(func() (bool, error) {
			ways++
			v, err := eval.EvaluateAt(p, symbolic, 0)
			return v.Holds, err
		})
		if err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		if _, ok := pool.Value(fails); !ok {
			both++
		}
		known := &symbolic.memory
		known.walk, known.ev = nil, pool.NewEvaluator()
		for range 40 {
			var vars []expr.VarIndex
			var values []uint64
			for v := range pool.VarCount() {
				vars, values = append(vars, expr.VarIndex(v)), append(values, uint64(r.IntN(256))&uint64(r.pick2()))
			}
			m := expr.NewModel(vars, values)
			known.ev.Use(m)
			v, err := eval.EvaluateAt(p, known, 0)
			if err != nil {
				t.Fatalf("%s: %v", line, err)
			}
			if v.Holds == known.ev.Holds(fails) {
				t.Fatalf("%s\nholds: %v; the condition against it is %s\nfor %s", line, v.Holds, pool.Format(fails), m.Format(pool))
			}
		}
	}
	if both < formulas/3 || ways < 2*formulas {
		t.Errorf("only %d of %d properties depend on inputs, %d ways", both, formulas, ways)
	}
}

// pick2 is a mask, so that small numbers come up too.
func (r formula) pick2() int { return [...]int{0, 1, 3, 0xFF, 0xFF, 0xFF}[r.IntN(6)] }
