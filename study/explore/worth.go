package explore

import (
	"slices"
	"strings"

	"motehound/firmware/kernel"
	"motehound/isa/avr"
	"motehound/mote"
	"motehound/study/check"
)

// Moments that are worth an interrupt. A walk has interrupts come in the middle of code now and then, at random. Some moments are rare, and a walk
// would hardly ever meet them like that, so it is told of them. This helps to find something, and decides nothing.
//
// Counters that carry: half of a counter's old value and half of its new one show only when a handler changes both, that is when its low byte is
// 255, or 0 if it counts down, once in 256 ticks. Which counters handlers have is seen in their code. And counters that begin: what would be if they carried can be asked of any
// value (suppose.go), but a timer of one second ticks once in a thousand events.
//
// Input: a button is pressed a few times, and a line has a few characters. Once a walk has used them up, nothing comes of them any more.
//
// Frames that come in byte by byte: a task runs, while a frame waits, that may be in conflict with the interrupt for one of its bytes (arriving.go).
//
// The others are for programs without a kernel. With one, most of what runs is tasks, which share less with handlers, and input comes in frames.

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

// Worth implements check.Intruder.
func (s *System) Worth(e check.Event) bool {
	i := int(e.Mote)
	if i < 0 || i >= len(s.seats) || s.body == nil {
		return false
	}
	if e.Class == check.Task && e.Source == 0 && s.sh.motes[i].natural != 0 {
		return s.shares(i, s.mustLook(i))
	}
	if s.sh.motes[i].kind.profile.Kernel != kernel.None {
		return false
	}
	switch e.Class {
	case check.Input:
		return e.Source == serialSource
	case check.Interrupt:
		return s.carries(i, e.Source) || len(s.sh.motes[i].acts) > 0 && s.fromPin(i, e.Source)
	}
	return false
}

// carries tells whether a vector's handler has a counter that carries, or begins.
func (s *System) carries(i int, vector uint16) bool {
	k := s.sh.motes[i].kind
	if int(vector) >= len(k.counters) {
		return false
	}
	ram, base := s.body.w.Motes()[i].RAM(), k.kind.Board.Chip.RAMBase
	return slices.ContainsFunc(k.counters[vector], func(low uint16) bool {
		now, upper := ram[low-base], ram[low-base+1]
		return now == 0xFF || now == 0 || now < 3 && upper == 0
	})
}

// fromPin tells whether a vector is one of a pin: INT0, PCINT1, TIMER1_CAPT.
func (s *System) fromPin(i int, vector uint16) bool {
	v := s.sh.motes[i].kind.kind.Board.Chip.Vectors
	return int(vector) < len(v) && (strings.HasPrefix(v[vector], "INT") || strings.HasPrefix(v[vector], "PCINT") || strings.HasSuffix(v[vector], "CAPT"))
}
