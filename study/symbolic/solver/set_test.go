package solver

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"motehound/study/symbolic/expr"
)

func describe(p *expr.Pool, s *Set) string {
	var groups []string
	for _, g := range s.groups {
		groups = append(groups, text(p, g.conditions))
	}
	slices.Sort(groups)
	return strings.Join(groups, " | ")
}

// Conditions are grouped by their inputs, and equalities with constants come out of their group.
func TestSetGroups(t *testing.T) {
	t.Parallel()
	p := expr.NewPool()
	a, b, c, d := p.NewVar("a", 8, ""), p.NewVar("b", 8, ""), p.NewVar("c", 8, ""), p.NewVar("d", 8, "")
	k := func(v uint64) expr.ID { return p.Const(8, v) }
	s := NewSet(p)
	steps := []struct {
		add  expr.ID
		want string
	}{
		{p.Ult(a, b), "a < b"},
		{p.Ult(c, d), "a < b | c < d"},
		{p.Ult(b, k(100)), "a < b; b < 0x64 | c < d"},
		{p.Ult(a, b), "a < b; b < 0x64 | c < d"},
		{p.Ult(b, c), "a < b; c < d; b < 0x64; b < c"},
		{p.Eq(b, k(50)), "a < 0x32 | b == 0x32 | c < d; 0x32 < c"},
		{p.Eq(p.Concat(a, d), p.Const(16, 0x0a3c)), "0x32 < c; c < 0x3c | a == 0xa | b == 0x32 | d == 0x3c"},
	}
	for _, st := range steps {
		s = s.Add(st.add)
		if got := describe(p, s); got != st.want {
			t.Errorf("after %s: %s, want %s", p.Format(st.add), got, st.want)
		}
	}
	if s.Len() != len(steps) || s.Conditions()[1] != steps[1].add || s.Contradiction() {
		t.Errorf("%d conditions: %s", s.Len(), text(p, s.Conditions()))
	}
	if got := p.Format(s.Simplify(p.Add(p.ZExt(a, 16), p.ZExt(c, 16)))); got != "(u16)c + 0xa" {
		t.Errorf("simplified to %s", got)
	}
	if no := s.Add(p.Eq(a, k(11))); !no.Contradiction() || no.Add(p.Ult(c, d)).Len() != s.Len()+2 {
		t.Error("a contradiction was not seen")
	}
	v := New(p, NewBuiltin(p, 0), Config{})
	no := s.Add(p.Eq(a, k(11)))
	if a := v.Check(no, p.Ult(c, d)); a.Result != Unsat {
		t.Errorf("%+v", a)
	}
	if a := v.Solve(no); a.Result != Unsat {
		t.Errorf("%+v", a)
	}
	if values, r, _ := v.Values(no, a, 3); r != Sat || values != nil {
		t.Errorf("%v, %v", values, r)
	}
}

// Subsets and supersets in the trie are those that looking at all sets finds.
func TestTrie(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	draw := func(most int) []expr.ID {
		var set []expr.ID
		for range 1 + r.IntN(most) {
			set = append(set, expr.ID(1+r.IntN(12)))
		}
		slices.Sort(set)
		return slices.Compact(set)
	}
	contains := func(a, b []expr.ID) bool { // b within a
		return !slices.ContainsFunc(b, func(x expr.ID) bool { return !slices.Contains(a, x) })
	}
	for range 200 {
		tr := newTrie()
		var sets [][]expr.ID
		for i := range 20 {
			set := draw(5)
			if tr.get(set) < 0 {
				tr.insert(set, i)
			}
			sets = append(sets, set)
		}
		for range 50 {
			q := draw(7)
			var within []int
			tr.subsets(q, func(v int) bool {
				within = append(within, v)
				return true
			})
			above := tr.superset(q)
			wantAbove := false
			for i, set := range sets {
				first := slices.IndexFunc(sets, func(o []expr.ID) bool { return slices.Equal(o, set) })
				if i == first && contains(q, set) != slices.Contains(within, i) {
					t.Fatalf("%v within %v: %v", set, q, within)
				}
				wantAbove = wantAbove || contains(set, q)
			}
			if (above >= 0) != wantAbove || above >= 0 && !contains(sets[above], q) {
				t.Fatalf("superset of %v: %d", q, above)
			}
		}
	}
}

// Contradictions that show only when an equality is put into what was there.
func TestSetContradictions(t *testing.T) {
	t.Parallel()
	p := expr.NewPool()
	a, b := p.NewVar("a", 8, ""), p.NewVar("b", 8, "")
	k := func(v uint64) expr.ID { return p.Const(8, v) }
	for _, conds := range [][]expr.ID{
		{p.Eq(p.Add(a, b), k(7)), p.Ult(b, k(2)), p.Eq(a, k(5))},
		{p.Ule(k(9), p.Mul(b, k(3))), p.Ult(p.Mul(a, b), k(9)), p.Eq(a, k(3))},
		{p.Eq(a, b), p.Eq(a, k(1)), p.Eq(b, k(2))},
	} {
		s := NewSet(p)
		for i, c := range conds {
			if s.Contradiction() {
				t.Errorf("%s contradicts itself after %d", text(p, conds), i)
			}
			s = s.Add(c)
		}
		if !s.Contradiction() {
			t.Errorf("%s: %s", text(p, conds), describe(p, s))
		}
	}
}

// Solve refutes a set whose contradiction only a solver sees, whatever else is in it.
func TestSolveRefutes(t *testing.T) {
	t.Parallel()
	p := expr.NewPool()
	x, y := p.NewVar("x", 8, ""), p.NewVar("y", 8, "")
	s := NewSet(p).Add(p.Ult(y, p.Const(8, 9))).Add(p.Eq(p.Mul(x, x), p.Const(8, 2)))
	if a := New(p, NewBuiltin(p, 0), Config{}).Solve(s); a.Result != Unsat || s.Contradiction() {
		t.Errorf("%v", a.Result)
	}
	if a := New(p, NewBuiltin(p, 0), Config{}).Solve(NewSet(p)); a.Result != Sat || a.Model.Len() != 0 {
		t.Errorf("the empty set is %v", a.Result)
	}
}

// A search through too many sets gives up instead of taking long.
func TestTrieGivesUp(t *testing.T) {
	t.Parallel()
	tr := newTrie()
	for i := range 3 * searchSteps {
		tr.insert([]expr.ID{expr.ID(i + 1)}, i)
	}
	if v := tr.superset([]expr.ID{expr.ID(3 * searchSteps)}); v >= 0 {
		t.Errorf("found %d without looking at the others", v)
	}
	if v := tr.superset([]expr.ID{5}); v != 4 {
		t.Errorf("found %d for 5", v)
	}
	n := 0
	all := make([]expr.ID, 3*searchSteps)
	for i := range all {
		all[i] = expr.ID(i + 1)
	}
	tr.subsets(all, func(int) bool { n++; return true })
	if n == 0 || n > searchSteps {
		t.Errorf("%d subsets", n)
	}
}

// Len is how many conditions were added.
func (s *Set) Len() int { return s.length }
