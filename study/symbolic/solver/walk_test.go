package solver

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"motehound/study/symbolic/expr"
)

// small makes conditions over inputs of so few bits that all assignments can be tried.
type small struct {
	*expr.Pool
	r      *rand.Rand
	inputs []expr.ID
	models []expr.Model
	evals  []*expr.Evaluator
}

const smallInputs, smallBits = 4, 3

func newSmall(seed uint64) *small {
	s := &small{Pool: expr.NewPool(), r: rand.New(rand.NewPCG(5, seed))}
	vars := make([]expr.VarIndex, smallInputs)
	for i := range smallInputs {
		s.inputs = append(s.inputs, s.NewVar(fmt.Sprint("in", i), smallBits, ""))
		vars[i] = expr.VarIndex(i)
	}
	for n := range 1 << (smallInputs * smallBits) {
		values := make([]uint64, smallInputs)
		for i := range values {
			values[i] = uint64(n) >> (i * smallBits) & (1<<smallBits - 1)
		}
		m := expr.NewModel(vars, values)
		e := s.NewEvaluator()
		e.Use(m)
		s.models = append(s.models, m)
		s.evals = append(s.evals, e)
	}
	return s
}

// value is an expression of 6 bits over one or two inputs.
func (s *small) value() expr.ID {
	x := s.inputs[s.r.IntN(smallInputs)]
	y := s.inputs[s.r.IntN(smallInputs)]
	if s.r.IntN(2) == 0 {
		y = x
	}
	a, b := s.ZExt(x, 6), s.SExt(y, 6)
	switch s.r.IntN(6) {
	case 0:
		return s.Add(a, b)
	case 1:
		return s.Mul(a, b)
	case 2:
		return s.Concat(x, y)
	case 3:
		return s.Xor(b, s.Const(6, s.r.Uint64()))
	case 4:
		return s.Ite(s.Ult(x, s.Const(smallBits, s.r.Uint64())), a, b)
	}
	return a
}

func (s *small) condition() expr.ID {
	a, b := s.value(), s.Const(6, s.r.Uint64())
	if s.r.IntN(3) == 0 {
		b = s.value()
	}
	rel := []func(a, b expr.ID) expr.ID{s.Eq, s.Ne, s.Ult, s.Ule, s.Slt, s.Sle}
	c := rel[s.r.IntN(len(rel))](a, b)
	if s.r.IntN(5) == 0 {
		c = s.Or(c, s.condition())
	}
	return c
}

// possible is which assignments satisfy a condition, of those given.
func (s *small) possible(among []int, c expr.ID) []int {
	var out []int
	for _, i := range among {
		if s.evals[i].Holds(c) {
			out = append(out, i)
		}
	}
	return out
}

// walk goes down random paths as the engine does: at each branch one side is what the current inputs do, the other is asked
// for. All answers are compared with trying all assignments.
func walk(t *testing.T, s *small, v *Solver, paths, depth int) {
	all := make([]int, len(s.models))
	for i := range all {
		all[i] = i
	}
	var branches []expr.ID // asked for again by later paths
	for range paths {
		set, model, left := NewSet(s.Pool), expr.Model{}, all
		for range depth {
			cond := s.condition()
			if len(branches) > 0 && s.r.IntN(2) == 0 {
				cond = branches[s.r.IntN(len(branches))]
			}
			branches = append(branches, cond)
			var options []expr.ID
			for _, side := range []expr.ID{cond, s.Not(cond)} {
				if checkSide(t, s, v, set, model, side, s.possible(left, side)) {
					options = append(options, side)
				}
			}
			side := options[s.r.IntN(len(options))]
			model = model.With(v.Check(set, side).Model)
			set = set.Add(side)
			left = s.possible(left, side)
			if !holds(s.Pool, model, set.Conditions()) {
				t.Fatalf("model %s does not follow the path", model.Format(s.Pool))
			}
		}
		compareValues(t, s, v, set, left)
	}
}

func checkSide(t *testing.T, s *small, v *Solver, set *Set, m expr.Model, side expr.ID, possible []int) bool {
	t.Helper()
	a := v.Check(set, side)
	if want := len(possible) > 0; a.Result == Unknown || a.Result == Sat != want {
		t.Fatalf("%s with %s: %v (%v), but %d assignments do", s.Format(side), text(s.Pool, set.Conditions()), a.Result,
			a.Why, len(possible))
	}
	if a.Result == Sat && !holds(s.Pool, m.With(a.Model), append(set.Conditions(), side)) {
		t.Fatalf("%s with %s: model %s", s.Format(side), text(s.Pool, set.Conditions()), a.Model.Format(s.Pool))
	}
	return a.Result == Sat
}

func compareValues(t *testing.T, s *small, v *Solver, set *Set, left []int) {
	t.Helper()
	x := s.value()
	var want []uint64
	for _, i := range left {
		want = append(want, s.evals[i].Eval(x))
	}
	slices.Sort(want)
	want = slices.Compact(want)
	got, r, why := v.Values(set, x, 64)
	slices.Sort(got)
	if r != Sat || !slices.Equal(got, want) {
		t.Fatalf("%s has values %v, want %v (%v, %v)", s.Format(x), got, want, r, why)
	}
	if len(want) > 2 {
		if got, r, why := v.Values(set, x, 2); r != Unknown || len(got) != 2 || why == nil {
			t.Fatalf("limited to 2: %v, %v, %v", got, r, why)
		}
	}
	if a := v.Solve(set); a.Result != Sat || !holds(s.Pool, a.Model, set.Conditions()) {
		t.Fatalf("solving %s: %v", text(s.Pool, set.Conditions()), a.Result)
	}
}

func TestWalksAgreeWithTryingAll(t *testing.T) {
	t.Parallel()
	seeds := 25
	if testing.Short() {
		seeds = 2
	}
	var sum Stats
	for seed := range seeds {
		s := newSmall(uint64(seed))
		v := New(s.Pool, NewBuiltin(s.Pool, -1), Config{})
		walk(t, s, v, 12, 10)
		st := v.Stats()
		sum.Queries += st.Queries
		sum.Trivial += st.Trivial
		sum.Branch += st.Branch
		sum.Recent += st.Recent
		sum.Exact += st.Exact
		sum.UnsatCore += st.UnsatCore
		sum.Superset += st.Superset
		sum.Subset += st.Subset
		sum.Backend += st.Backend
	}
	t.Logf("%+v", sum)
	for name, n := range map[string]int{"trivial": sum.Trivial, "branch": sum.Branch, "recent": sum.Recent,
		"exact": sum.Exact, "core": sum.UnsatCore, "superset": sum.Superset, "backend": sum.Backend} {
		if n == 0 {
			t.Errorf("no query was answered by %s", name)
		}
	}
}

// A full cache forgets and starts again; it does not answer otherwise.
func TestWalksWithASmallCache(t *testing.T) {
	t.Parallel()
	s := newSmall(99)
	walk(t, s, New(s.Pool, NewBuiltin(s.Pool, -1), Config{CacheSets: 3}), 8, 10)
}

func TestWalksOnZ3(t *testing.T) {
	t.Parallel()
	s := newSmall(100)
	walk(t, s, New(s.Pool, needZ3(t, s.Pool), Config{}), 2, 8)
}

// The same queries in the same order get the same answers, models and counts.
func TestSolverIsDeterministic(t *testing.T) {
	t.Parallel()
	run := func() string {
		s := newSmall(7)
		b := NewBuiltin(s.Pool, 0)
		v := New(s.Pool, b, Config{})
		walk(t, s, v, 5, 10)
		return fmt.Sprintf("%+v %v %d %d", v.Stats(), v.cache.recent, s.Len(), b.Circuits())
	}
	if a, b := run(), run(); a != b {
		t.Errorf("%s\n%s", a, b)
	}
}

// Every query of a recorded walk gets the same answer from z3, which sees neither groups nor caches. A wrong answer is seen.
func TestRecordingAgreesWithZ3(t *testing.T) {
	t.Parallel()
	var recording bytes.Buffer
	s := newSmall(8)
	needZ3(t, s.Pool)
	v := New(s.Pool, NewBuiltin(s.Pool, 0), Config{Record: &recording})
	walk(t, s, v, 8, 10)
	if err := v.Err(); err != nil {
		t.Fatal(err)
	}
	got, err := CrossCheck(bytes.NewReader(recording.Bytes()), "")
	if err != nil || got.Queries < 100 || got.Agreed != got.Queries || got.Disagree != nil {
		t.Fatalf("%+v, %v", got, err)
	}
	t.Logf("%+v", got)
	wrong := bytes.Replace(recording.Bytes(), []byte(":status sat"), []byte(":status unsat"), 1)
	if got, err := CrossCheck(bytes.NewReader(wrong), ""); err != nil || len(got.Disagree) != 1 {
		t.Errorf("%+v, %v", got, err)
	}
	cut := wrong[:len(wrong)-30]
	if _, err := CrossCheck(bytes.NewReader(cut), ""); err == nil {
		t.Error("a recording without its end was taken")
	}
}

// What a tape of something else refuses is an error, and no query: nobody was asked.
func TestWrongTapeIsNotRecorded(t *testing.T) {
	t.Parallel()
	p := expr.NewPool()
	cond := p.Ult(p.Const(8, 9), p.NewVar("x", 8, ""))
	tape := &Tape{Answers: make([]TapedAnswer, Epoch)}
	tape.Rewind()
	var recording bytes.Buffer
	v := New(p, NewBuiltin(p, 0), Config{Tape: tape, Record: &recording})
	if a := v.Check(NewSet(p), cond); a.Result != Unknown || v.Err() == nil {
		t.Errorf("%v, %v, want an error", a.Result, v.Err())
	}
	if recording.Len() != 0 {
		t.Errorf("recorded %s", recording.Bytes())
	}
}

// Unknown is counted, explained and not remembered.
func TestUnknownIsNeverDropped(t *testing.T) {
	t.Parallel()
	p := expr.NewPool()
	var now time.Duration
	v := New(p, NewBuiltin(p, 3), Config{Clock: func() time.Duration { now += time.Second; return now }})
	q := hard(p)
	set := NewSet(p)
	for _, c := range q[1:] {
		set = set.Add(c)
	}
	for range 2 {
		if a := v.Check(set, q[0]); a.Result != Unknown || a.Why == nil {
			t.Fatalf("%v, %v", a.Result, a.Why)
		}
	}
	if values, r, why := v.Values(set.Add(q[0]), p.VarID(0), 5); r != Unknown || values != nil || why == nil {
		t.Errorf("values %v, %v, %v", values, r, why)
	}
	if a := v.Solve(set.Add(q[0])); a.Result != Unknown || a.Why == nil || a.Model.Len() != 0 {
		t.Errorf("%+v", a)
	}
	if st := v.Stats(); st.Unknown != 3 || st.Queries != 3 || st.Backend < 3 || st.Time != time.Duration(st.Backend)*time.Second {
		t.Errorf("%+v", st)
	}
}

// lying is a backend whose models are wrong.
type lying struct{}

func (lying) Check([]expr.ID) (Result, error) { return Sat, nil }
func (lying) Model() expr.Model               { return expr.Model{} }
func (lying) Core() []expr.ID                 { return nil }

func TestModelsAreChecked(t *testing.T) {
	t.Parallel()
	p := expr.NewPool()
	x := p.NewVar("x", 8, "")
	a := New(p, lying{}, Config{}).Check(NewSet(p), p.Eq(p.Mul(x, x), p.Const(8, 9)))
	if a.Result != Unknown || a.Why == nil {
		t.Errorf("%+v", a)
	}
}

func TestFullPoolIsUnknown(t *testing.T) {
	t.Parallel()
	p := expr.NewPool()
	p.SetLimit(70)
	x := p.NewVar("x", 8, "")
	for i := range 20 {
		x = p.Add(p.Mul(x, x), p.Const(8, uint64(i)))
	}
	v := New(p, NewBuiltin(p, 0), Config{})
	if a := v.Check(NewSet(p), p.Eq(x, p.Const(8, 1))); a.Result != Unknown || a.Why != p.Err() {
		t.Errorf("%+v", a)
	}
	if a := v.Solve(NewSet(p)); a.Result != Unknown {
		t.Errorf("%+v", a)
	}
}

type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, errors.New("disk full") }

func TestRecordingFails(t *testing.T) {
	t.Parallel()
	p := expr.NewPool()
	x := p.NewVar("x", 8, "")
	v := New(p, NewBuiltin(p, 0), Config{Record: failing{}})
	if v.Err() != nil {
		t.Error(v.Err())
	}
	v.Check(NewSet(p), p.Ult(x, p.Const(8, 9)))
	if err := v.Err(); err == nil || !strings.Contains(err.Error(), "disk full") {
		t.Errorf("error %v", err)
	}
	if _, err := CrossCheck(strings.NewReader(""), "no-such-solver"); err == nil {
		t.Error("a missing solver cross-checked")
	}
	one := statusLine + "sat)\n"
	for _, answers := range [][]string{nil, {"sat", "sat"}, {"(error"}} {
		if a, err := compareAnswers(one, answers); err == nil {
			t.Errorf("answers %v gave %+v", answers, a)
		}
	}
	if a, err := compareAnswers(one, []string{"unknown"}); err != nil || len(a.Undecided) != 1 {
		t.Errorf("%+v, %v", a, err)
	}
}

// Circuits is how many circuits were begun.
func (b *Builtin) Circuits() int { return b.built }
