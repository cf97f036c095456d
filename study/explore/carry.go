package explore

import (
	"slices"

	"motehound/isa/avr"
	"motehound/mote"
	"motehound/study/check"
)

// Counters that carry. Half of a counter's old value and half of its new one show only when a handler changes both: when its low byte is
// 255, once in 256 ticks. A walk that has interrupts come in the middle of code now and then would hardly ever meet that moment. So a walk is told
// of it. Which counters handlers have is seen in their code, so this helps to find something, and decides nothing.

// countersOf lists, by vector, the low bytes of the numbers of two and more bytes that its handler writes.
func countersOf(k *mote.Kind) [][]uint16 {
	const reset = 1
	base := uint32(k.Board.Chip.RAMBase)
	list := make([][]uint16, min(len(k.Board.Chip.Vectors), 64))
	for v := reset + 1; v < len(list); v++ {
		reaches(k.Program(), 2*uint32(v-reset), func(in avr.Inst) bool {
			if in.Op == avr.OpSts && in.K >= base {
				x, ok := k.Image.ScalarAt(in.K)
				if ok && x.Size > 1 && x.Size <= largest && in.K == x.Addr && !slices.Contains(list[v], uint16(x.Addr)) {
					list[v] = append(list[v], uint16(x.Addr))
				}
			}
			return false
		})
	}
	return list
}

// Carries implements check.Intruder.
func (s *System) Carries(e check.Event) bool {
	if e.Class != check.Interrupt || int(e.Mote) < 0 || int(e.Mote) >= len(s.seats) || s.body == nil {
		return false
	}
	k := s.sh.motes[e.Mote].kind
	if int(e.Source) >= len(k.counters) {
		return false
	}
	ram, base := s.body.w.Motes()[e.Mote].RAM(), k.kind.Board.Chip.RAMBase
	return slices.ContainsFunc(k.counters[e.Source], func(low uint16) bool { return ram[low-base] == 0xFF })
}
