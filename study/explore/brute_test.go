package explore_test

import (
	"maps"
	"math/rand/v2"
	"testing"

	"motehound/firmware/image"
	"motehound/internal/testkit"
	"motehound/mote"
	"motehound/mote/board"
	"motehound/mote/digest"
	"motehound/study/check"
	"motehound/world"
)

// brute runs one mote in every way in which interrupts can come, without anything of the package under test. It rests where it sleeps, and behind a handler that has woken it, unless it sleeps again at once. From
// there it serves one interrupt, which is flagged or will be, or its main program goes on to where it sleeps again. Before every single instruction with interrupts
// on, another one that is flagged may come, as often as preemptions are left.
type brute struct {
	t      *testing.T
	states map[digest.Sum]bool
	seen   map[spot]bool
	runs   int // transitions: those that are interrupted count as two
}

// spot is a state at rest, with what is left to be done from there.
type spot struct {
	state          digest.Sum
	events, splits int
}

const noMust = -1

func (b *brute) mote(w *world.World) *mote.Mote { return w.Motes()[0] }

// boot runs a mote to its first sleep, and lets time pass to a cycle.
func (b *brute) boot(seed uint64, fast bool, cycle uint64) *world.World {
	p := program{r: rand.New(rand.NewPCG(seed, 19)), fast: fast}
	im, err := image.Parse("generated.hex", []byte(p.hex()))
	if err != nil {
		b.t.Fatal(err)
	}
	w, err := world.New(&world.Config{Motes: []world.MoteConfig{{Kind: testkit.On(b.t, &board.Uno, im), ID: 1}}}, world.Natural{})
	if err != nil {
		b.t.Fatal(err)
	}
	w.Guide(guardAll)
	m := b.mote(w)
	m.Open(true)
	for range 1000 {
		if _, asleep := m.Asleep(); asleep {
			break
		}
		m.StepOn(m.Cycles() + 1)
	}
	m.Open(false)
	m.Idle(cycle)
	return w
}

func (b *brute) sum(w *world.World) digest.Sum {
	d := digest.New()
	m := b.mote(w)
	m.CatchUp()
	now := m.Clocks()
	m.Machine.AppendRelative(&d, &now, firstVar+4)
	return d.Sum()
}

// flag lets time pass until a vector is flagged, unless a timer that waits to be served would be flagged again before.
func (b *brute) flag(w *world.World, v int) bool {
	m := b.mote(w)
	for m.Requests()>>v&1 == 0 {
		until := m.Cycles() + 1_000_000
		if end := m.Again(); end < until {
			until = end - 1
		}
		if m.Cycles() >= until {
			return false
		}
		m.Alert(^uint64(3))
		m.Idle(until)
		m.Alert(0)
	}
	return true
}

// rest does everything that is possible from where the mote sleeps.
func (b *brute) rest(w *world.World, events, splits int) {
	at := spot{b.sum(w), events, splits}
	if b.seen[at] {
		return
	}
	b.seen[at] = true
	if events == 0 {
		return
	}
	for _, e := range vectors {
		for _, must := range append([]int{noMust}, vectors...) {
			late := must != noMust && must != e && b.mote(w).Requests()>>must&1 == 0
			if must != noMust && (!late || splits == 0 || events < 2) {
				continue
			}
			c := b.copy(w)
			if (!late || b.flag(c, must)) && b.flag(c, e) {
				core := b.mote(c).Core()
				b.mote(c).Permit(1 << e)
				b.run(c, events-1, splits, must, &visit{core.PC, core.SP})
			}
		}
	}
	if _, asleep := b.mote(w).Asleep(); asleep {
		return
	}
	for _, must := range append([]int{noMust}, vectors...) {
		late := must != noMust && b.mote(w).Requests()>>must&1 == 0
		if must != noMust && (!late || splits == 0 || events < 2) {
			continue
		}
		if c := b.copy(w); !late || b.flag(c, must) {
			b.run(c, events-1, splits, must, nil)
		}
	}
}

// visit is where a handler that came there returns to.
type visit struct {
	pc uint32
	sp uint16
}

// run goes on to where the mote sleeps, or to where a handler returns to. If some interrupt must come, it has to come before.
func (b *brute) run(w *world.World, events, splits, must int, back *visit) {
	m := b.mote(w)
	b.runs++
	begun := false // the handler
	for n := range 10_000 {
		c := m.Core()
		_, asleep := m.Asleep()
		over := asleep && n > 0 && c.I == 1 && !c.Pending
		if back != nil {
			over = begun && *back == visit{c.PC, c.SP}
			begun = begun || c.SP < back.sp
		}
		if over && back != nil && b.glances(w) {
			over, back = false, nil
			c.Enabled = 0
		}
		if over {
			c.Enabled = 0
			if must == noMust {
				b.states[b.sum(w)] = true
				b.rest(w, events, splits)
			}
			return
		}
		if !asleep && !c.Pending && c.I == 1 && c.Enabled != c.Cycles && splits > 0 && events > 0 {
			for _, v := range vectors {
				if m.Requests()>>v&1 != 0 && (must == noMust || must == v) {
					x := b.copy(w)
					b.serve(x, v)
					b.run(x, events-1, splits-1, noMust, back)
				}
			}
		}
		m.StepOn(m.Cycles() + 1)
	}
	b.t.Fatal("the mote does not fall asleep")
}

// glances tells whether a main program that was woken sleeps again without having written anything or used a device: then it has not rested in between.
func (b *brute) glances(w *world.World) bool {
	x := b.copy(w)
	m := b.mote(x)
	sp := m.Core().SP
	for range 200 {
		touch, ok := m.Core().Touches()
		if stack := touch.Addr <= sp && touch.Addr >= m.Core().SP; ok && (touch.Addr < m.Chip().RAMBase || touch.Write && !stack) {
			return false
		}
		m.StepOn(m.Cycles() + 1)
		if _, asleep := m.Asleep(); asleep {
			return true
		}
	}
	return false
}

// serve has an interrupt come now, and runs it to its end.
func (b *brute) serve(w *world.World, v int) {
	m := b.mote(w)
	pc, sp := m.Core().PC, m.Core().SP
	m.Permit(1 << v)
	for n := 0; n == 0 || m.Core().PC != pc || m.Core().SP != sp; n++ {
		m.StepOn(m.Cycles() + 1)
		if n > 10_000 {
			b.t.Fatal("a handler does not end")
		}
	}
}

func (b *brute) copy(w *world.World) *world.World {
	c, err := world.New(w.Config(), world.Natural{})
	if err != nil {
		b.t.Fatal(err)
	}
	c.Guide(guardAll)
	c.CopyMote(0, w)
	return c
}

func guardAll(int, *mote.Mote) uint64 { return ^uint64(3) }

// vectors are those of the two timers.
var vectors = []int{8, 15}

// Interrupts that come where they can matter reach the states that a program reaches which knows nothing of such places, of rest and of outlooks.
func TestPreemptBruteForce(t *testing.T) {
	programs := uint64(300)
	if testing.Short() {
		programs = 30
	}
	all, runs, more, few := 0, 0, 0, uint64(0)
	for seed := range programs {
		preempt, depth, fast := 1, 3, seed%2 == 0
		if seed%5 == 0 {
			preempt, depth = 2, 4
		}
		s := generated(t, seed, fast, preempt)
		b := &brute{t: t, states: map[digest.Sum]bool{}, seen: map[spot]bool{}}
		w := b.boot(seed, fast, s.Mote(0).Cycles())
		b.rest(w, depth, preempt)
		all, runs = all+len(b.states), runs+b.runs
		want := map[[2]uint64]bool{}
		for s := range b.states {
			want[s] = true
		}
		if old, _ := resting(t, generated(t, seed, fast, 0), depth, check.None); len(old) < len(want) {
			more++
		}
		for _, by := range []check.Reduction{check.None, check.Static, check.Dynamic} {
			got, events := resting(t, s, depth, by)
			if !maps.Equal(got, want) {
				t.Errorf("program %d, %v: %d states, brute force reaches %d", seed, by, len(got), len(want))
			}
			if by == check.None {
				few += events
			}
		}
	}
	t.Logf("%d states, found in %d transitions, and by brute force in %d; in %d of %d programs some need an interrupt in the middle of something", all, few, runs, more, programs)
	if more < int(programs)/2 {
		t.Errorf("only %d of %d programs have states that need an interrupt in the middle of something", more, programs)
	}
}
