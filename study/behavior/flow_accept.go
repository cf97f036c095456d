package behavior

// acceptor follows the model sequence of one interrupt on one mote, and tells where it is not made of approved flows.
//
// The folded sequence must be flows one after the other. It may begin anywhere in a flow, since the mote was watched from
// some moment on, and end anywhere in one. Where it cannot go on, it leaves the flow in which it had got furthest. The break's
// window is from where that flow began to where a flow has ended again: from the model that did not fit on, the sequence is taken
// to be anywhere in a flow, until an end is reached. So with the flow AABAAC, the break in AABAABAAC is all of it (Figure 9).
// What comes before a flow has ended for the first time is how the mote starts up, and no break.
//
// A flow's occurrence is interleaved by what was inside its members and by what came before all of them but the first; an
// occurrence that was seen in part only does not count.
type acceptor struct {
	flows  []Pattern
	states []flowState
	next   []flowState
	index  int64 // of the step that comes next
	run    int   // how many of the same model came in a row
	last   int32

	recent []Step // steps that a window may need
	base   int64  // index of the first of them
	lost   *sequenceBreak
	from   int64 // where the lost window begins

	settled bool  // a flow has ended
	ended   []int // flows that ended with the last step and were seen whole, in their order
	touched []int32
	marks   []mark // by model

	broke       func(sequenceBreak)
	interleaved func(flows []int, model int32, inside bool, at Step)
}

// flowState is a place in a flow, with where its occurrence began; -1 if that was not seen.
type flowState struct {
	flow, pos int
	start     int64
}

// mark is when a model last interleaved, in half steps: what comes while a run goes on is after its step.
type mark struct {
	inside, before     int64
	insideAt, beforeAt Step
	touched            bool
}

// Step is one model of a folded sequence.
type Step struct {
	Model  int32
	Number uint32 // its first instance
	Start  uint64 // cycle
}

// sequenceBreak is where a model sequence is not made of approved flows.
type sequenceBreak struct {
	Window  []Step
	Odd     int  // the first in Window that does not fit
	Flow    int  // the flow that was left, -1 if it was in none
	Matched int  // how many models of that flow had come
	More    int  // steps of the window that are not kept
	Open    bool // the run ended in it
	Boot    bool // no flow had ended yet: the mote may have been starting up
}

const maxWindow = 512

func newAcceptor(flows []Pattern) *acceptor {
	a := &acceptor{flows: flows, last: -1}
	a.anywhere()
	return a
}

// anywhere makes every place in every flow possible.
func (a *acceptor) anywhere() {
	a.states = a.states[:0]
	for f, p := range a.flows {
		for i := range p {
			start := int64(-1)
			if i == 0 {
				start = a.index
			}
			a.states = append(a.states, flowState{f, i, start})
		}
	}
}

// take reads the next step, or another instance of its run.
func (a *acceptor) take(s Step, inside, before modelSet) {
	if s.Model == a.last {
		a.run++
	} else {
		a.last, a.run = s.Model, 1
	}
	if a.run > 2 {
		a.more(s, inside, before)
		return
	}
	a.note(2*a.index, s, inside, before)
	a.keep(s)
	if !a.advance(s.Model) {
		a.leave()
		a.anywhere()
		for i := range a.states {
			a.states[i].start = -1
		}
		if !a.advance(s.Model) {
			a.index++
			a.anywhere()
			return
		}
	}
	a.index++
	a.settle()
}

// more reads an instance that is folded into the last step.
func (a *acceptor) more(s Step, inside, before modelSet) {
	half := 2*(a.index-1) + 1
	a.note(half, s, inside, before)
	if len(a.ended) > 0 {
		a.tell(half)
	}
}

// note keeps what interleaved.
func (a *acceptor) note(half int64, s Step, inside, before modelSet) {
	touch := func(n int32) *mark {
		for len(a.marks) <= int(n) {
			a.marks = append(a.marks, mark{inside: -1, before: -1})
		}
		m := &a.marks[n]
		if !m.touched {
			m.touched = true
			a.touched = append(a.touched, n)
		}
		return m
	}
	inside.each(func(n int32) { m := touch(n); m.inside, m.insideAt = half, s })
	before.each(func(n int32) { m := touch(n); m.before, m.beforeAt = half, s })
}

// keep remembers a step for windows.
func (a *acceptor) keep(s Step) {
	if a.lost != nil && len(a.recent) >= maxWindow {
		a.lost.More++
		return
	}
	if a.lost == nil && len(a.recent) >= 2*maxWindow {
		a.trim()
	}
	a.recent = append(a.recent, s)
}

// trim forgets steps before the flows that go on.
func (a *acceptor) trim() {
	least := a.index
	for _, s := range a.states {
		if s.start >= 0 {
			least = min(least, s.start)
		}
	}
	if n := least - a.base; n > 0 && n <= int64(len(a.recent)) {
		a.recent = append(a.recent[:0], a.recent[n:]...)
		a.base = least
	}
}

// advance moves all states by a model; it tells whether one could.
func (a *acceptor) advance(model int32) bool {
	a.next = a.next[:0]
	for _, s := range a.states {
		if a.flows[s.flow][s.pos] == model {
			s.pos++
			a.next = a.add(a.next, s)
		}
	}
	if len(a.next) == 0 {
		return false
	}
	a.states, a.next = a.next, a.states
	return true
}

// add keeps one state for each place: the one that began last.
func (a *acceptor) add(list []flowState, s flowState) []flowState {
	for i := range list {
		if list[i].flow == s.flow && list[i].pos == s.pos {
			list[i].start = max(list[i].start, s.start)
			return list
		}
	}
	return append(list, s)
}

// settle looks which flows ended, after which any flow may begin.
func (a *acceptor) settle() {
	a.ended = a.ended[:0]
	end := false
	started := int64(-1)
	kept := a.states[:0]
	for _, s := range a.states {
		if s.pos < len(a.flows[s.flow]) {
			kept = append(kept, s)
			continue
		}
		end = true
		if s.start >= 0 {
			a.ended = append(a.ended, s.flow)
			started = max(started, s.start)
		}
	}
	a.states = kept
	if !end {
		return
	}
	a.settled = true
	if a.lost != nil {
		a.finish()
		a.states = a.states[:0] // what follows the window begins there, so that the window can be approved as it is
	}
	if len(a.ended) > 0 {
		a.tell(2 * started)
	}
	for f := range a.flows {
		a.states = a.add(a.states, flowState{f, 0, a.index})
	}
	a.forget()
}

// tell says what interleaved the flows that ended, since a half step.
func (a *acceptor) tell(since int64) {
	if a.interleaved == nil {
		return
	}
	for _, n := range a.touched {
		m := &a.marks[n]
		if m.inside >= since {
			a.interleaved(a.ended, n, true, m.insideAt)
		}
		if m.before > since || m.before == since && since%2 == 1 {
			a.interleaved(a.ended, n, false, m.beforeAt)
		}
	}
}

// forget drops marks that no flow which goes on can need.
func (a *acceptor) forget() {
	least := 2 * a.index
	for _, s := range a.states {
		if s.start >= 0 {
			least = min(least, 2*s.start)
		}
	}
	kept := a.touched[:0]
	for _, n := range a.touched {
		if m := &a.marks[n]; m.inside >= least || m.before > least {
			kept = append(kept, n)
		} else {
			m.touched = false
		}
	}
	a.touched = kept
}

// leave begins a break at the step just kept.
func (a *acceptor) leave() {
	a.ended = a.ended[:0]
	if a.lost != nil {
		return
	}
	furthest := flowState{flow: -1, start: a.index}
	for _, s := range a.states {
		if s.start < 0 { // of which no more can have come than was seen
			s.pos = min(s.pos, int(a.index-a.base))
		}
		if s.pos > furthest.pos {
			furthest = s
		}
	}
	from := furthest.start
	if from < 0 {
		from = a.base
	}
	a.lost = &sequenceBreak{Flow: furthest.flow, Matched: furthest.pos, Odd: int(a.index - from), Boot: !a.settled}
	a.from = from
	if n := from - a.base; n > 0 {
		a.recent = append(a.recent[:0], a.recent[n:]...)
		a.base = from
	}
}

// finish reports the break; its window ends with the last step.
func (a *acceptor) finish() {
	b := a.lost
	a.lost = nil
	b.Window = append([]Step(nil), a.recent...)
	a.recent, a.base = a.recent[:0], a.index
	if a.broke != nil && a.counts(b) {
		a.broke(*b)
	}
}

// counts tells whether a break is one: how a mote starts up is not held to the flows, unless it never gets into one.
func (a *acceptor) counts(b *sequenceBreak) bool {
	if !b.Boot {
		return true
	}
	longest := 0
	for _, f := range a.flows {
		longest = max(longest, len(f))
	}
	return b.Open && len(b.Window) >= 2*longest
}

// close ends the sequence.
func (a *acceptor) close() {
	if a.lost != nil {
		a.lost.Open = true
		a.finish()
	}
}
