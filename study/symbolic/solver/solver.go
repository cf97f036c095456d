// Package solver decides whether conditions on a mote's inputs can hold together, and finds inputs for which they do.
//
// A Solver uses a Backend. The backends are Builtin, which turns bit vectors into clauses for a SAT solver in this process, and Z3,
// which exchanges SMT-LIB with the program of that name. Before the backend is asked, in this order: a Set keeps path conditions in
// groups that share no input, so that a query includes only what concerns it; what the set implies simplifies the condition; answers to
// the same branch are remembered; recently found inputs are tried; and a cache of counter-examples knows that a subset of satisfiable
// conditions is satisfiable, and a superset of unsatisfiable ones is not.
//
// Invariants:
//   - A model is evaluated on all conditions of its query before anyone sees it. If it fails, the answer is Unknown.
//   - What was not decided is Unknown, with the reason, and counted. It is never taken for either answer.
//   - Answers depend only on the queries asked before, in their order: no host clock, no map order. Only Builtin's budget can be a
//     little off on a starved machine; see Builtin.
//   - A solver, its backend and their pool are used by one goroutine at a time.
package solver

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"motehound/study/symbolic/expr"
)

// Result is the answer to a query.
type Result uint8

// The answers.
const (
	Unknown Result = iota
	Sat            // the conditions can hold together
	Unsat          // they cannot
)

// String is the answer as SMT-LIB writes it.
func (r Result) String() string { return [...]string{"unknown", "sat", "unsat"}[r] }

// errStopped is why a query was not decided: somebody said that it is enough. It says nothing about the query, and is on no tape.
var errStopped = errors.New("the solver was stopped")

// Backend decides one conjunction. It need not remember anything.
type Backend interface {
	// Check decides whether all conditions hold under some assignment. The error says why the result is Unknown, and is
	// nil otherwise.
	Check(conditions []expr.ID) (Result, error)
	// Model is an assignment for the variables of the last query, whose result was Sat.
	Model() expr.Model
	// Core is some of the conditions of the last query, whose result was Unsat, that cannot hold together by
	// themselves. A backend that does not know returns all of them.
	Core() []expr.ID
}

// Answer is what a Solver says.
type Answer struct {
	Result Result
	// Model, when Sat, is values for those inputs that must change. A model that satisfies the set, With these, satisfies
	// the set and the condition.
	Model expr.Model
	// Why says why the result is Unknown.
	Why error
}

// Config is what can be chosen about a solver. The zero value is good.
type Config struct {
	// Clock is read before and after each query that reaches the backend, for Stats.Time. Nil leaves that at 0.
	Clock func() time.Duration
	// Record, if not nil, gets every query with its answer as SMT-LIB 2, for CrossCheck.
	Record io.Writer
	// Tape, if not nil, keeps the backend's answers; or has them, and they are taken from there (Rewind).
	Tape *Tape
	// CacheSets is how many sets of conditions are remembered; 0 is defaultCacheSets.
	CacheSets int
}

// defaultCacheSets bounds the caches to about a hundred megabytes.
const defaultCacheSets = 1 << 16

// Stats counts queries by what answered them. Solve and Values are answered in parts, so the parts may be more than the
// queries.
type Stats struct {
	Queries    int // calls of Check and Solve
	Trivial    int // the set implied the condition or its contrary
	Branch     int // the same branch, or its other side, was asked before
	Recent     int // a recent model did
	Exact      int // the same conditions were solved before
	UnsatCore  int // some of the conditions were known not to hold together
	Superset   int // a model of more conditions
	Subset     int // a model of fewer conditions happened to do
	Backend    int // none of these
	Sat, Unsat int
	Unknown    int
	Time       time.Duration // in the backend
	Why        string        // why the backend did not decide the first of the unknown ones
}

// Solver answers queries about sets of conditions.
type Solver struct {
	pool    *expr.Pool
	backend Backend
	config  Config
	stats   Stats
	eval    *expr.Evaluator
	cache   *cache
	record  *recorder

	branch      map[string][2]Answer
	branchBytes int // of its keys
}

// New makes a solver for the expressions of a pool, which the backend must know too.
func New(pool *expr.Pool, backend Backend, config Config) *Solver {
	if config.CacheSets == 0 {
		config.CacheSets = defaultCacheSets
	}
	s := &Solver{pool: pool, backend: backend, config: config, eval: pool.NewEvaluator(),
		cache: newCache(config.CacheSets), branch: map[string][2]Answer{}}
	if config.Tape != nil {
		s.backend = &taped{backend: backend, tape: config.Tape}
	}
	if config.Record != nil {
		s.record = newRecorder(pool, config.Record)
	}
	return s
}

// Stats is the counts so far.
func (s *Solver) Stats() Stats { return s.stats }

// Tape is the one of the Config.
func (s *Solver) Tape() *Tape { return s.config.Tape }

// Bytes is how much memory the caches and the tape take, about; the backend's own is not counted.
func (s *Solver) Bytes() int {
	const ofNode, ofModel, ofBranch = 96, 160, 256
	n := (len(s.cache.sat.nodes)+len(s.cache.unsat.nodes))*ofNode + len(s.cache.models)*ofModel + len(s.branch)*ofBranch + s.branchBytes
	if s.config.Tape != nil {
		n += s.config.Tape.bytes()
	}
	return n
}

// Err is what went wrong with the recording or the tape, if anything did.
func (s *Solver) Err() error {
	var errs []error
	if s.record != nil {
		errs = append(errs, s.record.err)
	}
	if s.config.Tape != nil {
		errs = append(errs, s.config.Tape.err)
	}
	return errors.Join(errs...)
}

// Check reports whether a condition can hold together with a set that is known to be satisfiable. Of a set to which
// something was added on an Unknown, ask Solve first.
func (s *Solver) Check(set *Set, cond expr.ID) Answer {
	a := s.check(set, cond)
	s.count(a)
	s.note(set, a.Result, cond)
	return a
}

// note records a query. What a wrong tape has refused was put to no solver.
func (s *Solver) note(set *Set, r Result, and ...expr.ID) {
	if s.record != nil && (s.config.Tape == nil || s.config.Tape.err == nil) {
		s.record.query(append(set.Conditions(), and...), r)
	}
}

func (s *Solver) count(a Answer) {
	s.stats.Queries++
	switch a.Result {
	case Sat:
		s.stats.Sat++
	case Unsat:
		s.stats.Unsat++
	default:
		s.stats.Unknown++
	}
}

func (s *Solver) check(set *Set, cond expr.ID) Answer {
	if err := s.pool.Err(); err != nil {
		return Answer{Why: err}
	}
	if set.contradiction {
		s.stats.Trivial++
		return Answer{Result: Unsat}
	}
	cond = set.Simplify(cond)
	if s.pool.IsTrue(cond) || s.pool.IsFalse(cond) {
		s.stats.Trivial++
		if s.pool.IsTrue(cond) {
			return Answer{Result: Sat}
		}
		return Answer{Result: Unsat}
	}
	about := set.about(s.pool.Vars(cond))
	key, side := s.branchKey(about, cond)
	known := s.branch[key]
	if known[side].Result != Unknown {
		s.stats.Branch++
		return known[side]
	}
	if known[1-side].Result == Unsat { // the set can hold, so this side can, and with the set's own model
		s.stats.Branch++
		return Answer{Result: Sat}
	}
	a := s.solve(conjuncts(s.pool, slices.Concat(about, []expr.ID{cond})))
	if a.Result != Unknown {
		if len(s.branch) >= s.config.CacheSets || s.branchBytes >= 256*s.config.CacheSets {
			clear(s.branch)
			s.branchBytes = 0
		}
		s.branchBytes += len(key)
		known[side] = a
		s.branch[key] = known
	}
	return a
}

// branchKey is the same for a condition and its negation; side says which of the two it is.
func (s *Solver) branchKey(about []expr.ID, cond expr.ID) (key string, side int) {
	if not := s.pool.Not(cond); not < cond {
		cond, side = not, 1
	}
	return setKey(about) + setKey([]expr.ID{cond}), side
}

// Solve finds a model of a whole set that may or may not be satisfiable. The model names every input of the
// set's conditions.
func (s *Solver) Solve(set *Set) Answer {
	a := s.solveSet(set)
	s.count(a)
	s.note(set, a.Result)
	return a
}

func (s *Solver) solveSet(set *Set) Answer {
	if err := s.pool.Err(); err != nil {
		return Answer{Why: err}
	}
	if set.contradiction {
		s.stats.Trivial++
		return Answer{Result: Unsat}
	}
	all := Answer{Result: Sat}
	for _, g := range set.groups {
		switch a := s.solve(slices.Clone(g.conditions)); a.Result {
		case Unsat:
			return a
		case Unknown: // another group may still refute it all
			all.Result, all.Why = Unknown, a.Why
		default:
			all.Model = all.Model.With(a.Model)
		}
	}
	if all.Result == Unknown {
		all.Model = expr.Model{}
	}
	return all
}

// Values lists values that x can have under a set, at most limit of them, in the order in which they are found. The result
// is Sat when these are all, Unknown when there are more or when the solver gave up; then why says which.
func (s *Solver) Values(set *Set, x expr.ID, limit int) (values []uint64, result Result, why error) {
	if set.contradiction {
		return nil, Sat, nil
	}
	a := s.solve(set.about(s.pool.Vars(x)))
	base, others := a.Model, s.pool.Bool(true)
	for {
		switch {
		case a.Result == Unknown:
			return values, Unknown, a.Why
		case a.Result == Unsat:
			return values, Sat, nil
		case len(values) == limit:
			return values, Unknown, fmt.Errorf("more than %d values", limit)
		}
		s.eval.Use(base.With(a.Model))
		v := s.eval.Eval(x)
		values = append(values, v)
		others = s.pool.And(others, s.pool.Ne(x, s.pool.Const(s.pool.Width(x), v)))
		a = s.Check(set, others)
	}
}

// solve decides sorted conditions: by what is known, or by the backend.
func (s *Solver) solve(conds []expr.ID) Answer {
	if len(conds) == 0 {
		return Answer{Result: Sat}
	}
	if a := s.remembered(conds); a.Result != Unknown {
		return a
	}
	s.stats.Backend++
	var begin time.Duration
	if s.config.Clock != nil {
		begin = s.config.Clock()
	}
	result, err := s.backend.Check(conds)
	if s.config.Clock != nil {
		s.stats.Time += s.config.Clock() - begin
	}
	switch result {
	case Sat:
		m := s.restrict(s.backend.Model(), conds)
		if bad := s.violated(m, conds); bad != 0 {
			return Answer{Why: fmt.Errorf("the backend's model does not satisfy %s", s.pool.Format(bad))}
		}
		s.cache.addSat(conds, m)
		return Answer{Result: Sat, Model: m}
	case Unsat:
		s.cache.addUnsat(s.backend.Core())
		return Answer{Result: Unsat}
	}
	if err == nil {
		err = errors.New("the backend did not say why")
	}
	if s.stats.Why == "" && !errors.Is(err, errStopped) {
		s.stats.Why = err.Error()
	}
	return Answer{Why: err}
}

// remembered answers from former queries, or says Unknown.
func (s *Solver) remembered(conds []expr.ID) Answer {
	if m, ok := s.cache.exact(conds); ok {
		s.stats.Exact++
		return Answer{Result: Sat, Model: m}
	}
	if s.cache.hasUnsatSubset(conds) {
		s.stats.UnsatCore++
		return Answer{Result: Unsat}
	}
	if m, ok := s.cache.satSuperset(conds); ok {
		s.stats.Superset++
		return Answer{Result: Sat, Model: s.restrict(m, conds)}
	}
	for _, m := range s.cache.recent {
		if s.violated(m, conds) == 0 {
			s.stats.Recent++
			m = s.restrict(m, conds)
			s.cache.addSat(conds, m)
			return Answer{Result: Sat, Model: m}
		}
	}
	for _, m := range s.cache.satSubsets(conds) {
		if s.violated(m, conds) == 0 {
			s.stats.Subset++
			m = s.restrict(m, conds)
			s.cache.addSat(conds, m)
			return Answer{Result: Sat, Model: m}
		}
	}
	return Answer{}
}

// violated is a condition that does not hold under the model, or 0.
func (s *Solver) violated(m expr.Model, conds []expr.ID) expr.ID {
	s.eval.Use(m)
	for _, c := range conds {
		if !s.eval.Holds(c) {
			return c
		}
	}
	return 0
}

// restrict is the model for exactly the variables of the conditions.
func (s *Solver) restrict(m expr.Model, conds []expr.ID) expr.Model {
	vars := varsOf(s.pool, conds)
	values := make([]uint64, len(vars))
	for i, v := range vars {
		values[i] = m.Value(v)
	}
	return expr.NewModel(vars, values)
}

func varsOf(p *expr.Pool, conds []expr.ID) []expr.VarIndex {
	var vars []expr.VarIndex
	for _, c := range conds {
		vars = append(vars, p.Vars(c)...)
	}
	slices.Sort(vars)
	return slices.Compact(vars)
}
