package mapping

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// Scenarios that are parted go on as they would have together, whatever happens after that.
func TestPart(t *testing.T) {
	t.Parallel()
	parts := 0
	for seed := range uint64(300) {
		for _, a := range Algorithms {
			r := rand.New(rand.NewPCG(seed, 7))
			count := 2 + rand.New(rand.NewPCG(seed, 1)).IntN(4)
			first := start(a, count)
			nets := []*Mapping{first.Mapping}
			history(seed, 14, false, func(b brute, s step, _ int) {
				var got []string
				for i := 0; i < len(nets); i++ {
					one := &network{motes: first.motes, Mapping: nets[i]}
					one.among(s)
					first.motes = one.motes
					nets[i].forker = &first.motes
					if nets[i].Dstates() == 0 {
						nets = slices.Delete(nets, i, i+1)
						i--
						continue
					}
					got = append(got, (&network{motes: first.motes, Mapping: nets[i]}).scenarios(t)...)
				}
				want := b.scenarios()
				slices.Sort(want)
				if slices.Sort(got); !slices.Equal(got, want) {
					t.Fatalf("seed %d, %s: scenarios are %q, not %q", seed, a.Name, got, want)
				}
				i := r.IntN(len(nets))
				var rank func(State) uint32
				if seed%2 == 0 {
					rank = func(s State) uint32 { return uint32(s) % 3 }
				}
				if p := nets[i].Part(rank); p != nil {
					parts++
					nets = append(nets, p)
				} else if nets[i].Count().Cmp(bigInt(1)) != 0 {
					t.Fatalf("%d scenarios cannot be parted", nets[i].Count())
				}
				for _, m := range nets {
					if _, err := Restore(a, &first.motes, m.Table()); err != nil {
						t.Fatal(err)
					}
				}
			})
		}
	}
	if parts < 1000 {
		t.Errorf("only %d parts", parts)
	}
}

// among does a step to the states of this mapping that it is about.
func (n *network) among(s step) {
	n.forker = &n.motes
	some := false
	for _, h := range s.histories {
		for _, state := range n.at(s.mote, h) {
			if n.places[state] == nil {
				n.gone[state] = true // for now: it is another mapping's
				defer func() { n.gone[state] = false }()
			} else {
				some = true
			}
		}
	}
	if some {
		n.apply(s, true)
	}
}
