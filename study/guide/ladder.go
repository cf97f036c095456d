package guide

import (
	"math"
	"math/rand/v2"
	"slices"
)

// Ladders. A program that does something the third time in a row counts up to three, and begins anew when something goes as usual: the way to a value leads over other values of
// the same variable. So besides the archive there are states that show the last new values of variables, and trips from there that end when the variable has lost what it had.
//
// Which variable gets the next trip: the one whose newest value was seen least, and that has had the fewest events for it since. One that trips have led to new values before gets more.

// Rung is a value that a variable has got.
type Rung struct {
	Variable int   // a small number
	Value    uint8 // below Rungs; 0 is the ground, which no state is kept for
}

// Rungs is how many values of a variable are told apart.
const Rungs = 64

const (
	// lastRungs is how many of a variable's last new values are gone on from: the very last one may be a dead end.
	lastRungs = 6
	// tiresome is after how many trips from a state another one that shows the same value takes its place, since it may be a dead end.
	tiresome = 8
	// patience is after how many trips without a new value half of what was reached before counts no more.
	patience = 128
	// perSight is how many events count as much as that the newest value was seen once.
	perSight = 4
)

// Ladders are the variables of one walk. They keep no more states than they were told to, and never two for the same value.
type Ladders[T any] struct {
	list []*ladder[T] // by variable; nil for those that nobody has seen
	most int
	kept int
}

// ladder is what is known of a variable.
type ladder[T any] struct {
	seen  [Rungs]uint16
	rungs []rung[T] // its last new values, the newest last
	trips int       // since that
	spent int       // events, likewise
	steps int       // how often trips have led to a new value
}

// rung is a value, and a state that shows it.
type rung[T any] struct {
	value uint8
	state T
	trips int // from there
}

// NewLadders makes some without variables.
func NewLadders[T any](most int) *Ladders[T] { return &Ladders[T]{most: most} }

// See counts a value, and tells whether a state that shows it should be kept.
func (l *Ladders[T]) See(r Rung) bool {
	for r.Variable >= len(l.list) {
		l.list = append(l.list, nil)
	}
	x := l.list[r.Variable]
	if x == nil {
		x = new(ladder[T])
		l.list[r.Variable] = x
	}
	if x.seen[r.Value] < math.MaxUint16 {
		x.seen[r.Value]++
	}
	if r.Value == 0 {
		return false
	}
	n := x.index(r.Value)
	return x.seen[r.Value] == 1 || n >= 0 && x.rungs[n].trips >= tiresome
}

// index is where a value is among the last new ones, -1 if it is not.
func (x *ladder[T]) index(value uint8) int {
	return slices.IndexFunc(x.rungs, func(r rung[T]) bool { return r.value == value })
}

// Keep has a state stand for a value that See was told of.
func (l *Ladders[T]) Keep(r Rung, state T) {
	x := l.list[r.Variable]
	if n := x.index(r.Value); n >= 0 {
		x.rungs[n] = rung[T]{value: r.Value, state: state}
		return
	}
	if x.trips > 0 {
		x.steps++
	}
	x.trips, x.spent = 0, 0
	x.rungs = append(x.rungs, rung[T]{value: r.Value, state: state})
	l.kept++
	if len(x.rungs) > lastRungs {
		l.drop(x)
	}
	for l.kept > l.most {
		l.drop(l.worst())
	}
}

// drop forgets the oldest value of a variable.
func (l *Ladders[T]) drop(x *ladder[T]) {
	x.rungs = slices.Delete(x.rungs, 0, 1)
	l.kept--
}

// worst is the variable that most was done for, of those with the most values.
func (l *Ladders[T]) worst() (worst *ladder[T]) {
	for _, x := range l.list {
		if x != nil && (worst == nil || len(x.rungs) > len(worst.rungs) || len(x.rungs) == len(worst.rungs) && x.had() > worst.had()) {
			worst = x
		}
	}
	return worst
}

// had says how much a variable has had, of what it should have.
func (x *ladder[T]) had() float64 {
	if len(x.rungs) == 0 {
		return math.Inf(1)
	}
	top := x.rungs[len(x.rungs)-1].value
	return float64(int(x.seen[top])+x.spent/perSight) / float64(1+x.steps>>(x.trips/patience))
}

// Aim is what a trip is for: that a variable gets a new value.
type Aim[T any] struct {
	ladder   *ladder[T]
	variable int
	from     uint8
}

// Pick draws one of the variables that have had the least, and one of its last new values: the newest most often, and seldom one from where many trips were made. It gives the
// state that shows it; aim is nil if there is none.
func (l *Ladders[T]) Pick(rng *rand.Rand) (state T, aim *Aim[T]) {
	var best []int
	least := math.Inf(1)
	for v, x := range l.list {
		if x == nil || len(x.rungs) == 0 || x.had() > least {
			continue
		}
		if x.had() < least {
			best, least = best[:0], x.had()
		}
		best = append(best, v)
	}
	if len(best) == 0 {
		return state, nil
	}
	v := best[rng.IntN(len(best))]
	x := l.list[v]
	n := len(x.rungs) - 1
	for n > 0 && (rng.IntN(2) == 0 || x.rungs[n].trips >= tiresome && rng.IntN(4) != 0) {
		n--
	}
	x.rungs[n].trips++
	return x.rungs[n].state, &Aim[T]{x, v, x.rungs[n].value}
}

// Lost tells whether the variable has got a value that is not on the way to a new one.
func (a *Aim[T]) Lost(r Rung) bool {
	return r.Variable == a.variable && a.ladder.index(r.Value) <= a.ladder.index(a.from)
}

// Book says that a trip is over, and how many events it took.
func (a *Aim[T]) Book(events int) {
	a.ladder.trips++
	a.ladder.spent += events
}
