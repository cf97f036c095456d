package check

import (
	"cmp"
	"fmt"
	"slices"
	"sync"

	"motehound/study/finding"
	"motehound/study/guide"
)

// Scout is a System that can say what was special about an event: which code ran, which values flags have now, what was pending.
type Scout interface {
	// Scout says whether it has to know that. At first it does not. Clones inherit it.
	Scout(on bool)
	// Seen appends what the last event that was fired has shown. Features of the kind codeRan say which code ran.
	Seen(dst []guide.Feature) []guide.Feature
	// Holds appends what is so in the state now, whenever it came to be so. Seen tells none of that.
	Holds(dst []guide.Feature) []guide.Feature
	// Values appends the values that variables have got with the last event that was fired.
	Values(dst []guide.Rung) []guide.Rung
	// Bulk is about how many bytes a clone takes.
	Bulk() int
}

// codeRan is the kind of features that say which code ran.
const codeRan = 0

// guided tells whether walks through a system learn from each other.
func (o *WalkOptions) guided(s System) bool {
	_, ok := s.(Scout)
	return ok && !o.Unguided && !o.Heal
}

// guide gives walks what those before have learned, those of the log among them.
func (r *runner) guide(o *WalkOptions) error {
	if r.guides == nil && o.guided(r.start) {
		r.guides = newGuides(r.start)
		for _, l := range r.progress.lessons {
			if l != nil {
				Give(r.start, l.Inputs)
			}
		}
		if err := r.guides.restore(r.progress.lessons); err != nil {
			return fmt.Errorf("the log is damaged: %w", err)
		}
	}
	o.guides = r.guides
	return nil
}

// place is a state that walks go on from. It is a way from another one; nil is where walks start.
type place struct {
	from   *place
	events []Event // from there
	length int     // of the whole way
	number int     // in the log, from 1; 0 is the start
	lag    uint64  // the queue that had to wait there; 0 for none

	mu  sync.Mutex
	sys System // nil if nobody has been there since the log was read
}

// trace is the whole way.
func (p *place) trace() []Event {
	if p == nil {
		return nil
	}
	return append(p.from.trace(), p.events...)
}

// before is the last place on the way that so many events or fewer lead to, and how many do.
func (p *place) before(events int) (*place, int) {
	for ; p != nil; p = p.from {
		if p.length <= events {
			return p, p.length
		}
	}
	return nil, 0
}

// goTo brings a system to the place, or to home, where walks start.
func (p *place) goTo(sys System, home *origin) error {
	if p == nil {
		home.copyTo(sys)
		return nil
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.sys != nil {
		sys.CopyFrom(p.sys)
		return nil
	}
	if err := p.from.goTo(sys, home); err != nil {
		return err
	}
	if err := follow(sys, p.events, nil); err != nil {
		return err
	}
	p.sys = sys.Clone()
	return nil
}

// guides are what walks learn from each other. There is one archive for walks that keep to what hardware can do, and one for the others.
//
// Walks that run side by side must not depend on who is faster. So walk n knows what was learned from the walks below a number that depends
// on n alone, and waits for those.
type guides struct {
	mu     sync.Mutex
	moved  sync.Cond
	booked int  // walks that were learned from
	over   bool // no more will come
	places int
	causes []finding.Cause // of what was found
	odd    oddity          // of all that was found
	lags   []kindOfQueue   // that had to wait when something was found
	of     [2]*guide.Archive[*place]
	views  map[int]view // by how many walks were learned from
}

// view is what was known at one moment.
type view struct {
	of     [2]*guide.View[*place]
	causes []finding.Cause
	odd    oddity
	lags   []kindOfQueue
}

// oddity says what walks have found if all of it is what hardware hardly makes.
type oddity uint8

const (
	notOdd  oddity = iota // nothing
	mild                  // walks go on behind it
	ruinous               // a walk that meets it is over, and after a while all are
	settled               // not all: hardware can do some of it
)

// oddly reports whether the walk with a number keeps to what hardware can do because what was found so far does not. Every other walk does. The rest go on as before: one mistake
// must not hide another like it.
func (o oddity) oddly(piece int) bool { return o.odd() && piece%2 == 0 }

// odd tells whether something was found, and all of it is what hardware hardly makes.
func (o oddity) odd() bool { return o == mild || o == ruinous }

// How many places an archive has. A place holds a copy of the network: an archive of large ones is small.
const (
	mostPlaces  = 256
	leastPlaces = 32
	mostBytes   = 32 << 20
)

func newGuides(s System) *guides {
	g := &guides{views: make(map[int]view)}
	g.moved.L = &g.mu
	for i := range g.of {
		g.of[i] = guide.New[*place](min(mostPlaces, max(leastPlaces, mostBytes/max(1, s.(Scout).Bulk()))), guide.NewCounts())
	}
	g.freeze()
	return g
}

// knows is how many walks the one with a number has learned from.
func knows(piece int) int {
	const least, round = 4, 2
	return max(0, piece-max(least, piece/4)) / round * round
}

// freeze keeps what is known now for the walks that may ask for it, and forgets what none will.
func (g *guides) freeze() {
	g.views[g.booked] = view{[2]*guide.View[*place]{g.of[0].View(), g.of[1].View()}, slices.Clip(g.causes), g.odd, slices.Clone(g.lags)}
	for n := range g.views {
		if n < knows(g.booked) {
			delete(g.views, n)
		}
	}
}

// begin says that walks will be learned from, that the first has this number, and how odd is what was found before.
func (g *guides) begin(piece int, odd oddity) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.over = false
	if g.booked != piece || g.odd != odd { // the log does not say what those before have found
		g.booked, g.odd = piece, odd
		g.freeze()
	}
}

// end says that no more walks will be learned from.
func (g *guides) end() {
	if g == nil {
		return
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.over = true
	g.moved.Broadcast()
}

// scouting prepares a walk; nil if there will be no use for it.
func (g *guides) scouting(sys System, piece int, home *origin) *scouting {
	if g == nil {
		return nil
	}
	n := knows(piece)
	g.mu.Lock()
	defer g.mu.Unlock()
	for g.booked < n && !g.over {
		g.moved.Wait()
	}
	view, ok := g.views[n]
	if !ok {
		return nil // it is over
	}
	oddly := view.odd.oddly(piece)
	bound := keepsBounds(piece) || oddly
	kind := archiveOf(bound)
	seen := guide.NewCounts()
	return &scouting{sys: sys.(Scout), home: home, bound: bound, short: oddly || bound && view.odd == ruinous, odd: view.odd.odd(), all: g.of[kind], view: view.of[kind], known: view.causes, lags: view.lags, step: n,
		seen: seen, own: guide.New[*place](mostOwn, seen), ladders: guide.NewLadders[*place](mostOwn)}
}

// archiveOf is which archive a walk uses.
func archiveOf(bound bool) int {
	if bound {
		return 1
	}
	return 0
}

// begin has a walk begin where all do.
func (s *scouting) begin() *scouting {
	if s != nil {
		s.from, s.base = nil, 0
	}
	return s
}

// mostLags is how many kinds of queues are remembered that had to wait when something was found.
const mostLags = 64

// mostOwn is how many places of one walk are kept.
const mostOwn = 64

// learn books what a walk has seen, in the order of the walks.
func (g *guides) learn(piece int, l *lesson) {
	if g == nil {
		return
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	l.apply(g, piece)
	g.booked = piece + 1
	g.freeze()
	g.moved.Broadcast()
}

// scouting looks for what is new on one walk.
type scouting struct {
	sys      Scout
	home     *origin // where walks start
	bound    bool    // the walk keeps to what hardware can do
	short    bool    // and looks for a run to something that was found, which hardware hardly makes
	odd      bool    // hardware hardly makes any of what others have found
	all      *guide.Archive[*place]
	view     *guide.View[*place] // what others have found
	step     int
	seen     *guide.Counts
	own      *guide.Archive[*place] // what this walk has found
	from     *place                 // the last place on the way
	base     int                    // how long the walker's trace was there
	ladders  *guide.Ladders[*place] // values of variables that it has found
	climb    climb
	features []guide.Feature
	news     []guide.Feature
	values   []guide.Rung
	rungs    []guide.Rung // of these, what the state is kept for
	used     []use
	known    []finding.Cause // of what walks before have found
	causes   []finding.Cause // of what this one has
	lags     []kindOfQueue   // that had to wait when walks before have found something
}

// use is what came of going on from an entry of the view.
type use struct {
	entry        *guide.Entry[*place]
	times, yield int
}

// deepest is how long a way is at most. A long one takes long to make short, if something is found behind it.
const deepest = 20_000

// look keeps the state of a walker if it shows something new, and reports whether it does.
func (s *scouting) look(w *walker) bool {
	if s == nil {
		return false
	}
	s.features = s.sys.Seen(s.features[:0])
	s.news = s.news[:0]
	cost := len(w.trace) - s.base
	if s.from != nil {
		cost += s.from.length
	}
	for _, f := range s.features {
		if s.seen.Add(f) && !s.all.Known(f, cost, s.step) {
			s.news = append(s.news, f)
		}
	}
	s.values, s.rungs = s.values[:0], s.rungs[:0]
	if s.climb.share > 0 {
		s.values = s.sys.Values(s.values)
	}
	for _, r := range s.values {
		if s.ladders.See(r) {
			s.rungs = append(s.rungs, r)
		}
	}
	isNew := false
	if len(s.news)+len(s.rungs) > 0 && cost <= deepest {
		isNew = s.keep(w, cost)
	}
	s.watch(w)
	return isNew
}

// keep keeps the state of a walker, and reports whether it shows something new besides the value of a variable.
func (s *scouting) keep(w *walker, cost int) (isNew bool) {
	p := &place{from: s.from, events: slices.Clone(w.trace[s.base:]), length: cost, lag: w.strategy.lagging()}
	if len(s.news) > 0 {
		if e := s.own.Add(p, cost, s.news, 0); e != nil {
			e.Holds = s.sys.Holds(nil)
			isNew = true
		}
	}
	if !isNew && len(s.rungs) == 0 {
		return false
	}
	p.sys = w.sys.Clone()
	for _, r := range s.rungs {
		s.ladders.Keep(r, p)
	}
	s.from, s.base = p, len(w.trace)
	return isNew
}

// sample counts what is so in the state now.
func (s *scouting) sample() {
	s.features = s.sys.Holds(s.features[:0])
	for _, f := range s.features {
		s.seen.Add(f)
	}
}

// mostHeld is how much of what is so in a state others learn.
const mostHeld = 8

// rarest is what seldom is so on this walk.
func (s *scouting) rarest(list []guide.Feature) []guide.Feature {
	list = slices.Clone(list)
	slices.SortFunc(list, func(a, b guide.Feature) int {
		return cmp.Or(cmp.Compare(s.seen.Of(a), s.seen.Of(b)), cmp.Compare(a, b))
	})
	return list[:min(len(list), mostHeld)]
}
