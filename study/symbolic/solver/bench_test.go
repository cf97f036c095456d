package solver

import (
	"testing"

	"motehound/study/symbolic/expr"
)

func BenchmarkFamilies(b *testing.B) {
	for _, f := range families {
		b.Run(f.name+"/builtin", func(b *testing.B) {
			for b.Loop() {
				p := expr.NewPool()
				if r, err := NewBuiltin(p, 0).Check(f.build(p), nil); r != f.want {
					b.Fatal(r, err)
				}
			}
		})
		b.Run(f.name+"/z3", func(b *testing.B) {
			for b.Loop() {
				p := expr.NewPool()
				z := needZ3(b, p)
				if r, err := z.Check(f.build(p), nil); r != f.want {
					b.Fatal(r, err)
				}
			}
		})
	}
}

// parser goes down all branches of a small packet parser, as the engine would: length field, option loop, port,
// checksum. It returns how many paths end.
func parser(p *expr.Pool, v *Solver, size int) int {
	k := func(n uint64) expr.ID { return p.Const(8, n) }
	m := newBytes(p, size)
	paths := 0
	type state struct {
		set   *Set
		model expr.Model
		at    int
	}
	work := []state{{NewSet(p), expr.Model{}, 0}}
	for len(work) > 0 {
		s := work[len(work)-1]
		work = work[:len(work)-1]
		if s.at == size {
			paths++
			continue
		}
		var cond expr.ID
		switch s.at % 4 {
		case 0:
			cond = p.Eq(p.And(m[s.at], k(0xf0)), k(0x40))
		case 1:
			cond = p.Ult(m[s.at], p.Add(m[s.at-1], k(3)))
		case 2:
			cond = p.Eq(p.Concat(m[s.at], m[s.at-1]), p.Const(16, 0x1234))
		default:
			cond = p.Eq(internetChecksum(p, m[:s.at+1]), p.Const(16, 0xffff))
		}
		for _, side := range []expr.ID{cond, p.Not(cond)} {
			if a := v.Check(s.set, side); a.Result == Sat {
				work = append(work, state{s.set.Add(side), s.model.With(a.Model), s.at + 1})
			}
		}
	}
	return paths
}

func BenchmarkParser(b *testing.B) {
	backends := []struct {
		name string
		make func(p *expr.Pool) Backend
	}{
		{"builtin", func(p *expr.Pool) Backend { return NewBuiltin(p, 0) }},
		{"z3", func(p *expr.Pool) Backend { return needZ3(b, p) }},
	}
	for _, back := range backends {
		b.Run(back.name, func(b *testing.B) {
			var st Stats
			paths := 0
			for b.Loop() {
				p := expr.NewPool()
				v := New(p, back.make(p), Config{})
				paths = parser(p, v, 10)
				st = v.Stats()
			}
			b.ReportMetric(float64(paths), "paths")
			b.ReportMetric(float64(st.Queries), "queries")
			b.ReportMetric(float64(st.Backend), "solved")
		})
	}
}

// BenchmarkLongPath follows one path with many branches that all hang together, asking for the other side at each.
func BenchmarkLongPath(b *testing.B) {
	const branches = 300
	var st Stats
	for b.Loop() {
		p := expr.NewPool()
		v := New(p, NewBuiltin(p, 0), Config{})
		m := newBytes(p, 32)
		set, model := NewSet(p), expr.Model{}
		e := p.NewEvaluator()
		for i := range branches {
			a, c := m[i%32], m[(i*7+1)%32]
			cond := p.Ult(p.Add(p.ZExt(a, 16), p.ZExt(c, 16)), p.Const(16, uint64(i*37%500)))
			e.Use(model)
			if !e.Holds(cond) {
				cond = p.Not(cond)
			}
			other := v.Check(set, p.Not(cond))
			if other.Result == Unknown {
				b.Fatal(other.Why)
			}
			if other.Result == Sat && i%3 == 0 { // go there
				cond, model = p.Not(cond), model.With(other.Model)
			}
			set = set.Add(cond)
		}
		st = v.Stats()
	}
	b.ReportMetric(float64(st.Backend), "solved")
	b.ReportMetric(float64(st.Trivial), "trivial")
}
