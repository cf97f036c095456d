package mote

import (
	"testing"

	"motehound/mote/board"
	"motehound/mote/digest"
)

// BenchmarkRelative hashes a mote at rest, as an exploration does after every event; the ordinary hash is for comparison.
func BenchmarkRelative(b *testing.B) {
	for _, on := range []*board.Board{&board.MicaZ, &board.Mica2} {
		m := newStage(exampleKind(b, "collect", on.Name, on), 1, nil).Mote
		m.RunUntil(2 * second)
		b.Run(on.Name, func(b *testing.B) {
			for b.Loop() {
				d := digest.New()
				m.AppendRelative(&d)
			}
		})
		b.Run(on.Name+"-absolute", func(b *testing.B) {
			for b.Loop() {
				d := digest.New()
				m.AppendState(&d)
			}
		})
	}
}
