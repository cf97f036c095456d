// Package reproduce searches for a run in the emulator that produces the trace which a mote has left. It replays what happened in the
// field.
//
// A run of the traced firmware is compared with the trace, event by event. Where they differ, the search goes back to a state shortly
// before, and changes one choice: a sensor reading, whether a frame is lost, the error of a crystal, the time of a boot; or it lets
// the host send something that it may send. The run that has matched most of the trace so far is tried first.
//
// Invariants: a run that is returned was repeated from its beginning, and matched the whole trace, in order, with nothing else in
// between; the search depends only on the problem, except for Stop; a search that found nothing has proved nothing.
package reproduce

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"motehound/world"
)

// Problem is what is looked for, and where.
type Problem struct {
	Config  *world.Config
	Chooser world.Chooser // answers what the search has no reason to answer otherwise
	Mote    int           // whose trace it is
	Target  *Target
	May     []world.Serial // what may come from outside, any time and any number of times; At means nothing
	Until   uint64         // no run is longer
	Tries   int            // no more runs, or parts of runs
	Stop    func() bool    // time is up; may be nil
	Tell    func(tries, shown int)
}

// Result is what was found.
type Result struct {
	Found   bool
	Answers []world.Answer // that differ from the Chooser's
	Serial  []world.Serial // besides the Config's
	Time    uint64         // when all was shown
	Tries   int

	// Shown is how many of the Total items of the trace the best run has shown.
	Shown, Total int
	// Want and Got are where that one went wrong: what the trace says and what came instead; Got is nil if nothing came.
	Want, Got *Item

	// Others is how many other runs were tried once one was found, and Fit how many of them show the trace, too.
	Others, Fit int
}

// node is a run that went wrong.
type node struct {
	answers map[key]uint32
	serial  []world.Serial
	skip    map[int]int
	states  []kept
	asked   []question
	progress
	at    uint64 // when
	debt  int    // how often a change on the way here made it worse, in the hope of better
	moves []move
	next  int
	round int
	tried map[move]bool
}

// score is which node is to be mended first: the one that got farthest, but not for ever.
func (n *node) score() int { return n.match.pos - 40*(1<<n.round-1) - 8*n.debt }

// like reports whether two runs went wrong in the same way: what differs between them has nothing to do with it.
func (n *node) like(m *node) bool {
	return n.match.pos == m.match.pos && n.match.got == m.match.got && n.at == m.at
}

// chosen is all that was chosen, as text.
func (n *node) chosen() string {
	var b strings.Builder
	for _, k := range slices.SortedFunc(maps.Keys(n.answers), compareKeys) {
		fmt.Fprint(&b, k, n.answers[k])
	}
	for _, x := range n.serial {
		fmt.Fprint(&b, x.At, x.Bytes)
	}
	fmt.Fprint(&b, n.skip) // in order of its keys
	return b.String()
}

// begins is how a run begins that its parent's, with another answer before anything runs, becomes: what was chosen later there is not known
// to be right here.
func (n *node) begins(from *node) string {
	var b strings.Builder
	fmt.Fprint(&b, "begin")
	for _, q := range from.asked {
		if k := keyOf(q.Choice); q.at == 0 {
			answer, ok := n.answers[k]
			if !ok {
				answer = q.answer
			}
			fmt.Fprint(&b, k, answer)
		}
	}
	return b.String()
}

// maxNodes is how many runs are kept to be mended; the best ones.
const maxNodes = 300

type search struct {
	*runner
	nodes []*node
	best  *node
	tries int
	seen  map[string]bool // what was tried already, by all that was chosen
	// vain is how often other answers to questions of a kind and mote have changed nothing, as long as they never did.
	vain map[subject]int
}

// subject is what questions are about.
type subject struct {
	kind world.ChoiceKind
	mote int
}

// Search looks for a run.
func Search(p Problem) (*Result, error) {
	if p.Mote < 0 || p.Mote >= len(p.Config.Motes) {
		return nil, fmt.Errorf("there is no mote %d", p.Mote)
	}
	r, err := newRunner(&p)
	if err != nil {
		return nil, err
	}
	s := &search{runner: r, seen: map[string]bool{}, vain: map[subject]int{}}
	first, err := s.try(nil, move{})
	if err != nil {
		return nil, err
	}
	found := first
	for found == nil && !s.over() {
		n := s.choose()
		if n == nil {
			break
		}
		if found, err = s.try(n, n.moves[n.next-1]); err != nil {
			return nil, err
		}
	}
	return s.result(found)
}

func (s *search) over() bool { return s.tries >= s.Tries || s.Stop != nil && s.Stop() }

// choose is the node that is to be mended now, with its next move taken.
func (s *search) choose() *node {
	for {
		var best *node
		for _, n := range s.nodes {
			if n.round < maxRounds && (best == nil || n.score() > best.score()) {
				best = n
			}
		}
		if best == nil || best.next < len(best.moves) {
			if best != nil {
				best.next++
			}
			return best
		}
		best.moves, best.next = s.movesOf(best), 0
		best.round++
	}
}

// try runs with one thing changed; nil is the first run. It gives a node if that is what was looked for.
func (s *search) try(from *node, m move) (*node, error) {
	child := &node{tried: map[move]bool{}}
	if from != nil {
		s.apply(from, child, m)
	}
	text := child.chosen()
	if from != nil && m.at == 0 {
		text = child.begins(from)
	}
	if s.seen[text] {
		return nil, nil
	}
	s.seen[text] = true
	s.tries++
	shared, err := s.launch(child, from, m)
	if err != nil {
		return nil, err
	}
	switch {
	case s.match.done(s.Target):
		return child, nil
	case from == nil:
		s.keep(child)
	case child.like(from):
		s.learn(m, false)
		for _, k := range child.states[min(shared, len(child.states)):] {
			k.world.Release()
		}
	default:
		s.learn(m, true)
		child.debt = from.debt + cost(from, child, m)
		s.keep(child)
	}
	return nil, nil
}

// launch makes a child's run, from the last state of its parent that the move leaves as it is. It tells how many states they share.
func (s *search) launch(child, from *node, m move) (shared int, err error) {
	s.skip = child.skip
	i := s.restart(from, m)
	if i < 0 {
		err = s.begin(child.answers)
	} else {
		k := &from.states[i]
		s.answers, s.asked = child.answers, slices.Clone(from.asked[:k.asked])
		s.w.CopyFrom(k.world)
		s.progress = k.progress
		shared = i + 1
		child.states = slices.Clone(from.states[:shared])
	}
	if err != nil {
		return 0, err
	}
	s.wrongAt = 0
	child.states = s.run(child.states, child.serial)
	child.asked, child.progress, child.at = s.asked, s.progress, s.wrongAt
	return shared, nil
}

// cost is what a move adds to the debt.
func cost(from, child *node, m move) int {
	switch {
	case child.match.pos > from.match.pos:
		return 0
	case m.at == 0:
		return fromStart
	}
	return 1
}

// fromStart is what it costs to have changed the very beginning, to no avail: other answers there come first.
const fromStart = 100

// learn notes whether a change had an effect.
func (s *search) learn(m move, effect bool) {
	about := subject{m.key.kind, m.key.mote}
	switch {
	case m.send || m.gap > 0:
	case effect:
		s.vain[about] = -1
	case s.vain[about] >= 0:
		s.vain[about]++
	}
}

// keep takes a run among those that may be mended.
func (s *search) keep(n *node) {
	if s.best == nil || n.match.pos > s.best.match.pos {
		s.best = n
		if s.Tell != nil {
			s.Tell(s.tries, n.match.pos)
		}
	}
	s.nodes = append(s.nodes, n)
	if len(s.nodes) > maxNodes {
		slices.SortStableFunc(s.nodes, func(a, b *node) int { return b.score() - a.score() })
		clear(s.nodes[maxNodes/2:])
		s.nodes = s.nodes[:maxNodes/2]
	}
}

// restart is which of a node's states a change can begin from, or -1 for the very beginning.
func (s *search) restart(from *node, m move) int {
	if from == nil || m.at == 0 {
		return -1
	}
	i := len(from.states) - 1
	for i >= 0 && from.states[i].at > m.at {
		i--
	}
	return i
}

func (s *search) result(found *node) (*Result, error) {
	res := &Result{Total: len(s.Target.Items), Tries: s.tries}
	if found == nil {
		res.Shown = s.best.match.pos
		res.Want = &s.Target.Items[min(res.Shown, res.Total-1)]
		if s.best.match.wrong {
			res.Got = &s.best.match.got
		}
		return res, nil
	}
	s.others(found, res)
	res.Tries = s.tries
	if err := s.again(found); err != nil {
		return nil, err
	}
	res.Found, res.Shown, res.Time, res.Serial = true, res.Total, s.w.Now(), found.serial
	for _, k := range slices.SortedFunc(maps.Keys(found.answers), compareKeys) {
		res.Answers = append(res.Answers, world.Answer{Kind: k.kind, Mote: k.mote, Number: k.number, Answer: found.answers[k]})
	}
	return res, nil
}

func compareKeys(a, b key) int {
	if a.mote != b.mote {
		return a.mote - b.mote
	}
	if a.kind != b.kind {
		return int(a.kind) - int(b.kind)
	}
	return int(int64(a.number) - int64(b.number))
}

// again makes a run again from its beginning.
func (s *search) again(n *node) error {
	s.skip = n.skip
	if err := s.begin(n.answers); err != nil {
		return err
	}
	s.run(nil, slices.Clone(n.serial))
	if !s.match.done(s.Target) {
		return errors.New("BUG: a run that was found does not show the trace when it is made again")
	}
	return nil
}

// maxOthers is how many other runs are tried once one was found.
const maxOthers = 12

// others tries runs that differ from the one that was found in one answer.
func (s *search) others(found *node, res *Result) {
	best := s.best
	for round := 0; round < 2 && res.Others < maxOthers; round++ {
		found.round = round
		for _, m := range s.movesOf(found) {
			if res.Others == maxOthers || s.over() {
				break
			}
			if m.send || m.gap > 0 {
				continue
			}
			res.Others++
			if other, err := s.try(found, m); err == nil && other != nil {
				res.Fit++
			}
		}
	}
	s.best = best
}
