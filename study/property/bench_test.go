package property_test

import (
	"testing"

	"motehound/study/property"
	"motehound/world"
)

// BenchmarkSuite is what a step of an exploration pays for the checks: eight motes are put back, one of them runs to the end of a
// handler, and the state behind it is kept.
func BenchmarkSuite(b *testing.B) {
	s := newStage(b, levels, property.Options{Explore: true}, fine, fine, fine, fine, fine, fine, fine, fine)
	w, suite := s.open(b)
	for range 10 {
		step(b, w, suite)
	}
	start := w.Clone()
	var before, after property.State
	suite.Save(&before)
	until := w.Now() + 2*world.Millisecond + world.Millisecond/10
	b.Run("look and save", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			w.CopyFrom(start)
			suite.Restore(&before)
			w.Motes()[3].RunUntil(until)
			if _, err := suite.Look(3); err != nil {
				b.Fatal(err)
			}
			suite.Save(&after)
		}
	})
	b.Run("without look", func(b *testing.B) {
		for b.Loop() {
			w.CopyFrom(start)
			suite.Restore(&before)
			w.Motes()[3].RunUntil(until)
		}
	})
	b.Run("without restore", func(b *testing.B) {
		for b.Loop() {
			w.CopyFrom(start)
			w.Motes()[3].RunUntil(until)
		}
	})
	b.Run("restore alone", func(b *testing.B) {
		for b.Loop() {
			suite.Restore(&before)
			suite.Restore(&after)
		}
	})
	b.Run("attach", func(b *testing.B) {
		for b.Loop() {
			s.open(b)
		}
	})
	plain, err := world.New(s.cfg, world.Natural{Seed: 1})
	if err != nil {
		b.Fatal(err)
	}
	plain.CopyFrom(start)
	b.Run("without checks", func(b *testing.B) {
		for b.Loop() {
			plain.CopyFrom(start)
			plain.Motes()[3].RunUntil(until)
		}
	})
}
