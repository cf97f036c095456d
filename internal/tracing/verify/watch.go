package main

import (
	"fmt"

	"motehound/firmware/pathtrace/instrument"
	"motehound/mote"
	"motehound/study/fieldtrace/record"
	"motehound/world"
)

// seen is what the emulator saw the first mote do.
type seen struct {
	m        *instrument.Map
	boots    [][]record.Element // what the tracer was told since each start of the mote
	asked    int                // of the last, before the first question; -1 if there was none
	last, at uint64             // the cycle of the last of these, and of the question
	hertz    uint64
	handlers []string // that are traced: as they began and ended
}

// watch sees what the tracer is told, and the handlers that are traced.
func watch(w *world.World, m *instrument.Map, k *mote.Kind) *seen {
	s := &seen{m: m, asked: -1, hertz: uint64(k.Board.Hertz)}
	traced := map[string]bool{}
	for _, p := range m.Procs {
		traced[p.Name] = true
	}
	points := map[uint32]string{}
	for _, name := range []string{"mh_wait", "mh_trace_more", "mh_trace_request"} {
		if symbol, ok := k.Image.Symbol(name); ok {
			points[symbol.Addr/2] = name
		}
	}
	var at []uint32
	for pc := range k.Program().Words() {
		if _, ok := points[pc]; !ok && k.Program().At(pc).String() == "reti" {
			points[pc] = "reti"
		}
		if points[pc] != "" {
			at = append(at, pc)
		}
	}
	_, wide := k.Image.Symbol("mh_trace_enter_wide")
	var open []string
	w.Observe(world.Observer{
		Interrupt: func(i int, _ uint64, vector uint8) {
			if i != 0 {
				return
			}
			s.start(w.Motes()[0].Resets(), &open)
			name := fmt.Sprint("__vector_", vector-1)
			open = append(open, name)
			if traced[name] {
				s.handlers = append(s.handlers, name)
			}
		},
		CodeAt: func(of *mote.Kind) []uint32 {
			if of != k {
				return nil
			}
			return at
		},
		Code: func(i int, cycle uint64, pc uint32) bool {
			if i != 0 {
				return false
			}
			s.start(w.Motes()[0].Resets(), &open)
			r := &w.Motes()[0].Core().R
			switch points[pc] {
			case "mh_wait":
				s.told(r, wide, cycle)
			case "mh_trace_more":
				boot := &s.boots[len(s.boots)-1]
				for range r[24] {
					*boot = append(*boot, (*boot)[len(*boot)-1])
				}
			case "mh_trace_request":
				if s.asked < 0 {
					s.asked, s.at = len(s.boots[len(s.boots)-1]), cycle
				}
			case "reti":
				if n := len(open) - 1; n >= 0 {
					if traced[open[n]] {
						s.handlers = append(s.handlers, "end of "+open[n])
					}
					open = open[:n]
				}
			}
			return false
		},
	})
	return s
}

// start begins another boot if there was a reset.
func (s *seen) start(resets uint32, open *[]string) {
	for len(s.boots) < int(resets) {
		s.boots = append(s.boots, nil)
		*open = (*open)[:0]
		s.handlers = s.handlers[:0] // only those of the last start are compared
	}
}

func (s *seen) told(r *[32]uint8, wide bool, now uint64) {
	label, shift := uint16(r[24]), 6
	if wide {
		label, shift = label|uint16(r[25])<<8, 14
	}
	e := record.Element{Kind: record.Kind(label >> shift), Proc: label & (1<<shift - 1), Count: 1}
	if e.Kind != record.Enter {
		e.Path = uint16(r[22]) | uint16(r[23])<<8
	}
	boot := &s.boots[len(s.boots)-1]
	*boot = append(*boot, e)
	if s.asked < 0 {
		s.last = now
	}
}

// compare tells whether the log has what was seen.
func (s *seen) compare(log *record.Log) error {
	logged := map[uint16][]record.Event{}
	first, last := log.Pages[0].Boot, log.Pages[len(log.Pages)-1].Boot
	for at, e := range log.Events() {
		switch {
		case e.Kind.Gap() && e.Kind != record.Lost:
			return fmt.Errorf("page %d of the log: %v", at.Page, e.Kind)
		case e.Kind <= record.Leave || e.Kind == record.Lost:
			logged[at.Boot] = append(logged[at.Boot], e)
		}
	}
	if n := int(last-first) + 1; n != len(s.boots) {
		return fmt.Errorf("%d boots in the log, and the mote started %d times", n, len(s.boots))
	}
	events, lost := 0, 0
	for i, told := range s.boots {
		n, missing, err := same(told, logged[first+uint16(i)])
		if err != nil {
			return fmt.Errorf("boot %d: %w", i, err)
		}
		if want := len(told); i < len(s.boots)-1 && n != want {
			return fmt.Errorf("boot %d: the log has %d of %d events", i, n, want)
		} else if i == len(s.boots)-1 && n < s.asked {
			return fmt.Errorf("the log has %d of the %d events before the question", n, s.asked)
		}
		events, lost = events+n, lost+missing
	}
	nested, err := s.sameHandlers()
	if err != nil {
		return err
	}
	fmt.Printf("%d boots, %d events, %d of them lost; the last %.3f s before the question; %d handlers begin and end as the emulator saw, %d in others\n",
		len(s.boots), events, lost, float64(s.at-s.last)/float64(s.hertz), len(s.handlers), nested)
	return nil
}

// same compares a boot: how many events there are in the log, and how many of them it says are lost.
func same(told []record.Element, logged []record.Event) (n, lost int, err error) {
	for _, e := range logged {
		if e.Kind == record.Lost {
			n, lost = n+int(e.Count), lost+int(e.Count)
			continue
		}
		if e.Abandoned {
			continue
		}
		if n >= len(told) || e.Element != told[n] {
			return n, lost, fmt.Errorf("event %d of %d is %v in the log, and the tracer was told %v", n, len(told), e.Element, told[max(n-3, 0):min(n+4, len(told))])
		}
		n++
	}
	return n, lost, nil
}

// sameHandlers compares what handlers told the tracer with when they ran.
func (s *seen) sameHandlers() (nested int, err error) {
	n, depth := 0, 0
	for _, e := range s.boots[len(s.boots)-1] {
		p := s.m.Proc(int(e.Proc))
		if p == nil || p.Kind != "interrupt" || e.Kind == record.Path {
			continue
		}
		name := p.Name
		if e.Kind == record.Leave {
			name = "end of " + name
			depth--
		} else {
			nested += min(depth, 1)
			depth++
		}
		if n == len(s.handlers) && e.Kind == record.Leave {
			break // it is about to end
		}
		if n == len(s.handlers) || s.handlers[n] != name {
			return nested, fmt.Errorf("%s is number %d in the log's order of handlers, and not in the emulator's", name, n)
		}
		n++
	}
	if len(s.handlers)-n > 2 {
		return nested, fmt.Errorf("%d handlers ran, the log has %d", len(s.handlers), n)
	}
	return nested, nil
}
