package mapping

import (
	"fmt"
	"testing"
)

// collect is a line of motes, the last two of which branch on a reading and report it to mote 0, hop by hop: a frame if it is high, none if
// it is low. So many rounds.
func collect(a *Algorithm, count, rounds int) *network {
	n := start(a, count)
	for round := range rounds {
		for source := count - 2; source < count; source++ {
			n.report(source, fmt.Sprintf("<%d.%d>", round, source))
		}
	}
	return n
}

func (n *network) report(source int, frame string) {
	var high []State
	for s := range len(n.history) {
		if n.mote[s] == source {
			high = append(high, State(s))
		}
	}
	for i, s := range high {
		high[i] = n.branch(s, 2)[1]
	}
	for _, sender := range high {
		senders := []State{sender}
		for hop := source - 1; hop >= 0; hop-- {
			var next []State
			for _, s := range senders {
				next = append(next, n.send([]State{s}, []int{hop}, frame)...)
			}
			senders = next
		}
	}
}

// What the algorithms copy on the same work, on growing networks.
func BenchmarkCollect(b *testing.B) {
	for _, count := range []int{3, 5, 10, 20} {
		for _, a := range Algorithms {
			b.Run(fmt.Sprintf("%d/%s", count, a.Name), func(b *testing.B) {
				var n *network
				for b.Loop() {
					n = collect(a, count, 3)
				}
				b.ReportMetric(float64(n.Forks()), "forks")
				b.ReportMetric(float64(n.States()), "states")
				b.ReportMetric(float64(n.Dstates()), "dstates")
			})
		}
	}
}

// alarms is a star: motes branch on two readings each, and only if both are high they tell mote 0.
func alarms(a *Algorithm, count int) *network {
	n := start(a, count)
	for mote := 1; mote < count; mote++ {
		for _, history := range []string{"", "b"} {
			for _, s := range n.at(mote, history) {
				n.branch(s, 2)
			}
		}
	}
	for mote := 1; mote < count; mote++ {
		for _, s := range n.at(mote, "bb") {
			n.send([]State{s}, []int{0}, fmt.Sprintf("<%d>", mote))
		}
	}
	return n
}

// The usual case: motes decide most things for themselves.
func BenchmarkAlarms(b *testing.B) {
	for _, count := range []int{3, 5, 7} {
		for _, a := range Algorithms {
			b.Run(fmt.Sprintf("%d/%s", count, a.Name), func(b *testing.B) {
				var n *network
				for b.Loop() {
					n = alarms(a, count)
				}
				b.ReportMetric(float64(n.Forks()), "forks")
				b.ReportMetric(float64(n.States()), "states")
				b.ReportMetric(float64(n.Dstates()), "dstates")
			})
		}
	}
}

// Neighbours tell each other what they have come to: the worst that a line can do.
func BenchmarkGossip(b *testing.B) {
	for _, count := range []int{3, 4, 5} {
		for _, a := range Algorithms {
			b.Run(fmt.Sprintf("%d/%s", count, a.Name), func(b *testing.B) {
				var n *network
				for b.Loop() {
					n = start(a, count)
					for mote := range count {
						n.gossip(mote)
					}
				}
				b.ReportMetric(float64(n.Forks()), "forks")
				b.ReportMetric(float64(n.States()), "states")
			})
		}
	}
}

func (n *network) gossip(mote int) {
	var all, to []State
	for s := range len(n.history) {
		if n.mote[s] == mote {
			all = append(all, State(s))
		}
	}
	var near []int
	for _, m := range []int{mote - 1, mote + 1} {
		if m >= 0 && m < n.Motes() {
			near = append(near, m)
		}
	}
	for _, s := range all {
		to = append(to, n.branch(s, 2)...)
	}
	for i, s := range to {
		n.send([]State{s}, near, fmt.Sprintf("<%d.%d>", mote, i))
	}
}

// Motes is how many there are.
func (m *Mapping) Motes() int { return m.motes }

// Forks counts the states that were copied for the sake of mapping. Branches are not among them.
func (m *Mapping) Forks() int { return m.forks }
