package avr

import (
	"reflect"
	"testing"
)

// follower notes where it was called.
type follower struct{ at []uint32 }

func (f *follower) Step(c *Core)                { f.at = append(f.at, c.PC) }
func (f *follower) Over(_, p *Program) *Program { return p }

// A shadow is called once for each time that its instruction is executed: not when it is skipped, not when a hook stops the
// core before it, and beside hooks and counts.
func TestShadow(t *testing.T) {
	f := newCore(t, "atmega128", "nop\nsbrs r0, 0\nlds r1, 0x100\ninc r2\nrjmp .-4")
	c := &f.core
	var follow follower
	c.R[0], c.Shadow = 1, &follow
	c.Counts = NewCounts(2)
	c.Program = c.Plain.Counted([]uint32{1, 4}).Hooked([]uint32{4}).Shadowed([]uint32{1, 2, 4, 5, 1 << 20})
	c.Run(6)
	if !reflect.DeepEqual(follow.at, []uint32{1, 4, 5}) || !reflect.DeepEqual(f.hooks, []uint32{4}) || !reflect.DeepEqual(c.Counts.N, []uint32{1, 1}) {
		t.Errorf("shadow at %v, hooks %v, counts %v", follow.at, f.hooks, c.Counts.N)
	}
	if c.R[2] != 1 || c.PC != 4 || c.Instructions != 4 {
		t.Errorf("r2 %d, at %d, %d instructions", c.R[2], c.PC, c.Instructions)
	}
	follow.at, f.refuse = nil, true
	c.Run(1000)
	if follow.at != nil || c.PC != 4 || c.Counts.N[1] != 1 || c.Instructions != 4 {
		t.Errorf("refused: shadow at %v, core at %d, counts %v", follow.at, c.PC, c.Counts.N)
	}
	f.refuse = false
	c.Run(c.Cycles + 1)
	if !reflect.DeepEqual(follow.at, []uint32{4}) || c.Counts.N[1] != 2 {
		t.Errorf("resumed: shadow at %v, counts %v", follow.at, c.Counts.N)
	}
}
