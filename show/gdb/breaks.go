package gdb

import (
	"bytes"
	"slices"
)

// Bounds on what a client may set.
const (
	maxPoints     = 1024
	maxConditions = 16
)

// breakpoint is a place where the client wants a process to stop.
type breakpoint struct {
	process    int
	addr       uint32
	hard       bool // set as a hardware breakpoint: for us the same, but it is removed as such
	conditions [][]byte
}

// same reports whether two are one for the client, whatever their conditions.
func (b *breakpoint) same(o *breakpoint) bool {
	return b.process == o.process && b.addr == o.addr && b.hard == o.hard
}

// point answers Z and z: "TYPE,ADDR,KIND[;CONDITIONS]".
func (s *session) point(set bool, rest []byte) []byte {
	if len(rest) < 2 || rest[1] != ',' {
		return wrong
	}
	where, conditions, _ := bytes.Cut(rest[2:], []byte(";"))
	addr, size, ok := pair(where, ",")
	if !ok {
		return wrong
	}
	process := s.processOf(s.looked)
	switch kind := rest[0]; kind {
	case '0', '1':
		b := breakpoint{process: process, addr: addr, hard: kind == '1'}
		if b.conditions, ok = parseConditions(conditions); !ok {
			return wrong
		}
		return s.setBreak(set, b)
	case '2', '3', '4':
		return s.setWatch(set, watchAt{Process: process, Access: accessKind(kind - '2'), Addr: addr, Len: size})
	}
	return unknown
}

// setBreak sets or removes a breakpoint. One that is set again has the new conditions.
func (s *session) setBreak(set bool, b breakpoint) []byte {
	if set && b.addr%2 != 0 {
		return refused
	}
	i := slices.IndexFunc(s.breaks, func(o breakpoint) bool { return o.same(&b) })
	switch {
	case set && i >= 0:
		s.breaks[i] = b
	case set && len(s.breaks) >= maxPoints:
		return refused
	case set:
		s.breaks = append(s.breaks, b)
	case i >= 0:
		if len(s.lifted) < maxPoints {
			s.lifted = append(s.lifted, s.breaks[i])
		}
		s.breaks = slices.Delete(s.breaks, i, i+1)
	}
	return okay
}

// setWatch sets or removes a watchpoint.
func (s *session) setWatch(set bool, w watchAt) []byte {
	i := slices.Index(s.watches, w)
	switch {
	case set && (w.Len == 0 || w.Addr < dataSpace || w.Addr >= eepromSpace || w.Len > eepromSpace-w.Addr):
		return refused
	case set && i < 0 && len(s.watches) >= maxPoints:
		return refused
	case set && i < 0:
		s.watches = append(s.watches, w)
	case !set && i >= 0:
		s.watches = slices.Delete(s.watches, i, i+1)
	}
	return okay
}

// parseConditions reads "X LEN,EXPR" one after the other, without spaces. Commands of breakpoints ("cmds:...") are not taken.
func parseConditions(text []byte) (list [][]byte, ok bool) {
	for len(text) > 0 {
		if text[0] == ';' {
			text = text[1:]
			continue
		}
		length, rest, found := bytes.Cut(text, []byte(","))
		if !found || len(length) < 2 || length[0] != 'X' || len(list) == maxConditions {
			return nil, false
		}
		n, ok := number(length[1:])
		if !ok || n > maxPacket/2 || uint32(len(rest)) < 2*n {
			return nil, false
		}
		code, ok := unhex(rest[:2*n])
		if !ok {
			return nil, false
		}
		list, text = append(list, code), rest[2*n:]
	}
	return list, true
}

// of is the breakpoint for a target.
func (b *breakpoint) of() breakAt {
	x := breakAt{Process: b.process, Addr: b.addr}
	if conditions := b.conditions; len(conditions) > 0 {
		x.If = func(v glimpse, thread int) bool {
			return slices.ContainsFunc(conditions, func(code []byte) bool {
				value, err := evaluate(code, v, thread)
				return err != nil || value != 0 // one that fails stops, so that gdb can say what is wrong
			})
		}
	}
	return x
}

// isLifted reports whether gdb has taken away the breakpoint where a thread stands, in order to step it off there.
func (s *session) isLifted(thread int) bool {
	here := breakpoint{process: s.processOf(thread), addr: s.target.Registers(thread).PC}
	at := func(o breakpoint) bool { return o.process == here.process && o.addr == here.addr }
	return slices.ContainsFunc(s.lifted, at) && !slices.ContainsFunc(s.breaks, at)
}
