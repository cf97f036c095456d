package world_test

import (
	"slices"
	"testing"

	"motehound/isa/avr"
	"motehound/mote"
	"motehound/world"
	"motehound/world/medium"
)

// logBook is what two motes are seen to do.
type logBook struct {
	passes [2][]avr.Pass
	moves  [2][]avr.Move
}

// split is the words of a program that load or store, and the others.
func split(k *mote.Kind) (data, points []uint32) {
	p := k.Program()
	for pc := range p.Words() {
		if p.At(pc).Access().Space == avr.DataMemory {
			data = append(data, pc)
		} else {
			points = append(points, pc)
		}
	}
	return data, points
}

// look is what a mote is about to do.
func (l *logBook) look(i int, m *mote.Mote, cycle uint64, pc uint32) {
	c := m.Core()
	in := m.Kind.Program().At(pc)
	if a := in.Access(); a.Space == avr.DataMemory {
		at := a.Address(&c.State)
		l.moves[i] = append(l.moves[i], avr.Move{Cycle: cycle, PC: pc, Addr: at, Old: m.Peek(at), New: c.R[in.D], Store: a.Writes})
	} else {
		l.passes[i] = append(l.passes[i], avr.Pass{PC: pc, SP: c.SP, Return: uint16(m.Peek(c.SP+1))<<8 | uint16(m.Peek(c.SP+2))})
	}
}

// take adds what the logs of a mote have.
func (l *logBook) take(w *world.Log, i int) {
	l.passes[i] = append(l.passes[i], w.Passed(i)...)
	l.moves[i] = append(l.moves[i], w.Moved(i)...)
}

// Logs have everything that a watcher would have been called for, in order, and logging changes nothing. What a store is said to write
// is there when the next instruction comes.
func TestLogs(t *testing.T) {
	for _, x := range []struct{ app, board string }{{"hang", "micaz"}, {"collect", "mica2"}} {
		const end = 1200 * world.Millisecond
		fresh := func() *world.World {
			return network(t, x.app, x.board, 2, medium.Full(2, medium.DefaultGain, 0), 1)
		}
		plain, logged, hooked := fresh(), fresh(), fresh()
		data, points := split(logged.Motes()[0].Kind)
		var got, want logBook
		calls := 0
		var log *world.Log
		log = logged.Observe(world.Observer{
			PointsAt: func(*mote.Kind) []uint32 { return points },
			DataAt:   func(*mote.Kind) []uint32 { return data },
			CodeAt:   func(*mote.Kind) []uint32 { return nil },
			Code: func(i int, cycle uint64, pc uint32) bool {
				calls++
				got.take(log, i)
				got.look(i, logged.Motes()[i], cycle, pc)
				return false
			},
		})
		hooked.Observe(world.Observer{
			CodeAt: func(*mote.Kind) []uint32 { return slices.Concat(points, data) },
			Code: func(i int, cycle uint64, pc uint32) bool {
				m := hooked.Motes()[i]
				if n := len(want.moves[i]); n > 0 {
					if last := want.moves[i][n-1]; last.Store && last.Addr >= 0x100 && pc == last.PC+uint32(m.Kind.Program().At(last.PC).N) &&
						cycle == last.Cycle+2 && m.Peek(last.Addr) != last.New {
						t.Fatalf("%+v, and then there is %#x", last, m.Peek(last.Addr))
					}
				}
				want.look(i, m, cycle, pc)
				return false
			},
		})
		for _, w := range []*world.World{plain, logged, hooked} {
			w.RunUntil(end)
		}
		if logged.Hash() != plain.Hash() || hooked.Hash() != plain.Hash() {
			t.Errorf("%s on %s: a watched world ends in another state", x.app, x.board)
		}
		for i := range 2 {
			got.take(log, i)
			if !slices.Equal(got.passes[i], want.passes[i]) || !slices.Equal(got.moves[i], want.moves[i]) {
				t.Errorf("%s on %s: mote %d: %d and %d things are logged, %d and %d were seen", x.app, x.board, i,
					len(got.passes[i]), len(got.moves[i]), len(want.passes[i]), len(want.moves[i]))
			}
		}
		if n := len(want.moves[0]) + len(want.passes[0]); n < 10_000 || calls == 0 || calls > n/4 {
			t.Errorf("%s on %s: the watcher was called %d times of %d", x.app, x.board, calls, n)
		}
	}
}

// An observer is called at its own instructions, once, and in the order of observing.
func TestCodeIsCalledWhereAsked(t *testing.T) {
	w := alone(t, kindOf(t, "blink", "micaz"))
	var said []string
	for _, x := range []struct {
		name string
		at   []uint32
	}{{"a", []uint32{0, 1}}, {"b", []uint32{0, 0}}, {"c", nil}, {"d", []uint32{0}}} {
		w.Observe(world.Observer{
			CodeAt: func(*mote.Kind) []uint32 { return x.at },
			Code: func(_ int, _ uint64, pc uint32) bool {
				if pc == 0 {
					said = append(said, x.name)
				} else {
					t.Errorf("%s is called at %d", x.name, pc)
				}
				return false
			},
		})
	}
	w.RunUntil(world.Millisecond)
	if !slices.Equal(said, []string{"a", "b", "d"}) {
		t.Errorf("called are %v", said)
	}
}
