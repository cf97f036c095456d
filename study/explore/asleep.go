package explore

import (
	"bytes"
	"slices"

	"motehound/firmware/kernel"
	"motehound/mote/periph"
	"motehound/study/check"
)

// Missed wake-ups. A main program looks whether there is something to do, and goes to sleep; V comes in between. What V wants done is done if V comes before, and if it comes once the mote
// sleeps, since that wakes it. Here it waits until something else wakes the mote: that is a finding if nothing in the mote does. In programs without a kernel.

// missedAt finds a variable that E has looked at before V changes it, and then E sleeps; nil if there is none.
func (s *System) missedAt(i int, o *outlook, at *spot, mixed *end, r *orders, f *contact) (*race, error) {
	kind, n := s.sh.motes[i].kind, len(at.alone)-1
	if kind.profile.Kernel != kernel.None || at.v.class != check.Task || n < at.k || !at.alone[n].sleeps || !at.alone[n].open {
		return nil, nil
	}
	told, base := s.without(i, f), uint32(kind.kind.Board.Chip.RAMBase)
	looked := slices.IndexFunc(told.writes, func(a uint16) bool {
		e := lastAt(at.alone[:at.k], uint32(a))
		return uint32(a) >= base && e != nil && e.touch.Read && !e.touch.Write && lastAt(at.alone[at.k:], uint32(a)) == nil
	})
	if looked < 0 {
		return nil, nil
	}
	on, ok := r.run(order{on: 2}) // the first round may end where the loop begins
	if !ok {
		return nil, nil
	}
	for byteAt := 0; byteAt < len(kind.scalars.list); byteAt++ {
		if mixed.ram[byteAt] == r.first.ram[byteAt] || mixed.ram[byteAt] == on.ram[byteAt] || mixed.ram[byteAt] != r.last.ram[byteAt] {
			continue
		}
		y, ok := kind.scalars.at(base + uint32(byteAt))
		if !ok {
			continue
		}
		if alone, err := s.sleepsOn(i, o, at); !alone || err != nil {
			return nil, err
		}
		addr := told.writes[looked]
		x, ok := kind.scalars.at(uint32(addr))
		if !ok {
			return nil, nil
		}
		part := func(ram []byte) []byte { return bytes.Clone(ram[y.Addr-base:][:y.Size]) }
		return &race{kind: missedWake, shared: x, wrong: y, is: part(mixed.ram), first: part(r.first.ram), last: part(on.ram), before: lastAt(at.alone[:at.k], uint32(addr)).pc, addr: addr,
			behind: at.alone[n].pc, writes: true, used: at.alone[n].pc}, nil
	}
	return nil, nil
}

// sleepsOn tells whether a mote that V has come to while it was about to sleep sleeps until something comes from outside.
func (s *System) sleepsOn(i int, o *outlook, at *spot) (bool, error) {
	const most = 64 // things that its devices do meanwhile
	t, err := s.onStage(i, o)
	if err != nil {
		return false, err
	}
	defer t.leave()
	m := t.mote()
	if !t.perform(at.v, order{middle: true, after: at.after}, nil) {
		return false, nil
	}
	for range most {
		if _, asleep := m.Asleep(); !asleep || m.Requests() != 0 {
			return false, nil
		}
		next := m.Upcoming()
		if next == periph.Never {
			return true, nil
		}
		t.pass(next+1, ^uint64(0))
	}
	return false, nil
}
