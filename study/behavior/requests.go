package behavior

import (
	"cmp"
	"maps"
	"slices"

	"motehound/observe/calltree"
)

// Request is a function that a source file of the application calls in another file, the system's or its own, and the function of the file by
// which it is answered: a packet is handed over, and later the radio says that it is sent. In approved runs the answer never came without a call, and
// few calls had to be made again. In later runs calls may fail more often, and answers may be late, but they never stop for good.
type Request struct {
	File    string `json:"file"` // without its folders
	Call    string `json:"call"`
	Answer  string `json:"answer"`
	Longest uint64 `json:"longest_cycles"` // the longest wait in approved runs
}

const (
	requestLeast   = 8  // how often a call must have been answered in approved runs
	requestRefused = 8  // at most one of so many calls may be made again before there was an answer
	requestWait    = 10 // answers have stopped when the wait is so many times the longest one before
)

// requestEvent is that a file of the application calls another one, or is called by one.
type requestEvent struct {
	file string
	name string
	call bool // of another file
}

// requestEvents are those of an instance's tree, in order.
func requestEvents(tree *calltree.Node) []requestEvent {
	list := []requestEvent{}
	own := func(n *calltree.Node) bool {
		return n.Kind != calltree.Root && n.Kind != calltree.Interrupt && !n.Func.Library && n.Func.File != ""
	}
	var walk func(n *calltree.Node)
	walk = func(n *calltree.Node) {
		for _, c := range n.Calls {
			if c.Kind == calltree.Post {
				continue
			}
			if n.Kind == calltree.Root || baseName(n.Func.File) != baseName(c.Func.File) {
				if own(n) {
					list = append(list, requestEvent{baseName(n.Func.File), c.Func.Name, true})
				}
				if own(c) {
					list = append(list, requestEvent{baseName(c.Func.File), c.Func.Name, false})
				}
			}
			walk(c)
		}
	}
	walk(tree)
	return list
}

// requestMiner finds requests. What is kept is bounded by the functions and motes.
type requestMiner struct {
	book   perTree[requestEvent]
	ids    map[requestEvent]int32
	events []requestEvent
	motes  map[int]*requestMote // by index in the world, in all runs
}

// requestMote is what a mote has shown; all but pairs is by event.
type requestMote struct {
	events int        // in this run
	last   uint64     // when the last instance began
	came   []int      // in all runs
	most   []int      // in one run
	now    []int      // in this one
	at     []int      // which event of this run was its last; 0 for none
	bad    []modelSet // of a call: what comes without it
	pairs  map[[2]int32]*requestPair
}

// requestPair is a call and what may answer it.
type requestPair struct {
	since   uint64 // when the first call was made to which there is no answer yet
	refused int    // calls that were made again before there was one
	longest uint64
}

func newRequestMiner() *requestMiner {
	return &requestMiner{ids: map[requestEvent]int32{}, motes: map[int]*requestMote{}}
}

func (r *requestMiner) take(x *calltree.Instance) {
	if m := r.motes[x.Mote%motesPerRun]; m != nil {
		m.last = max(m.last, x.Start)
	}
	for _, e := range r.book.of(x.Tree, requestEvents) {
		n, ok := r.ids[e]
		if !ok {
			n = int32(len(r.events))
			r.ids[e] = n
			r.events = append(r.events, e)
		}
		i := x.Mote % motesPerRun
		m := r.motes[i]
		if m == nil {
			m = &requestMote{last: x.Start, pairs: map[[2]int32]*requestPair{}}
			r.motes[i] = m
		}
		m.grow(len(r.events))
		if e.call {
			m.call(r.events, n, x.Start)
		} else {
			m.answer(r.events, n, x.Start)
		}
		m.count(n)
	}
}

func (m *requestMote) grow(n int) {
	for len(m.now) < n {
		m.came, m.most, m.now, m.at = append(m.came, 0), append(m.most, 0), append(m.now, 0), append(m.at, 0)
		m.bad = append(m.bad, nil)
	}
}

// pair is nil if an event does not answer a call.
func (m *requestMote) pair(c, a int32) *requestPair {
	if m.bad[c].has(a) {
		return nil
	}
	k := [2]int32{c, a}
	if m.pairs[k] == nil {
		m.pairs[k] = &requestPair{}
	}
	return m.pairs[k]
}

// call begins to wait for all that may answer it. What came before the first call on this mote answers something else.
func (m *requestMote) call(events []requestEvent, c int32, start uint64) {
	for i, e := range events {
		a := int32(i)
		if e.call || e.file != events[c].file {
			continue
		}
		if m.came[c] == 0 && m.came[a] > 0 {
			m.bad[c].add(a)
		}
		p := m.pair(c, a)
		switch {
		case p == nil:
		case m.at[c] > m.at[a]:
			p.refused++
		default:
			p.since = start
		}
	}
}

// answer ends the wait of calls. It answers none of those that were not made since it came last.
func (m *requestMote) answer(events []requestEvent, a int32, start uint64) {
	for i, e := range events {
		c := int32(i)
		if !e.call || e.file != events[a].file {
			continue
		}
		switch p := m.pair(c, a); {
		case p == nil:
		case m.at[c] <= m.at[a]:
			m.bad[c].add(a)
		case m.came[a] == 0: // the calls before it were not counted
			p.refused += m.came[c] - 1
		default:
			p.longest = max(p.longest, start-min(start, p.since))
		}
	}
}

func (m *requestMote) count(n int32) {
	m.events++
	m.now[n]++
	m.came[n]++
	m.most[n] = max(m.most[n], m.now[n])
	m.at[n] = m.events
}

// next ends a run. What waits then has waited so long, and that is fine.
func (r *requestMiner) next() {
	for _, m := range r.motes { // each by itself
		for k, p := range m.pairs {
			if m.at[k[0]] > m.at[k[1]] {
				p.longest = max(p.longest, m.last-min(m.last, p.since))
			}
		}
		m.events, m.last = 0, 0
		clear(m.now)
		clear(m.at)
	}
}

func (r *requestMiner) requests() []Request {
	var list []Request
	for c, call := range r.events {
		for a, answer := range r.events {
			if !call.call || answer.call || call.file != answer.file {
				continue
			}
			if longest, ok := r.isRequest(int32(c), int32(a)); ok {
				list = append(list, Request{call.file, call.name, answer.name, longest})
			}
		}
	}
	slices.SortFunc(list, compareRequests)
	return list
}

// isRequest tells whether a call is answered on all motes that make it, and the longest wait. A call that comes once a run shows
// nothing, and one that is answered at once does not wait.
func (r *requestMiner) isRequest(c, a int32) (longest uint64, ok bool) {
	k := [2]int32{c, a}
	calls, answers, refused, turns := 0, 0, 0, 0
	for _, m := range r.motes { // all of them
		m.grow(len(r.events))
		if m.bad[c].has(a) || m.came[a] == 0 && m.came[c] > 1 {
			return 0, false
		}
		calls, answers, turns = calls+m.came[c], answers+m.came[a], max(turns, m.most[a])
		if p := m.pairs[k]; p != nil {
			refused, longest = refused+p.refused, max(longest, p.longest)
		}
	}
	return longest, answers >= requestLeast && turns > 1 && longest > 0 && refused*requestRefused <= calls
}

// requestState is how it stands with a request on a mote.
type requestState struct {
	open  bool
	x     calltree.Instance // with the first call since the last answer
	calls uint64            // since then
}

// requestChecker holds a run to requests.
type requestChecker struct {
	book     perTree[requestEvent]
	requests []Request
	longest  []uint64 // by request, in approved runs and this one
	by       map[requestEvent][]int
	states   map[ruleKey]*requestState
	last     map[int]uint64 // by mote: when its last instance began
}

func newRequestChecker(list []Request) *requestChecker {
	c := &requestChecker{requests: list, by: map[requestEvent][]int{}, states: map[ruleKey]*requestState{}, last: map[int]uint64{}}
	for i, r := range list {
		call, answer := requestEvent{r.File, r.Call, true}, requestEvent{r.File, r.Answer, false}
		c.by[call], c.by[answer] = append(c.by[call], i), append(c.by[answer], i)
		c.longest = append(c.longest, r.Longest)
	}
	return c
}

func (c *requestChecker) take(x *calltree.Instance) {
	if len(c.requests) == 0 {
		return
	}
	c.last[x.Mote] = max(c.last[x.Mote], x.Start)
	for _, e := range c.book.of(x.Tree, requestEvents) {
		for _, i := range c.by[e] {
			s := stateOf(c.states, ruleKey{x.Mote, i})
			switch {
			case !e.call:
				if s.open {
					c.longest[i] = max(c.longest[i], x.Start-min(x.Start, s.x.Start))
				}
				*s = requestState{}
			case s.open:
				s.calls++
			default:
				*s = requestState{open: true, x: *x, calls: 1}
			}
		}
	}
}

// unanswered is a request on a mote whose answers have stopped.
type unanswered struct {
	request Request
	x       calltree.Instance
	calls   uint64
}

func (c *requestChecker) isStopped(k ruleKey, s *requestState) bool {
	return s.open && c.last[k.mote]-min(c.last[k.mote], s.x.Start) > requestWait*c.longest[k.rule]
}

// judge tells whether what some event procedure calls is still answered on a mote, and in how many ways.
func (c *requestChecker) judge(mote int, tree *calltree.Node) (held bool, n int) {
	held = true
	for _, e := range c.book.of(tree, requestEvents) {
		if !e.call {
			continue
		}
		for _, i := range c.by[e] {
			if s := c.states[ruleKey{mote, i}]; s != nil {
				n++
				held = held && !c.isStopped(ruleKey{mote, i}, s)
			}
		}
	}
	return held, n
}

// stopped are the requests whose answers have stopped, in order of time, at most one of a mote: what stopped first, and of that the one that is
// usually answered soonest. What else waits there waits for that.
func (c *requestChecker) stopped() []unanswered {
	first := map[int]unanswered{}
	for k, s := range c.states { // the best of each mote
		if !c.isStopped(k, s) {
			continue
		}
		u := unanswered{c.requests[k.rule], s.x, s.calls}
		if best, has := first[k.mote]; !has || compareUnanswered(u, best) < 0 {
			first[k.mote] = u
		}
	}
	var list []unanswered
	for _, mote := range slices.Sorted(maps.Keys(first)) {
		list = append(list, first[mote])
	}
	slices.SortStableFunc(list, func(a, b unanswered) int { return cmp.Compare(a.x.Start, b.x.Start) })
	return list
}

func compareUnanswered(a, b unanswered) int {
	return cmp.Or(cmp.Compare(a.x.Start, b.x.Start), cmp.Compare(a.request.Longest, b.request.Longest), compareRequests(a.request, b.request))
}

func compareRequests(a, b Request) int {
	return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Call, b.Call), cmp.Compare(a.Answer, b.Answer))
}
