package tracing

import (
	"strings"

	"motehound/firmware/image"
	"motehound/isa/avr"
	"motehound/mote"
	"motehound/study/fieldtrace/record"
	"motehound/world"
)

// interrupts is the flag I in the status register.
const interrupts = 1 << avr.FlagI

// watch sees what the tracer of a mote is told, and for how long interrupts are off because of it.
//
// A stretch is the time from when interrupts go off, by an instruction or because a handler begins, to when they are on again. What
// the tracer takes in it, in one call or in several, is what an interrupt may have to wait longer than without it.
type watch struct {
	events []record.Element
	raw    int
	kinds  map[uint32]point

	last  uint64 // the cycle until which all is counted
	off   bool   // interrupts are
	spent uint64 // in the tracer, in this stretch
	deep  int    // handlers that run
	calls []call // of the tracer that are open
	// worst is the most that was spent in a stretch: in tasks and main, and in handlers.
	worst [2]uint64
}

// call is one of the tracer's functions that the program has called: the stack pointer tells when it returns.
type call struct {
	sp   uint16
	deep int
}

type point uint8

const (
	pointEvent  point = 1 << iota // the tracer is told something
	pointEntry                    // it is called
	pointReturn                   // it may return
	pointOff                      // interrupts go off
	pointOn                       // and on
	pointReti                     // with the end of a handler
	pointSet                      // or as a register says
	pointMore                     // what it was told last came more often
)

// newWatch observes a world. The places are found in the program.
func newWatch(w *world.World, n int, x *built) *watch {
	v := &watch{kinds: map[uint32]point{}}
	program := x.kind.Program()
	for _, f := range x.kind.Image.Functions() {
		tracer := strings.HasPrefix(f.Name, "mh_")
		for _, r := range f.Ranges {
			v.scan(program, r, tracer)
		}
		// Its start is before main, when interrupts have not been on yet.
		if strings.HasPrefix(f.Name, "mh_trace_") && !strings.HasPrefix(f.Name, "mh_trace_st") && len(f.Ranges) > 0 {
			v.kinds[f.Ranges[0].Lo/2] |= pointEntry
		}
	}
	if s, ok := x.kind.Image.Symbol("mh_wait"); ok {
		v.kinds[s.Addr/2] |= pointEvent
	}
	if s, ok := x.kind.Image.Symbol("mh_trace_more"); ok {
		v.kinds[s.Addr/2] |= pointMore
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
				v.at(program, w.Motes()[n], cycle, pc)
			}
			return false
		},
		Interrupt: func(i int, cycle uint64, _ uint8) {
			if i == n {
				v.count(cycle)
				v.deep++
				v.off, v.spent = true, 0 // they were on, whatever was about to be done to that
			}
		},
	})
	return v
}

// scan finds the instructions of a function that change the interrupt flag, and where the tracer returns.
func (v *watch) scan(p *avr.Program, r image.Range, tracer bool) {
	for pc := r.Lo / 2; pc < r.Hi/2; {
		in := p.At(pc)
		switch text := in.String(); {
		case text == "cli":
			v.kinds[pc] |= pointOff
		case text == "sei":
			v.kinds[pc] |= pointOn
		case text == "reti":
			v.kinds[pc] |= pointReti
		case strings.HasPrefix(text, "out") && in.K == avr.AddrSREG:
			v.kinds[pc] |= pointSet
		case tracer && text == "ret":
			v.kinds[pc] |= pointReturn
		}
		pc += in.Length()
	}
}

// count counts what has passed since it was last called.
func (v *watch) count(cycle uint64) {
	if v.off && v.inside() {
		v.spent += cycle - v.last
	}
	v.last = cycle
}

// inside tells whether the tracer runs.
func (v *watch) inside() bool {
	n := len(v.calls)
	return n > 0 && v.calls[n-1].deep == v.deep
}

func (v *watch) at(p *avr.Program, m *mote.Mote, cycle uint64, pc uint32) {
	v.count(cycle)
	core, kind := m.Core(), v.kinds[pc]
	if kind&pointEntry != 0 && !v.inside() {
		v.calls = append(v.calls, call{core.SP, v.deep})
	}
	if kind&pointEvent != 0 {
		v.event(&core.R)
	}
	if n := len(v.events); kind&pointMore != 0 && n > 0 {
		for range core.R[24] {
			v.add(v.events[n-1])
		}
	}
	if kind&pointReturn != 0 && v.inside() && v.calls[len(v.calls)-1].sp == core.SP {
		v.calls = v.calls[:len(v.calls)-1]
	}
	switch {
	case kind&pointOff != 0, kind&pointSet != 0 && core.R[p.At(pc).D]&interrupts == 0:
		v.off = true
	case kind&(pointOn|pointReti|pointSet) != 0:
		v.on()
	}
	if kind&pointReti != 0 {
		v.deep = max(v.deep-1, 0)
	}
}

func (v *watch) event(r *[32]uint8) {
	v.add(record.Element{Kind: record.Kind(r[24] >> 6), Proc: uint16(r[24] & 63), Count: 1, Path: uint16(r[22]) | uint16(r[23])<<8})
}

func (v *watch) add(e record.Element) {
	v.events = append(v.events, e)
	v.raw++
	if e.Kind != record.Enter {
		v.raw++
	}
}

// on ends a stretch, with the instruction that is to be executed.
func (v *watch) on() {
	if v.off && v.spent > 0 {
		where := min(v.deep, 1)
		v.worst[where] = max(v.worst[where], v.spent+1)
	}
	v.off, v.spent = false, 0
}
