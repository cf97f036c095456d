package main

import (
	"sync"

	"motehound/study/check"
)

// survey is what a search that keeps no states did, by how many events came before: what it did to depth d is what it did in its
// first d levels.
type survey struct {
	sync.Mutex
	fired []float64         // transitions, by level
	first map[[2]uint64]int // states, by the first level in which they were seen
}

// surveyed is a System that tells a survey what becomes of it.
type surveyed struct {
	check.System
	level int
	to    *survey
}

func (s *surveyed) Clone() check.System { return &surveyed{s.System.Clone(), s.level, s.to} }

func (s *surveyed) CopyFrom(other check.System) {
	from := other.(*surveyed)
	s.level = from.level
	s.System.CopyFrom(from.System)
}

func (s *surveyed) Track(on bool) { s.System.(check.Tracker).Track(on) }

func (s *surveyed) List(on bool) { s.System.(check.Intruder).List(on) }

func (s *surveyed) Fire(e check.Event) (check.Step, error) {
	step, err := s.System.Fire(e)
	s.level++
	h := s.Hash()
	s.to.Lock()
	defer s.to.Unlock()
	s.to.fired[s.level-1]++
	if l, ok := s.to.first[h]; !ok || s.level < l {
		s.to.first[h] = s.level
	}
	return step, err
}

// growth is how a search grows: element d-1 is for depth d.
type growth struct {
	transitions []float64
	states      []int
}

// grow searches to a depth.
func grow(base check.System, how check.Reduction, depth int) (*growth, error) {
	to := &survey{fired: make([]float64, depth), first: map[[2]uint64]int{base.Hash(): 0}}
	root := &surveyed{base.Clone(), 0, to}
	defer root.Release()
	if _, err := check.Search(root, check.SearchOptions{Depth: depth, Stateless: true, Reduce: how, Threads: 1}); err != nil {
		return nil, err
	}
	g := &growth{transitions: to.fired, states: make([]int, depth)}
	for _, l := range to.first {
		g.states[max(l, 1)-1]++
	}
	for d := 1; d < depth; d++ {
		g.transitions[d] += g.transitions[d-1]
		g.states[d] += g.states[d-1]
	}
	return g, nil
}
