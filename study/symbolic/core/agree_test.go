package core

import (
	"fmt"
	"testing"

	"motehound/mote"
	"motehound/mote/mcu"
	"motehound/study/symbolic/expr"
)

// TestAgree explores functions of two bytes, and runs them on all 65536 inputs: each input must lead to one state, whose
// answer, as an expression of the inputs, must be what the run gives.
func TestAgree(t *testing.T) {
	for n, c := range []struct {
		name   string
		states int // exactly; 0 if only the answers count
		left   int // inputs that no state takes
	}{
		{"comparisons", 0, 0},
		{"switch", 0, 0},
		{"table", 0, 0},
		{"flash", 0, 0},
		{"store", 0, 0},
		{"checksum", 0, 0},
		{"pointers", 0, 0},
		{"shifts", 0, 0},
		{"strings", 0, 0},
		{"division", 0, 0},
		{"interrupts", 0, 0},
		{"frame", 0, 0},
		{"assume", 0, 1<<16 - 20*255},
		{"device", 0, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			k := compile(t, "agree.c", fmt.Sprintf("-DCASE=%d", n+1))
			x := explorer(t, Config{Verify: true})
			first, err := x.New(Mote{Kind: k})
			if err != nil {
				t.Fatal(err)
			}
			states := explore(t, first, second, 5000)
			t.Logf("%d states, %+v, %d expressions", len(states), x.Stats(), x.Pool().Len())
			if c.states != 0 && len(states) != c.states {
				t.Errorf("%d states, want %d", len(states), c.states)
			}
			for _, l := range x.LeftOut() {
				t.Errorf("left out: %s", l)
			}
			left := compareAll(t, k, x, states)
			if left != c.left {
				t.Errorf("%d inputs lead to no state, want %d", left, c.left)
			}
		})
	}
}

// compareAll runs all inputs, and counts those that no state takes.
func compareAll(t *testing.T, k *mote.Kind, x *Explorer, states []*State) (left int) {
	t.Helper()
	in, _ := k.Image.Symbol("in")
	out, _ := k.Image.Symbol("out")
	run := newConcrete(t, k)
	type answer struct {
		conds []expr.ID
		out   expr.ID
	}
	var answers []answer
	for _, s := range states {
		if s.Ended() == Stopped {
			answers = append(answers, answer{s.Path().Conditions(), s.word(uint16(out.Addr))})
		} else if s.Ended() != Assumed {
			t.Fatalf("state %d: %s", s.ID(), s.Ended())
		}
	}
	made := states[0].Made()
	v0, _ := x.Pool().VarOf(made[0].Bytes[0])
	v1, _ := x.Pool().VarOf(made[0].Bytes[1])
	ev := x.Pool().NewEvaluator()
	for n := range 1 << 16 {
		want := run.on(uint16(in.Addr), uint16(out.Addr), uint8(n), uint8(n>>8))
		ev.Use(expr.NewModel([]expr.VarIndex{v0, v1}, []uint64{uint64(n & 0xFF), uint64(n >> 8)}))
		found := 0
		for _, a := range answers {
			holds := true
			for _, c := range a.conds {
				if holds = ev.Holds(c); !holds {
					break
				}
			}
			if !holds {
				continue
			}
			found++
			if got := uint32(ev.Eval(a.out)); got != want {
				t.Fatalf("inputs %#x, %#x give %#x, and in the symbolic core %#x", n&0xFF, n>>8, want, got)
			}
		}
		if found > 1 {
			t.Fatalf("inputs %#x, %#x lead to %d states", n&0xFF, n>>8, found)
		}
		if found == 0 {
			left++
		}
	}
	return left
}

// word is the four bytes at an address as an expression.
func (s *State) word(addr uint16) expr.ID {
	var b [4]expr.ID
	m := s.Machine()
	for i := range b {
		if b[i] = s.sh.at(addr + uint16(i)); b[i] == 0 {
			b[i] = s.x.pool.Const(8, uint64(m.Peek(addr+uint16(i))))
		}
	}
	return s.x.pool.ConcatBytes(b[:]...)
}

// concrete runs a program again and again from its mark on, without the symbolic core.
type concrete struct {
	rig
	rest mote.Rest
	pc   uint32
}

func (c *concrete) Hook(_ *mote.Mote, pc uint32) bool {
	hit := pc == c.pc
	c.pc = 0
	return hit
}

func newConcrete(t *testing.T, k *mote.Kind) *concrete {
	t.Helper()
	c := &concrete{}
	marks, err := findMarks(&Mote{Kind: k})
	if err != nil {
		t.Fatal(err)
	}
	for pc, list := range marks {
		if list[0].what == makeSymbolic {
			c.pc = pc
		}
	}
	c.m = k.New(0, 0, c)
	at := []uint32{c.pc}
	c.m.WatchCode(mcu.Watch{At: at}, k.Program().Hooked(at))
	c.m.RunUntil(second)
	if c.m.Stopped() != mcu.StopHook {
		t.Fatalf("the program does not reach its mark: %s", c.m.Stopped())
	}
	c.m.Resume()
	c.m.Save(&c.rest)
	return c
}

// on is the answer for two bytes.
func (c *concrete) on(in, out uint16, a, b uint8) (v uint32) {
	c.m.Restore(&c.rest)
	core := c.m.Core()
	core.RAM[in-core.RAMBase], core.RAM[in+1-core.RAMBase] = a, b
	c.m.RunUntil(second)
	for i := range uint16(4) {
		v |= uint32(core.RAM[out+i-core.RAMBase]) << (8 * i)
	}
	return v
}

// Pool is the expressions.
func (x *Explorer) Pool() *expr.Pool { return x.pool }

// ID is unique among the states of an explorer.
func (s *State) ID() int { return s.id }
