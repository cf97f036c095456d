package search

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
)

func start(t *testing.T, name string, seed uint64) Searcher {
	t.Helper()
	s, err := New(name, seed)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func next(t *testing.T, s Searcher) State {
	t.Helper()
	n, ok := s.Next()
	if !ok {
		t.Fatal("nothing is ready")
	}
	return n
}

// again is the search after a pause, through JSON.
func again(t *testing.T, s Searcher) Searcher {
	t.Helper()
	text, err := json.Marshal(s.Save())
	if err != nil {
		t.Fatal(err)
	}
	var saved Saved
	if err := json.Unmarshal(text, &saved); err != nil {
		t.Fatal(err)
	}
	r, err := Restore(&saved)
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(r.Save(), s.Save()) {
		t.Fatalf("restored, it is\n%+v, not\n%+v", r.Save(), s.Save())
	}
	return r
}

// Whoever is chosen branches.
func TestOrders(t *testing.T) {
	for _, c := range []struct {
		name string
		want string
	}{
		{"dfs", "0 1 2 3 4"}, // what is new
		{"bfs", "0 0 1 0 1"}, // by turns
	} {
		s := start(t, c.name, 0)
		s.Add(Root, 0)
		var got []string
		for i := range 5 {
			n := next(t, s)
			got = append(got, fmt.Sprint(n))
			s.Add(n, State(i+1))
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s: %v, not %s", c.name, got, c.want)
		}
	}
}

// program is an abstract one: a tree of branches, whose leaves are its paths. A state is at a node.
type program struct {
	random *rand.Rand
	limit  int
	salt   uint64
}

// branches is how many ways lead on from a node, by its name.
func (p *program) branches(node string) int {
	if len(node) >= p.limit {
		return 0
	}
	h := p.salt
	for _, c := range node {
		h = h*31 + uint64(c)
	}
	ways := []int{1, 2, 3, 2, 1, 0}
	if len(node) > 3 {
		ways = append(ways, 0)
	}
	return ways[rand.New(rand.NewPCG(h, 7)).IntN(len(ways))]
}

// explore runs a program to the end of all its paths, and tells them in order of their ends. Now and then a state is blocked.
func (p *program) explore(t *testing.T, s Searcher, pauses bool) []string {
	t.Helper()
	at := []string{"x"}
	s.Add(Root, 0)
	var ends []string
	var blocked []State
	for s.Len() > 0 {
		n, ok := s.Next()
		if !ok {
			for _, b := range blocked {
				s.Unblock(b)
			}
			blocked = nil
			continue
		}
		ways := p.branches(at[n])
		switch {
		case ways == 0:
			ends = append(ends, at[n])
			s.Remove(n)
			continue
		case p.random.IntN(4) == 0:
			s.Block(n)
			blocked = append(blocked, n)
			continue
		}
		for w := 1; w < ways; w++ {
			c := State(len(at))
			at = append(at, at[n]+string(rune('a'+w)))
			s.Add(n, c)
			s.Rate(c, Rating{Distance: uint32(p.random.IntN(50)), Since: uint32(p.random.IntN(100_000))})
		}
		at[n] += "a"
		if pauses && len(at)%7 == 0 {
			s = again(t, s)
		}
	}
	return ends
}

// Every strategy comes to the end of the same paths, each once, and a search that was paused takes the same way as one that was not.
func TestComplete(t *testing.T) {
	most := 0
	for seed := range uint64(40) {
		var all []string
		for _, strategy := range Strategies {
			var runs [][]string
			for _, pauses := range []bool{false, false, true} {
				p := &program{random: rand.New(rand.NewPCG(seed, 3)), limit: 4 + int(seed%9), salt: seed}
				s := start(t, strategy.Name, seed)
				runs = append(runs, p.explore(t, s, pauses))
			}
			if !slices.Equal(runs[0], runs[1]) || !slices.Equal(runs[0], runs[2]) {
				t.Fatalf("seed %d, %s: runs differ", seed, strategy.Name)
			}
			ends := slices.Sorted(slices.Values(runs[0]))
			if len(slices.Compact(slices.Clone(ends))) != len(ends) {
				t.Fatalf("seed %d, %s: some path ends twice: %v", seed, strategy.Name, ends)
			}
			if all == nil {
				all = ends
			}
			if !slices.Equal(ends, all) {
				t.Fatalf("seed %d, %s: paths %v, not %v", seed, strategy.Name, ends, all)
			}
			most = max(most, len(ends))
		}
	}
	if most < 50 {
		t.Errorf("no program has more than %d paths: they say little", most)
	}
}

// naive is what a strategy promises, without any structure.
type naive struct {
	states  []State // by age
	depth   map[State]int
	blocked map[State]bool
}

func (n *naive) ready() (all []State) {
	for _, s := range n.states {
		if !n.blocked[s] {
			all = append(all, s)
		}
	}
	return all
}

func (n *naive) want(name string) State {
	all := n.ready()
	if name == "dfs" {
		return all[len(all)-1]
	}
	best := all[0]
	for _, s := range all {
		if n.depth[s] < n.depth[best] {
			best = s
		}
	}
	return best
}

// Random calls against the naive reference; and from every pause on, the search and its restored twin agree.
func TestAgainstNaive(t *testing.T) {
	for _, strategy := range Strategies {
		for seed := range uint64(30) {
			r := rand.New(rand.NewPCG(seed, 5))
			s := start(t, strategy.Name, seed)
			twin := again(t, s)
			ref := naive{depth: map[State]int{}, blocked: map[State]bool{}}
			for step := range 400 {
				op := r.IntN(8)
				if len(ref.states) == 0 || op < 3 {
					parent := Root
					if len(ref.states) > 0 && r.IntN(10) > 0 {
						parent = ref.states[r.IntN(len(ref.states))]
						ref.depth[parent]++
						ref.depth[State(step)] = ref.depth[parent]
					}
					ref.states = append(ref.states, State(step))
					s.Add(parent, State(step))
					twin.Add(parent, State(step))
				} else {
					at := r.IntN(len(ref.states))
					x := ref.states[at]
					rating := Rating{Distance: uint32(r.IntN(40)), Since: uint32(r.IntN(9000))}
					if r.IntN(5) == 0 {
						rating.Distance = Unreachable
					}
					for _, y := range []Searcher{s, twin} {
						switch op {
						case 3, 4:
							y.Remove(x)
						case 5:
							y.Block(x)
						case 6:
							y.Unblock(x)
						default:
							y.Rate(x, rating)
						}
					}
					switch op {
					case 3, 4:
						ref.states = slices.Delete(ref.states, at, at+1)
						delete(ref.blocked, x)
					case 5, 6:
						ref.blocked[x] = op == 5
					}
				}
				ready := ref.ready()
				if s.Len() != len(ref.states) || s.Ready() != len(ready) {
					t.Fatalf("%s, seed %d: %d states, %d ready, not %d and %d", strategy.Name, seed, s.Len(), s.Ready(), len(ref.states), len(ready))
				}
				got, ok := s.Next()
				other, _ := twin.Next()
				switch {
				case ok != (len(ready) > 0) || ok && !slices.Contains(ready, got):
					t.Fatalf("%s, seed %d: %d, %v of %v", strategy.Name, seed, got, ok, ready)
				case got != other:
					t.Fatalf("%s, seed %d: after a pause it goes on with %d, not with %d", strategy.Name, seed, other, got)
				case ok && strategy.Name[1:] == "fs" && got != ref.want(strategy.Name):
					t.Fatalf("%s, seed %d: %d, not %d", strategy.Name, seed, got, ref.want(strategy.Name))
				}
				if step%37 == 0 {
					twin = again(t, twin)
				}
			}
		}
	}
}

// A loop that can be left at each turn: random path takes half of its turns out of the first branch, a quarter out of the second.
func TestPathChances(t *testing.T) {
	const turns, draws = 5, 64_000
	s := start(t, "path", 1)
	s.Add(Root, 0)
	for i := range turns {
		s.Add(0, State(i+1)) // 0 goes round once more, i+1 leaves
	}
	count := make([]int, turns+1)
	for range draws {
		count[next(t, s)]++
	}
	for i := range turns {
		if want := draws >> (i + 1); count[i+1] < want*9/10 || count[i+1] > want*11/10 {
			t.Errorf("out at turn %d: %d of %d, not about %d", i+1, count[i+1], draws, want)
		}
	}
	s.Block(1) // then the others have all the chances
	clear(count)
	for range draws {
		count[next(t, s)]++
	}
	if count[1] != 0 || count[2] < draws*45/100 || count[2] > draws*55/100 {
		t.Errorf("without the first: %v", count)
	}
}

// Of two states the nearer to new code is chosen more often, by the square; the other is not forgotten.
func TestCoverageChances(t *testing.T) {
	const draws = 50_000
	s := start(t, "coverage", 1)
	for i, r := range []Rating{{Distance: 1, Since: 1e9}, {Distance: 3, Since: 1e9}, {Distance: Unreachable, Since: 1e9}, {Distance: Unreachable, Since: 0}} {
		s.Add(Root, State(i))
		s.Rate(State(i), r)
	}
	count := make([]int, 4)
	for range draws {
		count[next(t, s)]++
	}
	// 1/4, 1/16, nearly nothing, 1
	if r := float64(count[0]) / float64(count[1]); r < 3.5 || r > 4.5 {
		t.Errorf("at distances 1 and 3: %v", count)
	}
	if r := float64(count[3]) / float64(count[0]); r < 3.5 || r > 4.5 {
		t.Errorf("one that has just run something new: %v", count)
	}
	for i := range 3 {
		s.Remove(State(i + 1))
	}
	if next(t, s) != 0 {
		t.Error("one that is gone is chosen")
	}
	s.Rate(0, Rating{Distance: Unreachable, Since: ^uint32(0)})
	if next(t, s) != 0 {
		t.Error("the last is forgotten")
	}
}

func TestRestoreRefuses(t *testing.T) {
	s := start(t, "path", 1)
	s.Add(Root, 7)
	s.Add(7, 8)
	good := *s.Save()
	for _, c := range []struct {
		want   string
		damage func(s *Saved)
	}{
		{`saved search: there is no search strategy "astar": choose one of dfs, bfs, path, coverage`, func(s *Saved) { s.Strategy = "astar" }},
		{"saved search: state 7 is there twice, or has no name: the file is damaged", func(s *Saved) { s.States[1].State = 7 }},
		{"saved search: state 8 is out of order: the file is damaged", func(s *Saved) { s.States[1].Seq = 0 }},
		{"saved search: state 8 is out of order: the file is damaged", func(s *Saved) { s.Next = 1 }},
		{"saved search: the tree has state 9, which is unknown or there twice: the file is damaged", func(s *Saved) { s.Tree[1] = 9 }},
		{"saved search: the tree has state 8, which is unknown or there twice: the file is damaged", func(s *Saved) { s.Tree[1] = 8 }},
		{"saved search: the tree has state 4294967303, which is unknown or there twice: the file is damaged", func(s *Saved) { s.Tree[1] = 1<<32 + 7 }},
		{"saved search: the tree has more after its end: the file is damaged", func(s *Saved) { s.Tree = s.Tree[1:] }},
		{"saved search: the tree has 1 of 2 states, and 1 branches without an end: the file is damaged", func(s *Saved) { s.Tree = s.Tree[:2] }},
		{"saved search: the state of the generator cannot be read (invalid PCG encoding): the file is damaged", func(s *Saved) { s.Random = nil }},
	} {
		bad := good
		bad.States, bad.Tree = slices.Clone(good.States), slices.Clone(good.Tree)
		c.damage(&bad)
		if _, err := Restore(&bad); fmt.Sprint(err) != c.want {
			t.Errorf("%v\nnot\n%s", err, c.want)
		}
	}
}

// FuzzRestore: whatever is in a file, it is refused, or the search can be used.
func FuzzRestore(f *testing.F) {
	for _, strategy := range Strategies {
		s, _ := New(strategy.Name, 1)
		s.Add(Root, 1)
		s.Add(1, 2)
		s.Add(2, 3)
		s.Block(2)
		text, _ := json.Marshal(s.Save())
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		var saved Saved
		if json.Unmarshal(text, &saved) != nil {
			return
		}
		s, err := Restore(&saved)
		if err != nil {
			return
		}
		for s.Ready() > 0 {
			n, ok := s.Next()
			if !ok {
				t.Fatal("ready, and nothing to choose")
			}
			s.Remove(n)
		}
	})
}

func TestMisuse(t *testing.T) {
	for name, call := range map[string]func(s Searcher){
		"known":   func(s Searcher) { s.Add(Root, 1) },
		"unnamed": func(s Searcher) { s.Add(Root, Root) },
		"unknown": func(s Searcher) { s.Rate(2, Rating{}) },
		"parent":  func(s Searcher) { s.Add(2, 3) },
	} {
		for _, strategy := range Strategies {
			func() {
				defer func() {
					if r := recover(); r == nil || !strings.HasPrefix(fmt.Sprint(r), "BUG: ") {
						t.Errorf("%s, %s: %v", strategy.Name, name, r)
					}
				}()
				s := start(t, strategy.Name, 0)
				s.Add(Root, 1)
				call(s)
			}()
		}
	}
	if _, err := New("best", 0); err == nil {
		t.Error("a strategy that there is not")
	}
}

func BenchmarkNext(b *testing.B) {
	for _, strategy := range Strategies {
		b.Run(strategy.Name, func(b *testing.B) {
			s, _ := New(strategy.Name, 1)
			s.Add(Root, 0)
			r := rand.New(rand.NewPCG(1, 1))
			for i := range 10_000 {
				s.Add(State(r.IntN(i+1)), State(i+1))
			}
			i := State(10_001)
			for b.Loop() {
				n, _ := s.Next()
				s.Add(n, i)
				s.Remove(n)
				i++
			}
		})
	}
}
