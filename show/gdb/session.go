package gdb

import (
	"bytes"
	"encoding/hex"
	"errors"
	"slices"
)

// session is one client that looks into a target.
type session struct {
	target debuggee
	line   *line

	processes bool // the client knows of processes
	silent    bool // packets are not acknowledged
	looked    int  // the thread that g, m and Z mean
	going     int  // the thread that s, c, bs and bc mean; 0 for the looked one
	alone     bool // no other one goes
	last      standing
	seen      map[int]int  // by process: its thread that was looked at last
	left      map[int]bool // processes that the client has left

	breaks  []breakpoint
	watches []watchAt
	lifted  []breakpoint // breakpoints that were taken away since the network stopped
	files   files
	listed  []byte // the document of qXfer that the client reads now
	pending uint64 // the number of the packet that is being answered
}

// Answers to a packet.
var (
	okay    = []byte("OK")
	unknown = []byte(nil) // the packet is not known
	refused = []byte("E01")
	wrong   = []byte("E16") // EINVAL: the packet cannot be read
)

// errLeft says that the client has left, errOver that it wants the whole debugging to end.
var (
	errLeft = errors.New("the client has left")
	errOver = errors.New("debugging is over")
)

// serve answers a client until it leaves.
func (s *session) serve() error {
	s.seen, s.left = map[int]int{}, map[int]bool{}
	s.last.Thread = s.target.Here()
	s.look(s.last.Thread)
	for {
		x, ok := s.line.take()
		if !ok {
			return errLeft
		}
		if err := s.answer(x); err != nil {
			return err
		}
	}
}

// answer answers one thing that the client sent.
func (s *session) answer(x input) error {
	switch {
	case x.kind == again:
		return s.line.write(s.line.last)
	case x.kind == damaged && !s.silent:
		return s.line.write([]byte("-"))
	}
	if !s.silent {
		if err := s.line.write([]byte("+")); err != nil {
			return err
		}
	}
	if x.kind == tooLong {
		return s.line.send(wrong)
	}
	s.pending = x.seq
	reply, err := s.command(x.data)
	if err != nil && reply == nil {
		return err
	}
	return errors.Join(s.line.send(reply), err)
}

// command answers a packet. An error ends the connection; the reply, unless nil, is sent before.
func (s *session) command(p []byte) (reply []byte, err error) {
	if len(p) == 0 {
		return unknown, nil
	}
	rest := p[1:]
	switch p[0] {
	case '?':
		return s.stopped(s.last), nil
	case 'g':
		return s.allRegisters(), nil
	case 'p':
		return s.oneRegister(rest), nil
	case 'm':
		return s.memory(rest), nil
	case 'G', 'P', 'M', 'X':
		return refused, nil
	case 'H':
		return s.choose(rest), nil
	case 'T':
		if _, _, ok := s.find(rest); !ok {
			return refused, nil
		}
		return okay, nil
	case 'Z', 'z':
		return s.point(p[0] == 'Z', rest), nil
	case 'c', 'C', 's', 'S', 'b':
		return s.simple(p), nil
	case 'v':
		return s.verbose(p)
	case 'q', 'Q':
		return s.query(p)
	case 'D':
		return s.leave(bytes.TrimPrefix(rest, []byte(";")))
	case 'k':
		return nil, errLeft
	case '!':
		return okay, nil
	}
	return unknown, nil
}

// verbose answers a packet that begins with 'v'.
func (s *session) verbose(p []byte) (reply []byte, err error) {
	name, rest, _ := bytes.Cut(p, []byte(";"))
	switch {
	case string(p) == "vCont?":
		return []byte("vCont;c;C;s;S;r"), nil
	case string(name) == "vCont":
		return s.actions(rest), nil
	case string(name) == "vKill":
		return s.leave(rest)
	case string(name) == "vCtrlC":
		return okay, nil
	case bytes.HasPrefix(p, []byte("vFile:")):
		return s.file(p[len("vFile:"):]), nil
	}
	return unknown, nil
}

// leave answers a client that detaches from a process, or kills it: it is not shown to that client any more. Without a process it is all. The
// network stands in any case, and waits for the next client.
func (s *session) leave(process []byte) ([]byte, error) {
	if len(process) > 0 {
		p, ok := number(process)
		if !ok || !slices.ContainsFunc(s.threads(), func(t moteThread) bool { return t.Process == int(p) }) {
			return refused, nil
		}
		s.left[int(p)] = true
		s.breaks = slices.DeleteFunc(s.breaks, func(b breakpoint) bool { return b.process == int(p) })
		s.watches = slices.DeleteFunc(s.watches, func(w watchAt) bool { return w.Process == int(p) })
		if threads := s.threads(); len(threads) > 0 {
			if s.left[s.processOf(s.looked)] {
				s.look(threads[0].Number)
			}
			return okay, nil
		}
	}
	return okay, errLeft
}

// threads are those of processes that the client has not left.
func (s *session) threads() []moteThread {
	return slices.DeleteFunc(s.target.Threads(), func(t moteThread) bool { return s.left[t.Process] })
}

// processOf is the process of a thread.
func (s *session) processOf(thread int) int {
	for _, t := range s.target.Threads() {
		if t.Number == thread {
			return t.Process
		}
	}
	return 0
}

// find reads a thread id, and gives the thread that it stands for. All says that it names none: any, or all of them, or of a process; then it is
// the one that was looked at last.
func (s *session) find(text []byte) (thread int, all, ok bool) {
	process, number, ok := threadID(text)
	if !ok {
		return 0, false, false
	}
	anyone := number == 0 || number == every
	if anyone && (process == 0 || process == every) {
		return s.looked, true, true
	}
	if t := s.seen[process]; anyone && t != 0 && !s.left[process] {
		return t, true, true
	}
	for _, t := range s.threads() {
		if (process == 0 || process == every || process == t.Process) && (anyone || number == t.Number) {
			return t.Number, anyone, true
		}
	}
	return 0, false, false
}

// choose answers H: it says which thread other packets mean.
func (s *session) choose(rest []byte) []byte {
	if len(rest) < 2 || rest[0] != 'g' && rest[0] != 'c' {
		return wrong
	}
	thread, all, ok := s.find(rest[1:])
	switch {
	case !ok:
		return refused
	case rest[0] == 'g':
		s.look(thread)
	case all && rest[1] != 'p':
		s.going, s.alone = 0, false
	default:
		s.going, s.alone = thread, !all
	}
	return okay
}

// look turns to a thread. gdb says only "any of the process" when it turns back to one.
func (s *session) look(thread int) {
	s.looked = thread
	s.seen[s.processOf(thread)] = thread
}

// Sizes of registers, in avr-gdb's order: r0 to r31, SREG, SP and PC.
const (
	regSREG = 32
	regSP   = 33
	regPC   = 34
)

// register is the value of a register by its number, and its size in bytes.
func (r *cpuRegisters) register(n uint32) (value uint64, size int, ok bool) {
	switch {
	case n < regSREG:
		return uint64(r.R[n]), 1, true
	case n == regSREG:
		return uint64(r.SREG), 1, true
	case n == regSP:
		return uint64(r.SP), 2, true
	case n == regPC:
		return uint64(r.PC), 4, true
	}
	return 0, 0, false
}

// allRegisters answers g.
func (s *session) allRegisters() []byte {
	r := s.target.Registers(s.looked)
	var all []byte
	for n := range uint32(regPC + 1) {
		value, size, _ := r.register(n)
		all = append(all, little(value, size)...)
	}
	return all
}

// oneRegister answers p.
func (s *session) oneRegister(rest []byte) []byte {
	n, ok := number(rest)
	if !ok {
		return wrong
	}
	r := s.target.Registers(s.looked)
	value, size, ok := r.register(n)
	if !ok {
		return refused
	}
	return little(value, size)
}

// memory answers m.
func (s *session) memory(rest []byte) []byte {
	addr, n, ok := pair(rest, ",")
	if !ok {
		return wrong
	}
	if n == 0 {
		return nil
	}
	buf := make([]byte, min(n, maxPacket/2))
	got := s.target.Read(s.looked, addr, buf)
	if got == 0 {
		return refused
	}
	return hex.AppendEncode(nil, buf[:got])
}
