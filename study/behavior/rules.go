package behavior

import (
	"cmp"
	"slices"

	"motehound/observe/calltree"
)

// Rule is that what the system calls one function of the application for is over when it calls another: a packet was received, and the
// one that was sent for it is out. In approved runs the two take turns. In later runs the answers may be late, as where packets wait in a
// queue, but none is missing in the end.
type Rule struct {
	Function string `json:"function"`
	Answer   string `json:"answer"`
	// Tick: one of them is a timer's. A tick has no data that could get lost, and a timer that is set again fires once; so answers may be
	// missing, as long as they do not stop.
	Tick bool `json:"tick,omitempty"`
}

// RuleResult is what a run shows of a rule.
type RuleResult struct {
	Rule
	Came     uint64 `json:"came"`
	Answered uint64 `json:"answered"`
}

const (
	ruleLeast = 8  // how often a function must have come in approved runs for a rule
	ruleHeld  = 4  // so many may still be unanswered when the run ends, and none before
	ruleLost  = 10 // so many came since there was last none without an answer: one of those before them got none
)

// entries are the functions of the application that an instance's tree has the system call, in order. What a function of the application
// has the system call meanwhile is its own doing, and left out.
func entries(tree *calltree.Node) []string {
	var list []string
	for _, c := range tree.Calls {
		switch {
		case c.Kind == calltree.Post:
		case c.Kind == calltree.Interrupt || c.Func.Library:
			list = append(list, entries(c)...)
		default:
			list = append(list, c.Func.Name)
		}
	}
	return list
}

// perTree remembers what was worked out of trees, by their ID; what is not known is nil.
type perTree[T any] [][]T

func (b *perTree[T]) of(tree *calltree.Node, work func(*calltree.Node) []T) []T {
	for len(*b) <= tree.ID {
		*b = append(*b, nil)
	}
	if (*b)[tree.ID] == nil {
		(*b)[tree.ID] = append([]T{}, work(tree)...)
	}
	return (*b)[tree.ID]
}

// ruleMiner finds rules. A rule is of motes that do both: a sink receives, and sends nothing. What is kept is bounded by the functions
// and motes.
type ruleMiner struct {
	book  perTree[string]
	ids   map[string]int
	names []string
	motes map[int]*ruleMote // by index in the world, in all runs
	comes []bool            // by function: by an interrupt that is not a timer's
}

// ruleMote is what a mote has shown.
type ruleMote struct {
	now  []int // by function: how often it came in this run
	most []int // in one run
	came []int // in all
	bad  map[[2]int]bool
}

func newRuleMiner() *ruleMiner { return &ruleMiner{ids: map[string]int{}, motes: map[int]*ruleMote{}} }

func (r *ruleMiner) take(x *calltree.Instance, timer bool) {
	for _, name := range r.book.of(x.Tree, entries) {
		f, ok := r.ids[name]
		if !ok {
			f = len(r.names)
			r.ids[name] = f
			r.names, r.comes = append(r.names, name), append(r.comes, false)
		}
		r.comes[f] = r.comes[f] || !timer
		i := x.Mote % motesPerRun
		m := r.motes[i]
		if m == nil {
			m = &ruleMote{bad: map[[2]int]bool{}}
			r.motes[i] = m
		}
		m.add(f)
	}
}

// add has a function come. One that comes for the first time has answered nothing before.
func (m *ruleMote) add(f int) {
	for len(m.now) <= f {
		m.now, m.most, m.came = append(m.now, 0), append(m.most, 0), append(m.came, 0)
	}
	if m.came[f] == 0 {
		for g, most := range m.most {
			if most > 1 {
				m.bad[[2]int{g, f}] = true
			}
		}
	}
	m.now[f]++
	m.came[f]++
	m.most[f] = max(m.most[f], m.now[f])
	for g, n := range m.now {
		if m.now[f] > n+1 {
			m.bad[[2]int{f, g}] = true
		}
		if m.now[f] > n && g != f {
			m.bad[[2]int{g, f}] = true
		}
	}
}

// next ends a run.
func (r *ruleMiner) next() {
	for _, m := range r.motes { // each by itself
		clear(m.now)
	}
}

func (r *ruleMiner) rules() []Rule {
	var list []Rule
	for a := range r.names {
		for b := range r.names {
			if a != b && r.isRule(a, b) {
				list = append(list, Rule{r.names[a], r.names[b], !r.comes[a] || !r.comes[b]})
			}
		}
	}
	slices.SortFunc(list, compareRules)
	return list
}

// isRule tells whether on all motes that have both functions one answers the other. What comes once a run does not take turns.
func (r *ruleMiner) isRule(a, b int) bool {
	came, turns := 0, 0
	for _, m := range r.motes { // any of them
		if max(a, b) >= len(m.came) || m.came[a] == 0 || m.came[b] == 0 {
			continue
		}
		if m.bad[[2]int{a, b}] {
			return false
		}
		came, turns = came+m.came[a], max(turns, m.most[a])
	}
	return came >= ruleLeast && turns > 1
}

// ruleState is how it stands with a rule on a mote.
type ruleState struct {
	open, since    int
	came, answered uint64
}

type ruleKey struct{ mote, rule int }

// ruleChecker holds a run to rules.
type ruleChecker struct {
	book   perTree[string]
	rules  []Rule
	by     map[string][]int // rules with a function on either side
	states map[ruleKey]*ruleState
}

func newRuleChecker(rules []Rule) *ruleChecker {
	c := &ruleChecker{rules: rules, by: map[string][]int{}, states: map[ruleKey]*ruleState{}}
	for i, r := range rules {
		c.by[r.Function] = append(c.by[r.Function], i)
		c.by[r.Answer] = append(c.by[r.Answer], i)
	}
	return c
}

// stateOf is the state of a rule on a mote, a new one if there is none.
func stateOf[S any](states map[ruleKey]*S, k ruleKey) *S {
	if states[k] == nil {
		states[k] = new(S)
	}
	return states[k]
}

func (c *ruleChecker) take(x *calltree.Instance) {
	if len(c.rules) == 0 {
		return
	}
	for _, name := range c.book.of(x.Tree, entries) {
		for _, i := range c.by[name] {
			s := stateOf(c.states, ruleKey{x.Mote, i})
			if c.rules[i].Function == name {
				s.came++
				s.open++
				s.since++
				continue
			}
			s.answered++
			if s.open = max(s.open-1, 0); s.open == 0 || c.rules[i].Tick {
				s.open = 0
				s.since = 0
			}
		}
	}
}

// judge tells how the rules about some functions fared on a mote: whether all of them held, how many there are, and one that was broken.
func (c *ruleChecker) judge(mote int, functions []string) (held bool, n int, broken *RuleResult) {
	held = true
	for _, f := range functions {
		for _, i := range c.by[f] {
			s := c.states[ruleKey{mote, i}]
			if s == nil || s.came == 0 || s.answered == 0 {
				continue
			}
			n++
			if s.open > 0 && s.since >= ruleLost {
				return false, n, &RuleResult{c.rules[i], s.came, s.answered}
			}
			held = held && s.since <= ruleHeld
		}
	}
	return held, n, nil
}

func compareRules(a, b Rule) int {
	return cmp.Or(cmp.Compare(a.Function, b.Function), cmp.Compare(a.Answer, b.Answer))
}
