package gdb

import (
	"bytes"
	"fmt"
)

// Signals of the protocol.
const (
	sigINT  = 0x02
	sigTRAP = 0x05
)

// simple answers c, C, s, S, bc and bs. A signal means nothing to a mote; another address to go on at is refused.
func (s *session) simple(p []byte) []byte {
	thread := s.going
	if thread == 0 {
		thread = s.looked
	}
	m := motion{Thread: thread, Alone: s.alone}
	switch string(p) {
	case "bc":
		m.Backwards = true
	case "bs":
		m.Backwards, m.Step = true, true
	case "c":
	case "s":
		m.Step = true
	default:
		if len(p) != 3 || p[0] != 'C' && p[0] != 'S' || !digits(p[1:]) {
			return wrong
		}
		m.Step = p[0] == 'S'
	}
	return s.stopped(s.resume(m))
}

// span is where a thread keeps stepping: from an address to before another one.
type span struct{ from, to uint32 }

// actions answers vCont: "ACTION[:THREAD];...". The whole network goes on in any case; what counts is whether one thread steps, and whether
// it is the only one that gdb lets go.
func (s *session) actions(text []byte) []byte {
	m := motion{Thread: s.last.Thread}
	var within span
	list := bytes.Split(text, []byte(";"))
	for _, one := range list {
		action, id, named := bytes.Cut(one, []byte(":"))
		thread, all := s.looked, true
		if named {
			var ok bool
			if thread, all, ok = s.find(id); !ok {
				return refused
			}
		}
		step, span, ok := parseAction(action)
		if !ok {
			return wrong
		}
		if step && !m.Step {
			m.Step, m.Thread, m.Alone, within = true, thread, !all && len(list) == 1, span
		}
	}
	if within.to <= within.from {
		return s.stopped(s.resume(m))
	}
	return s.stopped(s.within(m, within))
}

// parseAction reads an action of vCont. Signals mean nothing to a mote.
func parseAction(text []byte) (step bool, within span, ok bool) {
	if len(text) == 0 {
		return false, span{}, false
	}
	rest := text[1:]
	switch text[0] {
	case 'c', 's':
		return text[0] == 's', span{}, len(rest) == 0
	case 'C', 'S':
		return text[0] == 'S', span{}, len(rest) == 2 && digits(rest)
	case 'r':
		within.from, within.to, ok = pair(rest, ",")
		return true, within, ok
	}
	return false, span{}, false
}

// within steps a thread until it leaves a span of addresses, or something else happens.
func (s *session) within(m motion, within span) standing {
	for {
		stop := s.resume(m)
		if stop.Why != whyStep || stop.Thread != m.Thread {
			return stop
		}
		if pc := s.target.Registers(m.Thread).PC; pc < within.from || pc >= within.to || s.line.halt(s.pending) {
			return stop
		}
	}
}

// resume lets the network go on until it stops. Other threads may stop meanwhile, also those that gdb does not let go, except when it steps one
// off a breakpoint.
func (s *session) resume(m motion) standing {
	m.Alone = m.Alone && m.Step && s.isLifted(m.Thread)
	s.lifted = nil
	m.Watches = s.watches
	for i := range s.breaks {
		m.Breaks = append(m.Breaks, s.breaks[i].of())
	}
	m.Halt = s.halt()
	s.line.setRunning(true)
	s.last = s.target.Resume(m)
	s.line.setRunning(false)
	s.look(s.last.Thread)
	return s.last
}

// halt says whether the client wants what it asks for now to end.
func (s *session) halt() func() bool {
	seq := s.pending
	return func() bool { return s.line.halt(seq) }
}

// stopped is the packet that says why the network stands.
func (s *session) stopped(stop standing) []byte {
	signal, why := sigTRAP, ""
	switch stop.Why {
	case whyBreak:
		why = "swbreak:;"
		if s.isHard(stop.Thread) {
			why = "hwbreak:;"
		}
	case whyWatch:
		why = fmt.Sprintf("%s:%x;", stop.Watch.Access, stop.Watch.Addr)
	case whyBegin:
		why = "replaylog:begin;"
	case whyEnd:
		why = "replaylog:end;"
	case whyInterrupt:
		signal = sigINT
	}
	r := s.target.Registers(stop.Thread)
	return fmt.Appendf(nil, "T%02x%02x:%s;%02x:%s;%sthread:%s;", signal, regSP, little(uint64(r.SP), 2), regPC, little(uint64(r.PC), 4),
		why, s.name(stop.Thread))
}

// isHard reports whether the breakpoint where a thread stands is a hardware breakpoint only.
func (s *session) isHard(thread int) bool {
	pc, process := s.target.Registers(thread).PC, s.processOf(thread)
	hard := false
	for _, b := range s.breaks {
		if b.process == process && b.addr == pc {
			if !b.hard {
				return false
			}
			hard = true
		}
	}
	return hard
}
