package mapping

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
)

func bigInt(n int) *big.Int { return big.NewInt(int64(n)) }

// The paper's Figure 4: B branches into four, of which one acknowledges to A, one refuses, one discards, one forwards to C.
func TestFigure4(t *testing.T) {
	t.Parallel()
	want := map[string]int{"cob": 6, "cow": 6, "sds": 3}
	for _, a := range Algorithms {
		n := start(a, 3)
		four := n.branch(n.at(1, "")[0], 4)
		n.send(four[:1], []int{0}, "ACK")
		n.send(four[1:2], []int{0}, "NACK")
		n.send(four[3:], []int{2}, "DATA")
		if n.Forks() != want[a.Name] {
			t.Errorf("%s copied %d states, not %d", a.Name, n.Forks(), want[a.Name])
		}
		got := n.scenarios(t)
		slices.Sort(got)
		if want := []string{"ACK|a|", "NACK|b|", "|c|", "|d|DATA"}; !slices.Equal(got, want) {
			t.Errorf("%s: scenarios are %q, not %q", a.Name, got, want)
		}
	}
}

// Whoever branches and tells nobody costs only cob something.
func TestBranchesAlone(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name           string
		forks, dstates int
	}{{"cob", 9 * (8 - 1), 8}, {"cow", 0, 1}, {"sds", 0, 1}} {
		n := start(Find(c.name), 10)
		for _, two := range n.branch(0, 2) {
			n.branch(two, 4)
		}
		if n.Forks() != c.forks || n.Dstates() != c.dstates || n.Count().Cmp(bigInt(8)) != 0 {
			t.Errorf("%s: %d copies and %d dstates for %v scenarios", c.name, n.Forks(), n.Dstates(), n.Count())
		}
	}
}

// What the algorithms copy where motes decide most things for themselves, exactly: with each mote more cob has three times as many scenarios to
// copy, cow twice as many sets, and sds twice as many states of the one that is told.
func TestAlarms(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ motes, cob, cow, sds int }{{3, 16, 9, 3}, {5, 320, 99, 15}, {7, 4368, 621, 63}} {
		for _, a := range Algorithms {
			n := alarms(a, c.motes)
			want := map[string]int{"cob": c.cob, "cow": c.cow, "sds": c.sds}[a.Name]
			if n.Forks() != want {
				t.Errorf("%d motes, %s: %d copies, not %d", c.motes, a.Name, n.Forks(), want)
			}
		}
	}
}

// A frame that all states of a mote send alike is no reason to copy anything.
func TestSendTogether(t *testing.T) {
	t.Parallel()
	for _, a := range []*Algorithm{&COW, &SDS} {
		n := start(a, 3)
		if got := n.send(n.branch(0, 3), []int{2, 1}, "f"); !slices.Equal(got, []State{2, 1}) || n.Forks() != 0 || n.Dstates() != 1 {
			t.Errorf("%s: received by %v, %d copies, %d dstates", a.Name, got, n.Forks(), n.Dstates())
		}
	}
}

// history is a random one, as long as there are not too many scenarios. Where only one state of a mote can be meant by a step, no two
// send the same frame.
func history(seed uint64, steps int, one bool, check func(b brute, s step, number int)) {
	r := rand.New(rand.NewPCG(seed, 1))
	b := brute{make([]string, 2+r.IntN(4))}
	for i := range steps {
		if len(b) > 2000 || len(b) == 0 {
			return
		}
		s := b.randomStep(r, i)
		if one {
			s.histories = s.histories[:1]
		}
		next := b.apply(s)
		if len(next) == 0 {
			continue
		}
		b = next
		check(b, s, i)
	}
}

// All algorithms represent the scenarios of the reference, each once, after every step of every history: where frames are all different,
// where several states send the same frame one after the other, and where they do it together. In the second case the firmware itself
// makes states that are the same.
func TestRandomHistories(t *testing.T) {
	t.Parallel()
	histories := 3000
	if testing.Short() {
		histories = 400
	}
	most := 0
	for seed := range uint64(histories) {
		r := rand.New(rand.NewPCG(seed, 1))
		count := 2 + r.IntN(4)
		var nets []*network
		for _, a := range Algorithms {
			nets = append(nets, start(a, count))
		}
		one, apart := seed%3 == 0, seed%3 == 1
		history(seed, 18, one, func(b brute, s step, number int) {
			want := b.scenarios()
			slices.Sort(want)
			most = max(most, len(want))
			for _, n := range nets {
				n.apply(s, !apart)
				got := n.scenarios(t)
				slices.Sort(got)
				if !slices.Equal(got, want) {
					t.Fatalf("seed %d, step %d %+v: %s has scenarios\n%s\nnot\n%s", seed, number, s, n.Algorithm().Name,
						strings.Join(got, "\n"), strings.Join(want, "\n"))
				}
			}
			sds := nets[0]
			if d := sds.duplicates(); len(d) > 0 && !apart {
				t.Fatalf("seed %d, step %d: sds has duplicates %v", seed, number, d)
			}
			for _, n := range nets[1:] {
				if sds.States() > n.States() {
					t.Fatalf("seed %d, step %d: sds has %d states, %s %d", seed, number, sds.States(), n.Algorithm().Name, n.States())
				}
			}
			sds.sound(t)
		})
	}
	if most < 500 {
		t.Errorf("no history has more than %d scenarios: they say little", most)
	}
}

// sound checks that the two views of who is where agree.
func (m *Mapping) sound(t *testing.T) {
	t.Helper()
	members := 0
	for _, d := range m.dstates {
		for mote, states := range d.states {
			members += len(states)
			for _, s := range states {
				if p := m.place(s); p.mote != mote || !slices.Contains(p.in, d) {
					t.Fatalf("state %d is in a dstate and does not know", s)
				}
			}
		}
	}
	for _, p := range m.places {
		members -= len(p.in)
		if len(p.in) == 0 {
			t.Fatal("a state is in no scenario")
		}
	}
	if members != 0 {
		t.Fatal("a state is told to be where it is not")
	}
}

// Explode with states, and Together, are what a look at all scenarios says.
func TestPartOfScenarios(t *testing.T) {
	t.Parallel()
	for seed := range uint64(100) {
		for _, a := range Algorithms {
			r := rand.New(rand.NewPCG(seed, 1))
			n := start(a, 2+r.IntN(4))
			history(seed, 12, false, func(_ brute, s step, _ int) { n.apply(s, true) })
			all := slices.Collect(n.Explode())
			one := all[r.IntN(len(all))]
			motes := r.Perm(n.Motes())[:1+r.IntN(n.Motes())]
			for with := range len(one) + 1 {
				var want, parts [][]State
				for _, s := range all {
					if !slices.Equal(s[:with], one[:with]) {
						continue
					}
					want = append(want, s)
					part := make([]State, len(motes))
					for i, mote := range motes {
						part[i] = s[mote]
					}
					if !slices.ContainsFunc(parts, func(p []State) bool { return slices.Equal(p, part) }) {
						parts = append(parts, part)
					}
				}
				if got := slices.Collect(n.Explode(one[:with]...)); !reflect.DeepEqual(got, want) {
					t.Fatalf("seed %d, %s: with %v there are %v, not %v", seed, a.Name, one[:with], got, want)
				}
				got := slices.Collect(n.Together(motes, one[:with]...))
				slices.SortFunc(got, slices.Compare)
				slices.SortFunc(parts, slices.Compare)
				if !reflect.DeepEqual(got, parts) {
					t.Fatalf("seed %d, %s: motes %v with %v are %v, not %v", seed, a.Name, motes, one[:with], got, parts)
				}
			}
		}
	}
}

// Twenty motes that branch into ten each have 10^20 scenarios. Nobody waits for all of them to see the first.
func TestExplodeLazily(t *testing.T) {
	t.Parallel()
	n := start(&SDS, 20)
	for mote := range 20 {
		n.branch(State(mote), 10)
	}
	if got := n.Count().String(); got != "1"+strings.Repeat("0", 20) {
		t.Fatalf("%s scenarios", got)
	}
	seen := 0
	for s := range n.Explode(5) {
		if s[5] != 5 {
			t.Fatalf("%v has another state of mote 5", s)
		}
		if seen++; seen == 1000 {
			break
		}
	}
	if got := slices.Collect(n.Together([]int{5, 7}, 5)); len(got) != 10 {
		t.Errorf("motes 5 and 7 are together as %v", got)
	}
}

// The same history gives the same copies and the same orders; a mapping that was restored goes on as if nothing had been.
func TestDeterminedAndRestored(t *testing.T) {
	t.Parallel()
	for seed := range uint64(60) {
		for _, a := range Algorithms {
			r := rand.New(rand.NewPCG(seed, 1))
			count := 2 + r.IntN(4)
			one, two := start(a, count), start(a, count)
			history(seed, 12, false, func(_ brute, s step, number int) {
				one.apply(s, true)
				two.apply(s, true)
				if number%3 == 0 {
					m, err := Restore(a, &two.motes, two.Table())
					if err != nil {
						t.Fatal(err)
					}
					two.Mapping = m
				}
				if !reflect.DeepEqual(one.Table(), two.Table()) || !reflect.DeepEqual(one.motes, two.motes) {
					t.Fatalf("seed %d, %s, step %d: %v is not %v", seed, a.Name, number, two.Table(), one.Table())
				}
			})
		}
	}
}

func TestRestoreRefuses(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		algorithm string
		table     [][][]State
		want      string
	}{
		{"sds", [][][]State{{{1}, {2}}, {{3}}}, "dstate 1 has 1 motes, the first has 2: the table is damaged"},
		{"sds", [][][]State{{{1}, {}}}, "dstate 0 has no state of mote 1: the table is damaged"},
		{"sds", [][][]State{{{1}, {1}}}, "dstate 0: state 1 is of mote 0 and of mote 1: the table is damaged"},
		{"sds", [][][]State{{{1, 1}, {2}}}, "dstate 0: state 1 is there twice: the table is damaged"},
		{"cow", [][][]State{{{1}, {2}}, {{3}, {2}}}, "dstate 1: state 2 is in two dstates, as only sds has it: the table was made by another algorithm than cow"},
		{"cob", [][][]State{{{1, 3}, {2}}}, "dstate 0: mote 0 has 2 states, where cob has one: the table was made by another algorithm"},
	} {
		if _, err := Restore(Find(c.algorithm), nil, c.table); fmt.Sprint(err) != c.want {
			t.Errorf("%s %v: %v", c.algorithm, c.table, err)
		}
	}
}

// A caller that mixes states up hears of it.
func TestMisuse(t *testing.T) {
	t.Parallel()
	for name, call := range map[string]func(n *network){
		"unknown state":   func(n *network) { n.Mote(99) },
		"child known":     func(n *network) { n.Branch(0, 1) },
		"to itself":       func(n *network) { n.Send([]State{0}, []int{0}) },
		"twice":           func(n *network) { n.Send([]State{0}, []int{1, 1}) },
		"to nobody":       func(n *network) { n.Send([]State{0}, []int{3}) },
		"senders of two":  func(n *network) { n.Send([]State{0, 1}, []int{2}) },
		"network of none": func(*network) { New(&SDS, nil, nil) },
	} {
		func() {
			defer func() {
				if r := recover(); r == nil || !strings.HasPrefix(fmt.Sprint(r), "BUG: ") {
					t.Errorf("%s: %v", name, r)
				}
			}()
			call(start(&SDS, 3))
		}()
	}
	if Find("cobra") != nil || Find("cow") != &COW {
		t.Error("algorithms are not found by their names")
	}
}

// Mote is whose state it is.
func (m *Mapping) Mote(s State) int { return m.place(s).mote }

// Table is the mapping as plain data: the dstates, of each the states by mote.
func (m *Mapping) Table() [][][]State {
	all := make([][][]State, len(m.dstates))
	for i, d := range m.dstates {
		all[i] = make([][]State, m.motes)
		for mote, states := range d.states {
			all[i][mote] = slices.Clone(states)
		}
	}
	return all
}

// Restore makes a mapping from the table of another, which goes on as that would have. Forks counts from 0 again.
func Restore(a *Algorithm, f Forker, table [][][]State) (*Mapping, error) {
	m := &Mapping{algorithm: a, forker: f, places: map[State]*place{}}
	if len(table) > 0 {
		m.motes = len(table[0])
	}
	for i, row := range table {
		if len(row) != m.motes {
			return nil, fmt.Errorf("dstate %d has %d motes, the first has %d: the table is damaged", i, len(row), m.motes)
		}
		d := m.newDstate()
		for mote, states := range row {
			if len(states) == 0 {
				return nil, fmt.Errorf("dstate %d has no state of mote %d: the table is damaged", i, mote)
			}
			if err := m.refill(d, mote, states); err != nil {
				return nil, fmt.Errorf("dstate %d: %w", i, err)
			}
		}
	}
	return m, nil
}

// Find is the algorithm of a name, nil if there is none.
func Find(name string) *Algorithm {
	i := slices.IndexFunc(Algorithms, func(a *Algorithm) bool { return a.Name == name })
	if i < 0 {
		return nil
	}
	return Algorithms[i]
}

func (m *Mapping) refill(d *dstate, mote int, states []State) error {
	for _, s := range states {
		p := m.places[s]
		switch {
		case p == nil:
			m.introduce(s, mote)
		case p.mote != mote:
			return fmt.Errorf("state %d is of mote %d and of mote %d: the table is damaged", s, p.mote, mote)
		case slices.Contains(p.in, d):
			return fmt.Errorf("state %d is there twice: the table is damaged", s)
		case m.algorithm != &SDS:
			return fmt.Errorf("state %d is in two dstates, as only sds has it: the table was made by another algorithm than %s", s, m.algorithm.Name)
		}
		m.join(s, d)
	}
	if m.algorithm == &COB && len(states) != 1 {
		return fmt.Errorf("mote %d has %d states, where cob has one: the table was made by another algorithm", mote, len(states))
	}
	return nil
}
