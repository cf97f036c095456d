package check

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"testing"

	"motehound/study/guide"
)

// lookout is a toy that says what it shows: the values of its variables.
type lookout struct {
	*toy
	on bool
}

func (l *lookout) Scout(on bool) { l.on = on }

func (l *lookout) Seen(dst []guide.Feature) []guide.Feature {
	if !l.on {
		return dst
	}
	for i, v := range l.vars {
		dst = append(dst, guide.Hash(uint64(i), uint64(v), 0, 0))
	}
	return dst
}

func (l *lookout) Holds(dst []guide.Feature) []guide.Feature { return dst }

func (l *lookout) Values(dst []guide.Rung) []guide.Rung { return dst }

func (l *lookout) Bulk() int { return len(l.vars) }

func (l *lookout) Clone() System { return &lookout{l.toy.Clone().(*toy), l.on} }
func (l *lookout) CopyFrom(other System) {
	from := other.(*lookout)
	l.toy.CopyFrom(from.toy)
	l.on = from.on
}

func newLookout(p *program) System { return &lookout{toy: newToy(p)} }

// lock is a program that breaks when one event of five has come again and again: every other one begins it anew.
func lock(steps uint8) *program {
	p := &program{values: steps + 1, motes: 1, healed: -1, initial: []uint8{0}}
	for n := range 5 {
		if n == 0 {
			p.actions = append(p.actions, act(0, Interrupt, n, 0, nil, assign{v: 0, x: 0, a: 1, c: 1}))
		} else {
			p.actions = append(p.actions, act(0, Interrupt, n, 0, nil, assign{v: 0}))
		}
	}
	p.bad = []badState{{name: "open", v: 0, is: steps, w: 0, also: steps}}
	return p
}

// Walks that learn from each other find what takes eleven right events in a row: at random that is one try in 49 million.
func TestGuidedFinds(t *testing.T) {
	for seed := range uint64(4) {
		for _, unguided := range []bool{false, true} {
			r, err := Walks(newLookout(lock(11)), WalkOptions{Walks: 1000, Events: 2000, Total: 400_000, First: true, Seed: seed, Threads: 1, Unguided: unguided})
			if err != nil {
				t.Fatal(err)
			}
			if got := len(r.Findings) > 0; got == unguided {
				t.Errorf("seed %d, unguided %t: found %t", seed, unguided, got)
			}
		}
	}
}

// Nothing goes on behind a violation that leaves no sense in a state, though much is new there; behind a harmless one walks do.
func TestNoRuins(t *testing.T) {
	for _, harmless := range []bool{false, true} {
		p := lock(20)
		p.initial = append(p.initial, 0)
		p.bad[0].name, p.bad[0].is, p.bad[0].also = "behind", 3, 3
		p.bad = append(p.bad, badState{name: "breaks", v: 1, is: 1, w: 1, also: 1, harmless: harmless})
		for i := range p.actions {
			p.actions[i].guards = append(p.actions[i].guards, guard{v: 1, is: 1})
		}
		p.actions = append(p.actions, act(0, Interrupt, 9, 0, []guard{{v: 1, is: 0}}, assign{v: 1, c: 1}))
		r, err := Walks(newLookout(p), WalkOptions{Walks: 50, Events: 200, Seed: 1, Threads: 1})
		if err != nil {
			t.Fatal(err)
		}
		behind := slices.ContainsFunc(r.Findings, func(f *Finding) bool { return f.Property == "behind" })
		if behind != harmless {
			t.Errorf("harmless %t: what is behind was found: %t", harmless, behind)
		}
	}
}

// A tour that finds something new is over, and so is the walk that it belongs to, even where the motes go on: somebody waits to hear of it.
func TestTourTells(t *testing.T) {
	for _, harmless := range []bool{false, true} {
		p := lock(2)
		p.bad[0].harmless = harmless
		var events uint64
		_, err := Walks(newLookout(p), WalkOptions{Walks: 1, Events: 100_000, Seed: 1, Threads: 1, done: func(_ int, total uint64, _ *lesson) error {
			events = total
			return nil
		}})
		if err != nil {
			t.Fatal(err)
		}
		if events == 0 || events > 5000 {
			t.Errorf("harmless %t: the walk took %d events", harmless, events)
		}
	}
}

// Walks that learn from each other give the same result, down to every event and count, with any number of threads.
func TestGuidedThreads(t *testing.T) {
	for seed := range uint64(40) {
		p := randomProgram(seed)
		var first string
		for threads := 1; threads <= 4; threads++ {
			meter := new(Meter)
			r, err := Walks(eitherLookout(p, seed), WalkOptions{Walks: 60, Events: 150, Total: 4000 + 10*seed, Threshold: 20, Prefix: 5, First: seed%3 == 0,
				Seed: seed, Threads: threads, Meter: meter})
			if err != nil {
				t.Fatal(err)
			}
			got := fmt.Sprintf("%d %+v", r.Walks, meter.Stats())
			for _, f := range r.Findings {
				got += fmt.Sprintf("%+v", *f)
			}
			if threads == 1 {
				first = got
			} else if got != first {
				t.Fatalf("seed %d, %d threads:\n%s\nwant\n%s", seed, threads, got, first)
			}
		}
	}
}

// runLookout is run for a lookout.
func runLookout(t *testing.T, p *program, o Options) *Report {
	t.Helper()
	r, err := Run(eitherLookout(p, o.Seed), o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// Walks that are stopped again and again, and gone on with, know what those before have learned: they end like walks that were not.
func TestGuidedResume(t *testing.T) {
	found := 0
	for seed := range uint64(9) {
		p := randomProgram(seed)
		if seed%3 == 0 {
			p = lock(6)
		}
		o := Options{Mode: ModeWalk, Seed: seed, Walk: WalkOptions{Walks: 40, Events: 300, Threshold: 40}, Critical: CriticalOptions{Events: 100, Walks: 5},
			Minimise: MinimiseOptions{Reach: 60, Changes: 20}, Threads: 1 + int(seed%2)}
		want := runLookout(t, p, o)
		found += len(want.Findings)
		path := filepath.Join(t.TempDir(), "log")
		for patience := 50; ; patience += 200 {
			if patience > 20_000 {
				t.Fatalf("seed %d: no end", seed)
			}
			o.Log = openLog(t, path)
			o.Stop = newFuse(patience).burnt
			got := runLookout(t, p, o)
			o.Log.Close()
			if got.Stopped {
				continue
			}
			if summary(got) != summary(want) {
				t.Fatalf("seed %d: got %s\nwant %s", seed, summary(got), summary(want))
			}
			break
		}
	}
	if found < 5 {
		t.Errorf("%d findings: too few to say anything", found)
	}
}

// A walk whose log names a place that nobody has found is refused.
func TestNoPlace(t *testing.T) {
	for _, l := range []*lesson{{Used: []usedPlace{{Place: 1}}}, {Places: []*newPlace{{From: 1}}}} {
		if err := newGuides(newLookout(lock(1))).restore([]*lesson{l}); err == nil {
			t.Errorf("%+v was taken", l)
		}
	}
}

// Ways are read as they were written, and what is none is refused.
func TestEventList(t *testing.T) {
	want := eventList{{Mote: 3, Class: Frame, Source: 0x8001, Option: 2, Serial: 77}, Healing, {Mote: 0, Class: Task, Serial: Place | 12345}}
	text, err := json.Marshal(want)
	if err != nil {
		t.Fatal(err)
	}
	var got eventList
	if err := json.Unmarshal(text, &got); err != nil || !slices.Equal(got, want) {
		t.Errorf("%v, %v, want %v", got, err, want)
	}
	for _, bad := range []string{`"!"`, `"AA=="`, `"AAAAAA=="`, `"AIACAAAA"`, `"gICAgICAgICAgIA="`} {
		if json.Unmarshal([]byte(bad), &got) == nil {
			t.Errorf("%s is %v", bad, got)
		}
	}
}

// Walks that keep to what hardware can do go on from states that nothing had to wait for, and only from those.
func TestGuidedBounds(t *testing.T) {
	g := newGuides(newLookout(lock(1)))
	for piece := range 12 {
		kind := archiveOf(keepsBounds(piece))
		before := g.of[1-kind].Features()
		p := &place{events: []Event{{}}, length: 1}
		g.learn(piece, &lesson{Bound: keepsBounds(piece), Places: []*newPlace{{Features: []guide.Feature{guide.Feature(piece)}, place: p}}})
		if g.of[1-kind].Features() != before {
			t.Errorf("walk %d teaches walks of the other kind", piece)
		}
	}
	if g.of[0].Len() != 8 || g.of[1].Len() != 4 {
		t.Errorf("%d and %d places, want 8 and 4", g.of[0].Len(), g.of[1].Len())
	}
}

// Once walks have found something that hardware hardly makes, and nothing else, every other walk keeps to what it can do. The rest look for other mistakes like it.
func TestGuidedOdd(t *testing.T) {
	s := newLookout(lock(1))
	g := newGuides(s)
	bound := func(piece int) bool { return g.scouting(s, piece, nil).bound }
	for piece := range 12 {
		if bound(piece) != keepsBounds(piece) {
			t.Errorf("nothing was found, and whether walk %d keeps to the bounds is %t", piece, bound(piece))
		}
		g.learn(piece, &lesson{})
	}
	g.learn(12, &lesson{Odd: ruinous})
	for piece := 13; piece < 40; piece++ {
		if want := keepsBounds(piece) || knows(piece) > 12 && piece%2 == 0; bound(piece) != want {
			t.Errorf("walk 12 found something odd, and whether walk %d keeps to the bounds is %t", piece, !want)
		}
		g.learn(piece, &lesson{})
	}
	if g.begin(40, notOdd); bound(54) {
		t.Error("what was odd is dismissed, and all walks keep to the bounds")
	}
	short := func(piece int) bool { return g.scouting(s, piece, nil).short }
	for _, odd := range []oddity{mild, ruinous} {
		g.begin(60, odd)
		for piece, others := range map[int]bool{80: false, 81: true} {
			if bound(piece) == others {
				t.Errorf("found: %d; whether walk %d keeps to the bounds is %t", odd, piece, others)
			}
		}
		g.begin(62, odd)
		for piece, want := range map[int]bool{82: true, 83: odd == ruinous} {
			if short(piece) != want {
				t.Errorf("found: %d; whether walk %d is short is %t", odd, piece, !want)
			}
		}
	}
	for piece := range 12 {
		if other := piece%2 == 1; mild.oddly(piece) == other || ruinous.oddly(piece) == other || notOdd.oddly(piece) || settled.oddly(piece) {
			t.Errorf("walk %d: %t, %t, %t, %t", piece, mild.oddly(piece), ruinous.oddly(piece), notOdd.oddly(piece), settled.oddly(piece))
		}
	}
	g.learn(60, &lesson{Odd: settled})
	if g.learn(61, &lesson{Odd: ruinous}); g.odd != settled {
		t.Errorf("hardware can do some of what was found, and all of it is odd: %d", g.odd)
	}
}

// Where tours are short, some walks are left out for one long tour each. Those do not keep to what hardware can do, and goals have none.
func TestLongTours(t *testing.T) {
	for _, c := range []struct {
		piece, events int
		made, goals   bool
		odd           bool
		most          int
		long          bool
		share         int
	}{
		{piece: 3, events: 10_000, most: 10_000, share: 1},
		{piece: 4, events: 10_000, most: 30_000, long: true, share: 3},
		{piece: 4, events: 10_000, goals: true, most: 10_000, share: 1},
		{piece: 28, events: 70_000, most: uphill * shareOfTour, long: true, share: 3},
		{piece: 4, events: uphill * shareOfTour, most: uphill * shareOfTour, share: 1},
		{piece: 4, events: 10_000, odd: true, most: 10_000, share: 1},
		{piece: 7, events: 10_000, odd: true, most: 30_000, long: true, share: 3},
		{piece: 19, events: 10_000, odd: true, most: 10_000, share: 1},
		{piece: 4, events: 10_000, made: true, most: 10_000},
		{piece: 48 + 18, events: 10_000, made: true, most: 60_000, long: true, share: 3},
	} {
		var x climb
		most, long := x.plan(c.piece, c.events, c.made, c.goals, c.odd)
		if most != c.most || long != c.long || x.share != c.share {
			t.Errorf("%+v: %d events, long %v, share %d", c, most, long, x.share)
		}
		if long && (keepsBounds(c.piece) || c.odd && ruinous.oddly(c.piece)) && !c.made {
			t.Errorf("walk %d keeps to what hardware can do", c.piece)
		}
	}
}
