package solver

import (
	"slices"
	"strings"
	"testing"

	"motehound/study/symbolic/expr"
)

// Builtin and z3 agree on random queries; models hold, and cores cannot.
func TestBuiltinAgreesWithZ3(t *testing.T) {
	t.Parallel()
	pools, queries := 30, 60
	if testing.Short() {
		pools = 4
	}
	counts := [3]int{}
	for seed := range pools {
		m := newMaker(uint64(seed), 4)
		z := needZ3(t, m.Pool)
		b := NewBuiltin(m.Pool, -1)
		for range queries {
			for range 3 {
				m.grow()
			}
			var conds []expr.ID
			for range 1 + m.r.IntN(6) {
				conds = append(conds, m.condition())
			}
			counts[compareBackends(t, m.Pool, b, z, conds)]++
		}
		if err := z.Close(); err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("%d sat, %d unsat", counts[Sat], counts[Unsat])
	if counts[Sat] < pools*10 || counts[Unsat] < pools*10 {
		t.Error("the queries are of too few kinds")
	}
}

func compareBackends(t *testing.T, p *expr.Pool, b *Builtin, z *Z3, conds []expr.ID) Result {
	t.Helper()
	got, err := b.Check(conds)
	if err != nil {
		t.Fatal(err)
	}
	want, err := z.Check(conds)
	if err != nil {
		t.Fatal(err)
	}
	if got != want {
		t.Fatalf("builtin says %v, z3 %v to %s", got, want, text(p, conds))
	}
	if got == Sat {
		if !holds(p, b.Model(), conds) {
			t.Fatalf("builtin's model %v fails %s", b.Model(), text(p, conds))
		}
		if !holds(p, z.Model(), conds) {
			t.Fatalf("z3's model %v fails %s", z.Model(), text(p, conds))
		}
		return got
	}
	core := b.Core()
	for _, c := range core {
		if !slices.Contains(conds, c) {
			t.Fatalf("%s is in the core, not in the query", p.Format(c))
		}
	}
	if r, err := z.Check(core); err != nil || r != Unsat {
		t.Fatalf("core %s of %s is %v (%v)", text(p, core), text(p, conds), r, err)
	}
	return got
}

func text(p *expr.Pool, conds []expr.ID) string {
	var parts []string
	for _, c := range conds {
		parts = append(parts, p.Format(c))
	}
	return strings.Join(parts, "; ")
}

// family is queries of one kind that are known to be hard for some solvers.
type family struct {
	name  string
	build func(p *expr.Pool) []expr.ID
	want  Result
	short bool // z3 can do it in a second too
}

var families = []family{
	{"CRC-16 of 2 bytes", func(p *expr.Pool) []expr.ID {
		return []expr.ID{p.Eq(crc16(p, newBytes(p, 2)), p.Const(16, 0x1234))}
	}, Sat, true},
	{"CRC-16 of 6 bytes", func(p *expr.Pool) []expr.ID {
		return []expr.ID{p.Eq(crc16(p, newBytes(p, 6)), p.Const(16, 0xbeef))}
	}, Sat, false},
	{"CRC-CCITT of 8 bytes", func(p *expr.Pool) []expr.ID {
		return []expr.ID{p.Eq(crcCCITT(p, newBytes(p, 8)), p.Const(16, 0x4711))}
	}, Sat, true},
	{"CRC-CCITT: two ways to one sum", func(p *expr.Pool) []expr.ID {
		a, b := newBytes(p, 4), newBytes(p, 4)
		return []expr.ID{p.Eq(crcCCITT(p, a), crcCCITT(p, b)), p.Ne(a[0], b[0]), p.Eq(a[3], b[3])}
	}, Sat, true},
	{"CRC-16 finds every single wrong byte", func(p *expr.Pool) []expr.ID {
		m := newBytes(p, 3)
		n := slices.Clone(m)
		n[1] = p.NewVar("wrong", 8, "")
		return []expr.ID{p.Eq(crc16(p, m), crc16(p, n)), p.Ne(m[1], n[1])}
	}, Unsat, false},
	{"checksum of 8 bytes", func(p *expr.Pool) []expr.ID {
		return []expr.ID{p.Eq(internetChecksum(p, newBytes(p, 8)), p.Const(16, 0xffff))}
	}, Sat, true},
	{"a checksum with a word is never 0", func(p *expr.Pool) []expr.ID {
		m := newBytes(p, 6)
		return []expr.ID{p.Eq(internetChecksum(p, m), p.Const(16, 0)), p.Ne(m[0], p.Const(8, 0))}
	}, Unsat, true},
	{"factors", func(p *expr.Pool) []expr.ID {
		x, y := p.ZExt(p.NewVar("x", 12, ""), 24), p.ZExt(p.NewVar("y", 12, ""), 24)
		one := p.Const(24, 1)
		return []expr.ID{p.Eq(p.Mul(x, y), p.Const(24, 2039*1019)), p.Ult(one, x), p.Ult(x, y)}
	}, Sat, true},
	{"a prime has none", func(p *expr.Pool) []expr.ID {
		x, y := p.ZExt(p.NewVar("x", 8, ""), 16), p.ZExt(p.NewVar("y", 8, ""), 16)
		one := p.Const(16, 1)
		return []expr.ID{p.Eq(p.Mul(x, y), p.Const(16, 16381)), p.Ult(one, x), p.Ult(one, y)}
	}, Unsat, true},
	{"multiplication distributes", func(p *expr.Pool) []expr.ID {
		x, y, z := p.NewVar("x", 6, ""), p.NewVar("y", 6, ""), p.NewVar("z", 6, "")
		return []expr.ID{p.Ne(p.Mul(x, p.Add(y, z)), p.Add(p.Mul(x, y), p.Mul(x, z)))}
	}, Unsat, true},
	{"shifts there and back", func(p *expr.Pool) []expr.ID {
		x, by := p.NewVar("x", 16, ""), p.NewVar("by", 16, "")
		k := p.Const(16, 12)
		return []expr.ID{p.Ult(by, k), p.Ne(p.Lshr(p.Shl(x, by), by), p.And(x, p.Lshr(p.Const(16, 0xffff), by)))}
	}, Unsat, true},
	{"an arithmetic shift keeps the sign", func(p *expr.Pool) []expr.ID {
		x, by := p.NewVar("x", 16, ""), p.NewVar("by", 16, "")
		return []expr.ID{p.Ne(p.Bit(p.Ashr(x, by), 15), p.Bit(x, 15))}
	}, Unsat, true},
}

func TestHardFamilies(t *testing.T) {
	t.Parallel()
	for _, f := range families {
		t.Run(f.name, func(t *testing.T) {
			p := expr.NewPool()
			conds := f.build(p)
			b := NewBuiltin(p, 0)
			got, err := b.Check(conds)
			if err != nil || got != f.want {
				t.Fatalf("%v, want %v (%v)", got, f.want, err)
			}
			if got == Sat && !holds(p, b.Model(), conds) {
				t.Errorf("model %s fails", b.Model().Format(p))
			}
			if !f.short && testing.Short() {
				return
			}
			z := needZ3(t, p)
			if r, err := z.Check(conds); err != nil || r != f.want {
				t.Errorf("z3 says %v (%v)", r, err)
			} else if r == Sat && !holds(p, z.Model(), conds) {
				t.Errorf("z3's model %s fails", z.Model().Format(p))
			}
		})
	}
}

// The sum of the model is the one asked for by the plain computation too, not only by the package's own evaluation.
func TestCRCIsTheCRC(t *testing.T) {
	t.Parallel()
	p := expr.NewPool()
	m := newBytes(p, 9)
	e := p.NewEvaluator()
	var vars []expr.VarIndex
	var values []uint64
	for i, c := range []byte("123456789") {
		vars, values = append(vars, expr.VarIndex(i)), append(values, uint64(c))
	}
	e.Use(expr.NewModel(vars, values))
	// The check values of CRC-16/MODBUS and CRC-16/XMODEM.
	if got := e.Eval(crc16(p, m)); got != 0x4b37 {
		t.Errorf("CRC-16 %#x", got)
	}
	if got := e.Eval(crcCCITT(p, m)); got != 0x31c3 {
		t.Errorf("CRC-CCITT %#x", got)
	}
}

// hard is a query that takes much more than one step.
func hard(p *expr.Pool) []expr.ID {
	x, y := p.ZExt(p.NewVar("x", 20, ""), 40), p.ZExt(p.NewVar("y", 20, ""), 40)
	one := p.Const(40, 1)
	return []expr.ID{p.Eq(p.Mul(x, y), p.Const(40, 1048573*524287+2)), p.Ult(one, x), p.Ult(one, y)}
}

// A spent budget is Unknown, and says so; the backend goes on working, and each time the same way.
func TestBudget(t *testing.T) {
	t.Parallel()
	run := func() (int, expr.Model) {
		p := expr.NewPool()
		b := NewBuiltin(p, 5)
		r, err := b.Check(hard(p))
		if r != Unknown || err == nil || !strings.Contains(err.Error(), "budget") {
			t.Fatalf("%v, %v", r, err)
		}
		easy := []expr.ID{p.Eq(p.Mul(p.NewVar("z", 8, ""), p.Const(8, 3)), p.Const(8, 21))}
		if r, err := b.Check(easy); r != Sat || err != nil {
			t.Fatalf("after a spent budget %v, %v", r, err)
		}
		return b.Steps(), b.Model()
	}
	steps, model := run()
	again, same := run()
	if steps != again || model.Value(2) != same.Value(2) {
		t.Errorf("%d steps and %v, then %d and %v", steps, model, again, same)
	}
}

func TestZ3Limit(t *testing.T) {
	t.Parallel()
	p := expr.NewPool()
	needZ3(t, p)
	z, err := NewZ3(p, "", 20_000)
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	if r, err := z.Check(hard(p)); r != Unknown || err == nil || !strings.Contains(err.Error(), "limit") {
		t.Errorf("%v, %v", r, err)
	}
	x := p.NewVar("(odd name", 8, "")
	if r, err := z.Check([]expr.ID{p.Eq(p.Mul(x, x), p.Const(8, 49))}); r != Sat || err != nil {
		t.Errorf("then %v, %v", r, err)
	}
}

// z3 is started again when it dies; a program that is no solver gives Unknown and the reason.
func TestZ3Restarts(t *testing.T) {
	t.Parallel()
	p := expr.NewPool()
	z := needZ3(t, p)
	x := p.NewVar("x", 8, "")
	cond := []expr.ID{p.Ult(p.Const(8, 9), x)}
	for i := range 3 {
		if r, err := z.Check(cond); r != Sat || err != nil || z.Model().Value(0) < 10 {
			t.Fatalf("query %d: %v, %v", i, r, err)
		}
		if z.Starts() != i+1 {
			t.Errorf("started %d times after %d queries", z.Starts(), i+1)
		}
		if err := z.process.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		_, _ = z.process.Process.Wait()
	}
	z.abandon()
	no, err := NewZ3(p, "false", 0)
	if err != nil {
		t.Fatal(err) // every Unix has one
	}
	if r, err := no.Check(cond); r != Unknown || err == nil {
		t.Errorf("%v, %v", r, err)
	}
	if _, err := NewZ3(p, "no-such-solver", 0); err == nil || !strings.Contains(err.Error(), "install") {
		t.Errorf("error %v", err)
	}
}

// Steps is how many steps of 20,000 propagations all queries took; what is less than a step does not count.
func (b *Builtin) Steps() int { return b.steps }

// Starts is how often the program was started.
func (b *Z3) Starts() int { return b.starts }
