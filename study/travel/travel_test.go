package travel_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"motehound/internal/testkit"
	"motehound/mote/digest"
	"motehound/study/check"
	"motehound/study/explore"
	"motehound/study/travel"
	"motehound/world"
	"motehound/world/medium"
)

// straight makes a world again, up to a moment, and gives the states of its motes.
type straight func(ps uint64) digest.Sum

func states(w *world.World) digest.Sum {
	d := digest.New()
	for _, m := range w.Motes() {
		m.AppendState(&d)
	}
	return d.Sum()
}

// networks are runs of several examples, each with a maker of its world.
func networks(t *testing.T) map[string]func() *world.World {
	line := func(app, board string, n int, cfg world.Config, seed uint64) func() *world.World {
		k := testkit.Example(t, app, board)
		return func() *world.World {
			return testkit.Network(t, k, n, medium.Line(n, medium.DefaultGain, 0.1), cfg, seed)
		}
	}
	return map[string]func() *world.World{
		"counter-micaz": line("counter", "micaz", 3, world.Config{Drift: 40, Stagger: 50_000}, 1),
		"counter-mica2": line("counter", "mica2", 2, world.Config{}, 2),
		"relay-micaz":   line("relay", "micaz", 4, world.Config{Drift: 20, Stagger: 10_000}, 3),
		"collect-mica2": line("collect", "mica2", 3, world.Config{Drift: 20, Resets: []world.Reset{{Mote: 1, At: 400 * world.Millisecond}}}, 4),
		"sense-micaz":   line("sense", "micaz", 1, world.Config{}, 5),
		"ring":          func() *world.World { return ring(t) },
	}
}

func ring(t *testing.T) *world.World {
	return testkit.World(t, &world.Config{
		Motes:  []world.MoteConfig{{Kind: testkit.Example(t, "ring", "uno"), ID: 1}},
		Serial: []world.Serial{{At: 5 * world.Millisecond, Bytes: []byte("hello, world\n")}, {At: 300 * world.Millisecond, Bytes: []byte("again\n")}},
	}, world.Natural{})
}

// Wherever one goes in a timed run, and however, the motes are as in a straight run; and the run ends in the same state.
func TestTimedTravels(t *testing.T) {
	for name, make := range networks(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			const until = world.Second
			whole := make()
			whole.RunUntil(until)
			tr := travel.Timed(make(), until, 1<<20)
			rng := rand.New(rand.NewPCG(7, uint64(len(name))))
			want := straightRun(make)
			for n := range travels(t, 1500) {
				must(t, wander(tr, rng, until))
				if at := tr.Here().Time; states(tr.World()) != want(at) {
					t.Fatalf("travel %d: another state at %d ps", n, at)
				}
			}
			must(t, tr.Go(travel.Point{Time: until}, nil))
			if tr.World().Hash() != whole.Hash() {
				t.Error("the run ends in another state")
			}
		})
	}
}

// travels is how many there are in a test.
func travels(t *testing.T, n int) int {
	if testing.Short() {
		return n / 20
	}
	return n
}

// straightRun runs to one moment after the other. It begins anew when it has to go back, so moments are best asked for in order; there are some
// worlds for that, at different moments.
func straightRun(make func() *world.World) straight {
	marks := []*world.World{make()}
	return func(ps uint64) digest.Sum {
		var best *world.World
		for _, w := range marks {
			if w.Now() <= ps && (best == nil || w.Now() > best.Now()) {
				best = w
			}
		}
		w := best.Clone()
		w.RunUntil(ps)
		if len(marks) < 16 && ps-best.Now() > 50*world.Millisecond {
			marks = append(marks, w.Clone())
		}
		return states(w)
	}
}

// wander goes somewhere: to a moment, an instruction on or back of any mote, or to something that is watched.
func wander(tr *travel.Traveller, rng *rand.Rand, until uint64) error {
	m := rng.IntN(len(tr.Motes()))
	var err error
	switch rng.IntN(8) {
	case 0:
		return tr.Go(travel.Point{Time: rng.Uint64N(until)}, nil)
	case 1:
		at := tr.Here().Time
		return tr.Go(travel.Point{Time: at - min(at, rng.Uint64N(world.Millisecond))}, nil)
	case 2, 3:
		err = step(tr, m, tr.Next)
	case 4, 5:
		err = step(tr, m, tr.Previous)
	case 6:
		_, err = tr.Next(somewhere(tr, rng), nil)
	case 7:
		_, err = tr.Previous(somewhere(tr, rng), nil)
	}
	if errors.Is(err, travel.ErrNone) {
		return nil
	}
	return err
}

// somewhere is something to look for: handlers, and stores to a variable.
func somewhere(tr *travel.Traveller, rng *rand.Rand) *travel.Watch {
	m := rng.IntN(len(tr.Motes()))
	if rng.IntN(2) == 0 {
		return &travel.Watch{Interrupts: []int{m}}
	}
	k := tr.Motes()[m].Kind
	vars := k.Image.Vars()
	v := vars[rng.IntN(len(vars))]
	return &travel.Watch{Changes: []travel.Range{{Mote: m, Addr: uint16(v.Addr), Bytes: uint16(max(v.Type.Size, 1))}}}
}

// step goes an instruction of a mote on, or back.
func step(tr *travel.Traveller, mote int, move func(*travel.Watch, func() bool) (travel.Hit, error)) error {
	if err := tr.Look(mote); err != nil {
		return err
	}
	_, err := move(&travel.Watch{Each: []int{mote}}, nil)
	return errors.Join(err, tr.Look(mote))
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// A mote's instructions are the same ones forwards and backwards, in every run.
func TestSteps(t *testing.T) {
	t.Parallel()
	for name, make := range networks(t) {
		tr := travel.Timed(make(), world.Second, 0)
		must(t, tr.Go(travel.Point{Time: 500 * world.Millisecond}, nil))
		bothWays(t, name, tr, 300)
	}
	tr := walked(t, 2)
	must(t, tr.Go(travel.Point{Event: 2}, nil))
	bothWays(t, "explored", tr, 300)
}

func bothWays(t *testing.T, name string, tr *travel.Traveller, n int) {
	t.Helper()
	must(t, step(tr, 0, tr.Next))
	type place struct {
		stop travel.Stop
		pc   uint32
		sum  digest.Sum
	}
	here := func() place { return place{tr.Here(), tr.Mote().Core().PC, states(tr.World())} }
	list := []place{here()}
	for range n {
		must(t, step(tr, 0, tr.Next))
		list = append(list, here())
	}
	for i := len(list) - 2; i >= 0; i-- {
		must(t, step(tr, 0, tr.Previous))
		if got := here(); got != list[i] {
			t.Fatalf("%s: back at instruction %d: %v, want %v", name, i, got, list[i])
		}
	}
}

// walked is an explored run: a random walk through the events of two motes.
func walked(t *testing.T, seed uint64) *travel.Traveller {
	t.Helper()
	cfg := &world.Config{Motes: []world.MoteConfig{{Kind: testkit.Example(t, "ring", "uno"), ID: 1}}, Serial: []world.Serial{{At: world.Millisecond, Bytes: []byte("hello, world")}}}
	if seed%2 == 0 {
		k := testkit.Example(t, "counter", "micaz")
		net, err := medium.New(2, medium.Line(2, medium.DefaultGain, 0))
		must(t, err)
		cfg = &world.Config{Net: net, Motes: []world.MoteConfig{{Kind: k, ID: 1}, {Kind: k, ID: 2}}, Faults: world.Faults{{Kind: world.Reboot, Max: 2, Mote: world.Everyone, From: world.None, To: world.None, Wire: world.None}}}
	}
	base, err := explore.New(cfg, explore.Options{Preempt: 2})
	must(t, err)
	base.List(true) // interrupts in the middle of something, too
	s := base.Clone().(*explore.System)
	rng := rand.New(rand.NewPCG(seed, 1))
	var trace []check.Event
	for range 300 {
		list := s.Enabled(nil)
		if len(list) == 0 {
			break
		}
		e := list[rng.IntN(len(list))]
		_, err := s.Fire(e)
		must(t, err)
		trace = append(trace, e)
	}
	tr, err := travel.Explored(base, trace)
	must(t, err)
	return tr
}

// The same as TestTimedTravels for explored runs: in them, straight is to fire the events one after the other.
func TestExploredTravels(t *testing.T) {
	for seed := range uint64(3) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			tr := walked(t, seed)
			_, last := tr.Bounds()
			sums := []digest.Sum{}
			for n := range last.Event { // straight
				must(t, tr.Go(travel.Point{Event: n + 1}, nil))
				sums = append(sums, states(tr.World()))
			}
			inside := map[travel.Point]digest.Sum{}
			rng := rand.New(rand.NewPCG(seed, 2))
			for n := range travels(t, 1000) {
				must(t, wanderEvents(tr, rng, last.Event))
				at := tr.Here().Point
				if at.Time == 0 && states(tr.World()) != sums[at.Event-1] {
					t.Fatalf("travel %d: another state before event %d", n, at.Event)
				}
				if was, ok := inside[at]; ok && was != states(tr.World()) {
					t.Fatalf("travel %d: another state at %v than before", n, at)
				}
				inside[at] = states(tr.World())
			}
			if !slices.ContainsFunc(slices.Collect(keys(inside)), func(p travel.Point) bool { return p.Time > 0 }) {
				t.Error("no travel ended inside an event")
			}
		})
	}
}

func keys[K comparable, V any](m map[K]V) func(yield func(K) bool) {
	return func(yield func(K) bool) {
		for k := range m {
			if !yield(k) {
				return
			}
		}
	}
}

func wanderEvents(tr *travel.Traveller, rng *rand.Rand, events int) error {
	if rng.IntN(3) == 0 {
		return tr.Go(travel.Point{Event: 1 + rng.IntN(events)}, nil)
	}
	m := rng.IntN(len(tr.Motes()))
	var err error
	switch rng.IntN(6) {
	case 0, 1:
		err = step(tr, m, tr.Next)
	case 2, 3:
		err = step(tr, m, tr.Previous)
	case 4:
		_, err = tr.Next(somewhere(tr, rng), nil)
	case 5:
		_, err = tr.Previous(somewhere(tr, rng), nil)
	}
	if errors.Is(err, travel.ErrNone) {
		return nil
	}
	return err
}

// What a mote shows of a counter that it heard came over the air: from the line of the other mote that sent it.
func TestOrigin(t *testing.T) {
	t.Parallel()
	for _, board := range []string{"micaz", "mica2"} {
		k := testkit.Example(t, "counter", board)
		w := testkit.Network(t, k, 2, medium.Line(2, medium.DefaultGain, 0), world.Config{}, 1)
		tr := travel.Timed(w, 2*world.Second, 0)
		must(t, tr.Go(travel.Point{Time: 2 * world.Second}, nil))
		ref, err := k.Image.Lookup("CounterC__lastHeard")
		must(t, err)
		way, err := tr.Origin(1, uint16(ref.Addr), nil)
		must(t, err)
		last := way[len(way)-1]
		line, _ := k.Image.LineAt(last.PC * 2)
		if last.Mote != 0 || last.How != travel.Computed || !strings.HasSuffix(line.File, "counter.c") || line.Line != 51 {
			t.Errorf("%s: it ends on mote %d at %s:%d (%d), not where mote 0 counts, at counter.c:51: %v", board, last.Mote, line.File, line.Line, last.How, way)
		}
		if !slices.ContainsFunc(way, func(l travel.Link) bool { return l.How == travel.Heard && l.Mote == 1 }) ||
			!slices.ContainsFunc(way, func(l travel.Link) bool { return l.How == travel.Sent && l.Mote == 0 }) {
			t.Errorf("%s: it does not go over the air: %v", board, way)
		}
	}
}
