package avr

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// data is loads and stores of every kind, one of an address that is not in SRAM.
const data = "\nldi r16, 5\nldi r26, 0x10\nldi r27, 2\nmovw r28, r26\nmovw r30, r26\nlds r2, 0x0210\nsts 0x0211, r2\nst X+, r27\nld r3, X\nld r4, -X\nst -X, r3\n" +
	"std Y+3, r4\nldd r5, Y+63\nst Y+, r26\nld r6, -Y\nstd Z+5, r31\nldd r7, Z+5\nld r8, Z+\nst -Z, r8\nsts 0x70, r8\nlds r9, 0x70\n"

// Whatever is watched, in whatever way: the core does the same, and everything is counted, logged or told once, in its place.
func TestWatchedIsAsPlain(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for _, k := range fusible {
		image := assemble(t, k.source+data+k.source+"\nnop\nnop\nbreak")
		f, g := newFlat(chipNamed(t, "atmega128"), image), newFlat(chipNamed(t, "atmega128"), image)
		c := &f.core
		c.KeepLogs(true, true)
		g.core.Program = parted(g.core.Plain)
		for range 25 {
			f.hooks, f.halts, g.halts = nil, nil, nil
			s := State{SP: 0x400}
			for i := range s.R {
				s.R[i] = uint8(random.Uint32())
			}
			s.R[16] = uint8(1 + random.IntN(20)) // how often a loop goes round: less often than a log has room for
			for i := 0x200; i < 0x500; i++ {
				f.data[i] = uint8(random.Uint32())
			}
			f.data[s.SP+4], f.data[s.SP+5] = 0, 5 // where a RETI leads
			g.data, f.core.State, g.core.State = f.data, s, s

			var sets [4][]uint32 // points, data, blocks, hooks
			for pc := range uint32(len(image) / 2) {
				if i := random.IntN(12); i < len(sets) {
					sets[i] = append(sets[i], pc)
				}
				if i := random.IntN(30); i < len(sets) {
					sets[i] = append(sets[i], pc) // some in two ways, or twice
				}
			}
			c.Program = c.Plain.Logged(sets[0], sets[1]).Counted(sets[2]).Hooked(sets[3])
			c.Counts = NewCounts(len(sets[2]))

			counts := make([]uint32, len(sets[2]))
			var passes []Pass
			var moves []Move
			var hooks []uint32
			for steps := 0; len(g.halts) == 0 && steps < 300; steps++ {
				sp, pc := g.core.SP, g.core.PC
				in := g.core.Plain.At(pc)
				a := in.Access()
				loads, addr := a.Space == DataMemory, a.Address(&g.core.State)
				inRAM := addr >= 0x100 && addr <= 0x10FF
				point, move := slices.Contains(sets[0], pc), slices.Contains(sets[1], pc)
				switch {
				case slices.Contains(sets[3], pc) || point && move || move && !(loads && inRAM):
					hooks = append(hooks, pc)
				case move:
					moves = append(moves, Move{g.core.Cycles, pc, addr, g.data[addr], g.core.R[in.D], a.Writes})
				case point:
					passes = append(passes, Pass{pc, sp, uint16(g.data[sp+1])<<8 | uint16(g.data[sp+2])})
				}
				if i := lastIndex(sets[2], pc); i >= 0 {
					counts[i]++
				}
				g.step()
			}
			c.Run(g.core.Cycles + uint64(len(g.halts))) // BREAK takes no time

			a, b := c.State, g.core.State
			a.Canon()
			b.Canon()
			if a != b || f.data != g.data {
				t.Fatalf("%q, watched at %v: %+v is not %+v", k.source, sets, a, b)
			}
			gotMoves, gotPasses := c.Moves.Take(), c.Passes.Take()
			if !slices.Equal(c.Counts.N, counts) || !slices.Equal(f.hooks, hooks) || !slices.Equal(gotMoves, moves) || !slices.Equal(gotPasses, passes) {
				t.Fatalf("%q, watched at %v:\ncounts %v, want %v\nhooks %v, want %v\nmoves %v, want %v\npasses %v, want %v",
					k.source, sets, c.Counts.N, counts, f.hooks, hooks, gotMoves, moves, gotPasses, passes)
			}
			if c.Moves.N != 0 || len(c.Moves.Take()) != 0 {
				t.Fatal("a log that was taken is not empty")
			}
		}
	}
}

func lastIndex(list []uint32, x uint32) int {
	for i := len(list) - 1; i >= 0; i-- {
		if list[i] == x {
			return i
		}
	}
	return -1
}

// A full log calls the watcher, who empties it; cores with return addresses of three bytes have no log of points.
func TestLogIsFull(t *testing.T) {
	f := newCore(t, "atmega128", "inc r2\nrjmp .-4")
	c := &f.core
	c.SP = 0x400
	c.Program = c.Plain.Logged([]uint32{0}, nil)
	c.KeepLogs(true, false)
	for c.Instructions < 2*(logSize+3) {
		c.Run(c.Cycles + 1)
	}
	if len(f.hooks) != 3 || c.Passes.N != logSize || c.R[2] != (logSize+3)%256 {
		t.Errorf("%d calls, %d logged, %d times round", len(f.hooks), c.Passes.N, c.R[2])
	}
	var none *Log[Pass]
	if none.Take() != nil {
		t.Error("no log has something in it")
	}
	wide := newCore(t, "atmega2560", "inc r2\nrjmp .-4")
	wide.core.SP = 0x400
	wide.core.Program = wide.core.Plain.Logged([]uint32{0}, nil)
	wide.core.KeepLogs(true, true)
	wide.core.Run(30)
	if wide.core.Passes != nil || wide.core.Moves == nil || len(wide.hooks) == 0 {
		t.Errorf("%v, %d calls", wide.core.Passes, len(wide.hooks))
	}
}
