package explore

import (
	"slices"
	"testing"

	"motehound/internal/testkit"
)

// Variables that branches test are found, whole, and others are not.
func TestFlags(t *testing.T) {
	k := testkit.Example(t, "collect", "micaz")
	vars := scalarsOf(k)
	f := flagsOf(k, blocksOf(k), vars)
	var names []string
	for _, x := range f.list {
		v, ok := vars.at(uint32(k.Board.Chip.RAMBase) + uint32(x.at))
		if ok && uint32(x.size) != v.Size {
			t.Errorf("%s has %d bytes, not %d", v.Name, v.Size, x.size)
		}
		names = append(names, v.Name)
	}
	for _, want := range []string{"PhotoC.isBusy", "ForwarderP.isSending", "CC2420TransmitP.state", "SchedulerBasicP.m_head"} {
		if !slices.Contains(names, want) {
			t.Errorf("%s is none of %q", want, names)
		}
	}
	if slices.Contains(names, "CollectC.seqno") || len(f.list) > 60 {
		t.Errorf("%q are not all tested", names)
	}
	if f.end%8 != 0 || len(f.owner) != f.end {
		t.Errorf("%d flags, up to %d", len(f.list), f.end)
	}
}
