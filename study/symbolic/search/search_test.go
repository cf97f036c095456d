package search

import (
	"fmt"
	"math/rand/v2"
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
		t.Fatal("there is none")
	}
	return n
}

// Whoever is chosen branches.
func TestOrders(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		want string
	}{
		{"dfs", "0 1 2 3 4"}, // what is new
		{"bfs", "0 0 1 0 1"}, // by turns
		{"oldest", "0 0 0 0 0"},
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

// explore runs a program to the end of all its paths, and tells them in order of their ends.
func (p *program) explore(s Searcher) []string {
	at := []string{"x"}
	s.Add(Root, 0)
	var ends []string
	for {
		n, ok := s.Next()
		if !ok {
			return ends
		}
		ways := p.branches(at[n])
		if ways == 0 {
			ends = append(ends, at[n])
			s.Remove(n)
			continue
		}
		for w := 1; w < ways; w++ {
			c := State(len(at))
			at = append(at, at[n]+string(rune('a'+w)))
			s.Add(n, c)
			s.Rate(c, Rating{Distance: uint32(p.random.IntN(50)), Since: uint32(p.random.IntN(100_000))})
		}
		at[n] += "a"
	}
}

// Every strategy comes to the end of the same paths, each once, and by the same way again.
func TestComplete(t *testing.T) {
	t.Parallel()
	most := 0
	for seed := range uint64(40) {
		var all []string
		for _, strategy := range Strategies {
			var runs [][]string
			for range 2 {
				p := &program{random: rand.New(rand.NewPCG(seed, 3)), limit: 4 + int(seed%9), salt: seed}
				s := start(t, strategy.Name, seed)
				runs = append(runs, p.explore(s))
			}
			if !slices.Equal(runs[0], runs[1]) {
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
	states []State // by age
	depth  map[State]int
}

func (n *naive) want(name string) State {
	if name == "dfs" {
		return n.states[len(n.states)-1]
	}
	best := n.states[0]
	if name == "oldest" {
		return best
	}
	for _, s := range n.states {
		if n.depth[s] < n.depth[best] {
			best = s
		}
	}
	return best
}

// Random calls against the naive reference.
func TestAgainstNaive(t *testing.T) {
	t.Parallel()
	for _, strategy := range Strategies {
		for seed := range uint64(30) {
			r := rand.New(rand.NewPCG(seed, 5))
			s := start(t, strategy.Name, seed)
			ref := naive{depth: map[State]int{}}
			for step := range 400 {
				op := r.IntN(6)
				if len(ref.states) == 0 || op < 3 {
					parent := Root
					if len(ref.states) > 0 && r.IntN(10) > 0 {
						parent = ref.states[r.IntN(len(ref.states))]
						ref.depth[parent]++
						ref.depth[State(step)] = ref.depth[parent]
					}
					ref.states = append(ref.states, State(step))
					s.Add(parent, State(step))
				} else if at := r.IntN(len(ref.states)); op < 5 {
					s.Remove(ref.states[at])
					ref.states = slices.Delete(ref.states, at, at+1)
				} else {
					rating := Rating{Distance: uint32(r.IntN(40)), Since: uint32(r.IntN(9000))}
					if r.IntN(5) == 0 {
						rating.Distance = Unreachable
					}
					s.Rate(ref.states[at], rating)
				}
				got, ok := s.Next()
				switch {
				case s.Len() != len(ref.states):
					t.Fatalf("%s, seed %d: %d states, not %d", strategy.Name, seed, s.Len(), len(ref.states))
				case ok != (len(ref.states) > 0) || ok && !slices.Contains(ref.states, got):
					t.Fatalf("%s, seed %d: %d, %v of %v", strategy.Name, seed, got, ok, ref.states)
				case ok && strategy.Name[1:] == "fs" && got != ref.want(strategy.Name):
					t.Fatalf("%s, seed %d: %d, not %d", strategy.Name, seed, got, ref.want(strategy.Name))
				}
			}
		}
	}
}

// A loop that can be left at each turn: random path takes half of its turns out of the first branch, a quarter out of the second.
func TestPathChances(t *testing.T) {
	t.Parallel()
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
}

// Of two states the nearer to new code is chosen more often, by the square; the other is not forgotten.
func TestCoverageChances(t *testing.T) {
	t.Parallel()
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

func TestMisuse(t *testing.T) {
	t.Parallel()
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
