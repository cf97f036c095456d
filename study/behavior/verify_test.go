package behavior

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"motehound/observe/calltree"
)

// randomRun is the instances of a mote: of a few interrupts, some open for long, in order of start.
func randomRun(r *rand.Rand, b *calltree.Book, mote, n int) []calltree.Instance {
	pool := map[uint16][]*calltree.Node{}
	for _, v := range []uint16{16, 18, 22} {
		for range 1 + r.IntN(3) {
			pool[v] = append(pool[v], randomTree(r, b, v, 3, 2))
		}
	}
	job := make([]int, 1+r.IntN(5)) // interrupt 18 tends to do one job
	for i := range job {
		job[i] = r.IntN(3)
	}
	noisy := r.IntN(30)
	var run []calltree.Instance
	numbers := map[uint16]uint32{}
	clock, done := uint64(0), 0
	for i := range n {
		clock += uint64(1 + r.IntN(20))
		v := []uint16{16, 18, 18, 22}[r.IntN(4)]
		trees := pool[v]
		k := r.IntN(len(trees))
		if v == 18 && (noisy == 0 || r.IntN(noisy+1) > 0) {
			k = job[done%len(job)] % len(trees)
			done++
		}
		numbers[v]++
		run = append(run, calltree.Instance{Mote: mote, Vector: v, Number: numbers[v], Serial: uint64(i), Start: clock,
			End: clock + uint64(r.IntN(8)*r.IntN(8)), Complete: r.IntN(200) > 0, Tree: trees[k]})
	}
	// An instance executes when it starts and when it ends, say.
	for i := range run {
		x := &run[i]
		for _, y := range run {
			in := func(c uint64) bool { return c >= x.Start && c <= x.End }
			if y.Serial != x.Serial && (in(y.Start) || in(y.End)) {
				x.Within = append(x.Within, y.Serial)
			}
		}
	}
	return run
}

// TestWeaveIsAsDefined compares with looking at all pairs of instances.
func TestWeaveIsAsDefined(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(11, 12))
	for range 300 {
		b := calltree.NewBook()
		run := randomRun(r, b, 0, 150)
		cast := newCast(b)
		sorters := map[uint16]*sorter{}
		plan := Plan{Depth: 2 * 2}
		if r.IntN(2) == 0 {
			plan.Drops = []Drop{{"A16", 2 * 2}}
		}
		models := map[uint64]*Model{}
		var got []sequenceMember
		w := newWeave(func(m sequenceMember) { got = append(got, m) })
		for i := range run {
			x := &run[i]
			if sorters[x.Vector] == nil {
				sorters[x.Vector] = newSorter(cast, x.Vector, &plan)
			}
			if x.Complete {
				models[x.Serial] = sorters[x.Vector].take(x.Tree)
			}
			w.take(x, models[x.Serial])
		}
		w.close()
		next := 0
		last := map[uint16]uint64{}
		for _, x := range run {
			m := models[x.Serial]
			if m == nil || m.Dropped {
				continue
			}
			if next == len(got) || got[next].Number != x.Number || got[next].Model != m {
				t.Fatalf("instance %d is not the next member", x.Serial)
			}
			inside, before := map[int32]bool{}, map[int32]bool{}
			for _, s := range x.Within {
				if models[s] != nil {
					inside[models[s].Number] = true
				}
			}
			from, seen := last[x.Vector]
			for s := from + 1; seen && s < x.Serial; s++ {
				if models[s] != nil {
					before[models[s].Number] = true
				}
			}
			checkSet(t, "inside", got[next].Inside, inside)
			if seen {
				checkSet(t, "before", got[next].Before, before)
			}
			last[x.Vector] = x.Serial
			next++
		}
		if next != len(got) {
			t.Fatal("more members than instances")
		}
	}
}

func checkSet(t *testing.T, what string, got modelSet, want map[int32]bool) {
	t.Helper()
	n := 0
	got.each(func(m int32) {
		n++
		if !want[m] {
			t.Fatalf("%s has %d", what, m)
		}
	})
	if n != len(want) {
		t.Fatalf("%s has %d models, want %d", what, n, len(want))
	}
}

// TestMemoryOfTheWeaveIsBounded by what is open at once.
func TestMemoryOfTheWeaveIsBounded(t *testing.T) {
	t.Parallel()
	b := calltree.NewBook()
	n := tree(t, b, "int: I18")
	s := newSorter(newCast(b), 18, &Plan{Depth: 2})
	w := newWeave(func(sequenceMember) {})
	for i := range uint64(100_000) {
		x := calltree.Instance{Vector: 18, Serial: i, Start: 10 * i, End: 10*i + 25, Complete: true, Tree: n, Within: []uint64{i + 1, i + 2}}
		w.take(&x, s.take(n))
		if len(w.recent) > 200 || len(w.waiting) > 4 {
			t.Fatalf("%d and %d are kept", len(w.recent), len(w.waiting))
		}
	}
}

// isMadeOf tells by trying everything whether a folded sequence is the end of a flow, flows, and the beginning of one.
func isMadeOf(seq Pattern, flows []Pattern) bool {
	reach := make([]bool, len(seq)+1) // a flow can begin there
	reach[0] = true
	for _, f := range flows {
		for i := range f {
			if end := len(f) - i; end <= len(seq) && slices.Equal(seq[:end], f[i:]) {
				reach[end] = true
			} else if end > len(seq) && slices.Equal(seq, f[i:i+len(seq)]) {
				return true
			}
		}
	}
	for i := range seq {
		if !reach[i] {
			continue
		}
		for _, f := range flows {
			if len(seq)-i < len(f) {
				if slices.Equal(seq[i:], f[:len(seq)-i]) {
					return true
				}
			} else if slices.Equal(seq[i:i+len(f)], f) {
				reach[i+len(f)] = true
			}
		}
	}
	return reach[len(seq)]
}

func TestAcceptorAcceptsWhatIsMadeOfFlows(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(13, 14))
	accepted := 0
	for range 60_000 {
		var flows []Pattern
		for range 1 + r.IntN(3) {
			var f Pattern
			for range 1 + r.IntN(4) {
				f = Fold(f, int32(r.IntN(3)))
			}
			flows = append(flows, f)
		}
		var seq Pattern
		for range r.IntN(5) {
			f := flows[r.IntN(len(flows))]
			for _, m := range f {
				seq = Fold(seq, m)
			}
		}
		if len(seq) > 0 && r.IntN(2) == 0 {
			seq = seq[r.IntN(len(seq)):]
		}
		a := newAcceptor(flows)
		a.settled = true // else the start does not count
		breaks := 0
		a.broke = func(b sequenceBreak) {
			breaks++
			if len(b.Window) == 0 || b.Odd >= len(b.Window)+b.More {
				t.Fatalf("flows %v, %v: break %+v", flows, seq, b)
			}
		}
		for i, m := range seq {
			a.take(Step{Model: m, Number: uint32(i)}, nil, nil)
		}
		a.close()
		want := isMadeOf(seq, flows)
		if want != (breaks == 0) {
			t.Fatalf("flows %v, sequence %v: %d breaks, but made of flows is %v", flows, seq, breaks, want)
		}
		if want {
			accepted++
		}
	}
	if accepted < 10_000 {
		t.Fatal("too few sequences are made of flows", accepted)
	}
}

func patternOf(text string) (p Pattern) {
	for _, m := range text {
		p = append(p, m-'A')
	}
	return p
}

func TestWindowsOfBreaks(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ flow, models, want string }{
		{"AABAAC", "AABAAC AABAABAAC AABAAC", "AABAABAAC at 5"}, // Figure 9
		{"AABAAC", "AAC AAAAABAAAAC AAB", ""},                   // begins and ends within a flow; longer runs
		{"AABAAC", "AABAAC D AABAAC", "DAABAAC at 0"},
		{"AABAAC", "DDED AABAAC AABAAC", ""},      // starts up
		{"AAB", "DEDEDEDE", "DEDEDEDE at 0 open"}, // never does the job
		{"AAB", "DEDE", ""},                       // too short to tell
		{"AABAAC", "AABAACAABD", "AABD at 3 open"},
		{"AAB", "AAB D AAB AAB", "DAAB at 0"},
		{"AAB", "AABAAB AB AAB", "AB at 1"},
		{"A", "AAAAA", ""},
		{"A", "AABA", "BA at 0"},
	} {
		a := newAcceptor([]Pattern{patternOf(c.flow)})
		got := ""
		a.broke = func(b sequenceBreak) {
			for _, s := range b.Window {
				got += string('A' + s.Model)
			}
			got += fmt.Sprint(" at ", b.Odd)
			if b.Open {
				got += " open"
			}
		}
		for _, m := range patternOf(strings.ReplaceAll(c.models, " ", "")) {
			a.take(Step{Model: m}, nil, nil)
		}
		a.close()
		if got != c.want {
			t.Errorf("%s in %s: %q, want %q", c.flow, c.models, got, c.want)
		}
	}
}

func someSource() Source {
	return Source{Firmware: "app.elf", VectorName: func(v uint16) string { return fmt.Sprint("INT", v) }, MoteID: func(i int) int { return i }}
}

func mineRuns(t *testing.T, b *calltree.Book, p Plan, watched []uint16, runs ...[]calltree.Instance) (*File, []MinedVector) {
	t.Helper()
	m := NewMiner(b, p, watched)
	for _, run := range runs {
		for _, x := range run {
			m.Take(x)
		}
	}
	mined := m.Finish()
	f, err := ReadFile(m.FileOf(mined, someSource()).Bytes())
	if err != nil {
		t.Fatal(err)
	}
	return f, mined
}

func verifyRuns(t *testing.T, b *calltree.Book, f *File, runs ...[]calltree.Instance) []*Violation {
	t.Helper()
	v, err := NewVerifier(b, f, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, run := range runs {
		for _, x := range run {
			v.Take(x)
		}
	}
	list, _ := v.Finish()
	return list
}

// TestARunIsAsItself mines random runs and verifies them, also with another Book, as after a rebuild.
func TestARunIsAsItself(t *testing.T) {
	t.Parallel()
	checked := 0
	for seed := range uint64(400) {
		r := rand.New(rand.NewPCG(seed, 15))
		b := calltree.NewBook()
		runs := [][]calltree.Instance{randomRun(r, b, 0, 120), randomRun(r, b, 1, 60)}
		plan := Plan{Depth: Depth(1 + r.IntN(6))}
		var watched []uint16
		if r.IntN(3) == 0 {
			watched = []uint16{18}
		}
		f, mined := mineRuns(t, b, plan, watched, runs...)
		for _, v := range mined {
			if v.Watched && !v.Loose && len(v.Models) > 1 {
				checked++
			}
		}
		if list := verifyRuns(t, b, f, runs...); len(list) > 0 {
			t.Fatalf("seed %d: %+v\n%s", seed, *list[0], f.Bytes())
		}
		again := rand.New(rand.NewPCG(seed, 15))
		other := calltree.NewBook()
		other.Func("something else", "x.c", 1)
		runs = [][]calltree.Instance{randomRun(again, other, 0, 120), randomRun(again, other, 1, 60)}
		if list := verifyRuns(t, other, f, runs...); len(list) > 0 {
			t.Fatalf("seed %d, another book: %+v", seed, *list[0])
		}
	}
	if checked < 300 {
		t.Fatal("few of the sequences were checked:", checked)
	}
}

// TestWhatIsApprovedIsNotReported approves all violations of other runs until there are none.
func TestWhatIsApprovedIsNotReported(t *testing.T) {
	t.Parallel()
	kinds := map[string]int{}
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 16))
		b := calltree.NewBook()
		plan := Plan{Depth: Depth(2 + r.IntN(4))}
		f, _ := mineRuns(t, b, plan, nil, randomRun(r, b, 0, 100))
		other := randomRun(r, b, 1, 100)
		for round := 0; ; round++ {
			list := verifyRuns(t, b, f, other)
			if len(list) == 0 {
				break
			}
			if round == 12 {
				t.Fatalf("seed %d: still %+v", seed, *list[0])
			}
			for _, v := range list {
				kinds[v.Kind]++
			}
			if _, err := f.Approve(list, nil); err != nil {
				t.Fatalf("seed %d: %v", seed, err)
			}
			var err error
			if f, err = ReadFile(f.Bytes()); err != nil {
				t.Fatal(err)
			}
		}
	}
	if kinds[ProcedureViolation] < 100 || kinds[JobflowViolation] < 100 || kinds[InterleavingViolation] < 100 {
		t.Fatal("the runs show little:", kinds)
	}
}

func TestFileIsStable(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 17))
	b := calltree.NewBook()
	f, _ := mineRuns(t, b, Plan{Depth: 3}, nil, randomRun(r, b, 0, 100))
	first := f.Bytes()
	again, err := ReadFile(first)
	if err != nil || !bytes.Equal(first, again.Bytes()) {
		t.Error("reading and writing changes the file", err)
	}
	if strings.Contains(string(first), "0x") {
		t.Error("addresses in the file")
	}
}
