package reproduce

import (
	"maps"
	"math/bits"
	"slices"

	"motehound/world"
)

// move is one thing to change in a run: another answer to a question, or something that comes from outside.
type move struct {
	at     uint64 // not before it; 0 for what is asked when the world is made
	key    key
	answer uint32
	send   bool
	input  int // index in Problem.May
	gap    int // if not 0: the gap before this item ends later, after skip moments at which it could
	skip   int
}

// maxRounds is how often a run's moves are worked out, each time more of them.
const maxRounds = 7

// apply gives a child what its parent has chosen, with a move. Answers to later questions stay: they are no better than others now,
// but no worse either.
func (s *search) apply(from, child *node, m move) {
	child.answers, child.serial, child.skip = from.answers, slices.Clone(from.serial), from.skip
	switch {
	case m.send:
		x := s.May[m.input]
		x.At = m.at
		child.serial = append(child.serial, x)
	case m.gap > 0:
		child.skip = maps.Clone(from.skip)
		if child.skip == nil {
			child.skip = map[int]int{}
		}
		child.skip[m.gap] = m.skip
	default:
		child.answers = maps.Clone(from.answers)
		if child.answers == nil {
			child.answers = map[key]uint32{}
		}
		child.answers[m.key] = m.answer
	}
}

// movesOf is what to try next with a run that went wrong, the most likely first: what was asked shortly before, and what may have
// come shortly before. Each round goes further back, and tries more of the many answers that some questions have.
func (s *search) movesOf(n *node) (list []move) {
	add := func(m move) {
		if !n.tried[m] {
			n.tried[m] = true
			list = append(list, m)
		}
	}
	if n.ended.at > 0 && n.match.pos-n.ended.pos < soonBehind<<n.round {
		for k := range 3 << n.round {
			add(move{at: n.ended.at - min(n.ended.at-1, step), gap: n.ended.pos, skip: n.skip[n.ended.pos] + k + 1})
		}
	}
	window := 6 << n.round
	begin, end := 0, len(n.asked)
	for begin < end && n.asked[begin].at == 0 {
		begin++ // those are asked before anything runs, or in the first step
	}
	for i := end - 1; i >= max(begin, end-window); i-- {
		s.answersTo(n.asked[i], n.round, add)
	}
	s.inputs(n, add)
	for _, q := range n.asked[:begin] {
		s.answersTo(q, n.round, add)
	}
	return list
}

// soonBehind is how many items behind a gap it may turn out that the gap did not end there.
const soonBehind = 40

// answersTo adds other answers to a question: of few all, of many more in each round, spread over them.
func (s *search) answersTo(q question, round int, add func(move)) {
	k := keyOf(q.Choice)
	if s.vain[subject{k.kind, k.mote}] > patience && round < maxRounds/2 {
		return
	}
	if q.Options <= few {
		for a := range q.Options {
			if a != q.answer && q.Allows(a) {
				add(move{at: q.at, key: k, answer: a})
			}
		}
		return
	}
	if q.at == 0 {
		near(q, round, func(a uint32) { add(move{at: q.at, key: k, answer: a}) })
	}
	for i := range min(uint32(2<<round), q.Options) {
		for _, a := range [2]uint32{spread(i, q.Options), q.Options - 1 - spread(i, q.Options)} {
			if a != q.answer && q.Allows(a) {
				add(move{at: q.at, key: k, answer: a})
			}
		}
	}
}

// near gives answers at all distances from the one that was given, the nearest last: how far a clock is off, or when a mote was
// switched on, is the better the nearer. Distances are even, except for one, as answers about clocks are fast and slow in turn. Where many
// get equally far, as up to a moment at which all is decided, none of these is better: then, round after round, all around it are tried.
func near(q question, round int, yield func(uint32)) {
	both := func(by uint32) {
		if q.answer >= by && q.Allows(q.answer-by) {
			yield(q.answer - by)
		}
		if a := q.answer + by; a < q.Options && q.Allows(a) {
			yield(a)
		}
	}
	for d := q.Options / 2; d > 0; d /= 2 {
		both(max(d&^1, 1))
	}
	if round > 0 {
		for d := range uint32(8 << round) {
			both(2*d + 2)
		}
	}
}

// patience is how many changes of a kind without effect there are before others are tried first.
const patience = 20

// few answers are all tried at once.
const few = 4

// spread is the i-th of n numbers, in an order in which any first few lie evenly: van der Corput's.
func spread(i, n uint32) uint32 { return uint32(uint64(bits.Reverse32(i)) * uint64(n) >> 32) }

// lead is how long before it has an effect something may have come from outside, besides its own length.
const lead = 4 * world.Millisecond

// inputs adds what may have come from outside between the last item that was right and the one that was not; in later rounds
// also before.
func (s *search) inputs(n *node, add func(move)) {
	for i, x := range s.May {
		length := uint64(len(x.Bytes)) * uint64(charTime)
		from, to := n.recent.back(n.round/2), n.at
		from -= min(from, length+lead)
		to -= min(to, length)
		if to <= from {
			to = from + 1
		}
		for k := range uint32(8 << n.round) {
			// The middle comes before the ends.
			at := from + uint64(bits.Reverse32(k+1))*((to-from)>>16+1)>>16
			add(move{at: max(at, 1), send: true, input: i})
		}
	}
}

// charTime is that of a character at 57600 baud: with other speeds, what comes is spread over another time than was meant.
const charTime = 10 * world.Second / 57600
