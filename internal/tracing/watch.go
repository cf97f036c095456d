package tracing

import (
	"strings"

	"motehound/firmware/image"
	"motehound/isa/avr"
	"motehound/mote"
	"motehound/study/pathtrace/record"
	"motehound/world"
)

// sreg is the status register's address, interrupts its flag I.
const (
	sreg       = 0x5F
	interrupts = 0x80
)

// watch sees what the tracer of a mote is told, and for how long it keeps interrupts off.
type watch struct {
	events []record.Element
	raw    int
	// since is when interrupts went off: they were on before.
	since, blocked uint64
	off            bool
	// called is when the tracer was called with interrupts off.
	called, longest uint64
	wait            uint32
	kinds           map[uint32]point
}

type point uint8

const (
	pointEvent point = iota
	pointCLI
	pointOn // interrupts may be on behind it
)

// newWatch observes a world. The places are found in the program: the tracer's functions, and in them the instructions that
// change the interrupt flag.
func newWatch(w *world.World, n int, x *built) *watch {
	v := &watch{kinds: map[uint32]point{}}
	program := x.kind.Program()
	for _, f := range x.kind.Image.Functions() {
		if !strings.HasPrefix(f.Name, "mh_") {
			continue
		}
		for _, r := range f.Ranges {
			v.scan(program, r)
		}
	}
	if s, ok := x.kind.Image.Symbol("mh_wait"); ok {
		v.wait = s.Addr / 2
		v.kinds[v.wait] = pointEvent
	}
	w.Observe(world.Observer{
		CodeAt: func(k *mote.Kind) []uint32 {
			var at []uint32
			for pc := range program.Words() {
				if _, ok := v.kinds[pc]; ok {
					at = append(at, pc)
				}
			}
			return at
		},
		Code: func(i int, cycle uint64, pc uint32) bool {
			if i == n {
				v.at(w.Motes()[n], cycle, pc)
			}
			return false
		},
	})
	return v
}

// scan finds the instructions of a function that change the interrupt flag.
func (v *watch) scan(p *avr.Program, r image.Range) {
	for pc := r.Lo / 2; pc < r.Hi/2; {
		in := p.At(pc)
		switch text := in.String(); {
		case text == "cli":
			v.kinds[pc] = pointCLI
		case text == "sei", strings.HasPrefix(text, "out") && in.K == sreg:
			v.kinds[pc] = pointOn
		}
		pc += max(uint32(in.N), 1)
	}
}

func (v *watch) at(m *mote.Mote, cycle uint64, pc uint32) {
	core := m.Core()
	switch v.kinds[pc] {
	case pointCLI:
		if core.SREG()&interrupts != 0 {
			v.since, v.off = cycle, true
		} else if !v.off {
			v.called = cycle
		}
	case pointOn:
		if v.off {
			v.blocked = max(v.blocked, cycle+1-v.since)
			v.off = false
		} else if v.called != 0 {
			v.longest = max(v.longest, cycle+1-v.called)
			v.called = 0
		}
	case pointEvent:
		r := &core.R
		e := record.Element{Kind: record.Kind(r[24] >> 6), Proc: uint16(r[24] & 63), Count: 1, Path: uint16(r[22]) | uint16(r[23])<<8}
		v.events = append(v.events, e)
		v.raw++
		if e.Kind != record.Enter {
			v.raw++
		}
	}
}
