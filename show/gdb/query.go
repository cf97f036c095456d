package gdb

import (
	"bytes"
	"encoding/hex"
	"encoding/xml"
	"errors"
	"fmt"
	"strings"
)

// query answers q and Q.
func (s *session) query(p []byte) (reply []byte, err error) {
	text := string(p)
	name, rest, _ := strings.Cut(text, ":")
	switch {
	case name == "qSupported":
		return s.supported(rest), nil
	case text == "QStartNoAckMode":
		s.silent = true
		return okay, nil
	case text == "qC":
		return []byte("QC" + s.name(s.looked)), nil
	case name == "qAttached":
		return []byte("1"), nil
	case text == "qfThreadInfo":
		return s.threadList(), nil
	case text == "qsThreadInfo":
		return []byte("l"), nil
	case strings.HasPrefix(text, "qThreadExtraInfo,"):
		return s.threadInfo([]byte(text[len("qThreadExtraInfo,"):])), nil
	case name == "qSymbol":
		return okay, nil
	case text == "qOffsets":
		return []byte("Text=0;Data=0;Bss=0"), nil
	case strings.HasPrefix(text, "qRcmd,"):
		return s.monitor(p[len("qRcmd,"):])
	case name == "qXfer":
		return s.transfer(rest), nil
	}
	return unknown, nil
}

// supported answers qSupported.
func (s *session) supported(asked string) []byte {
	for _, f := range strings.Split(asked, ";") {
		s.processes = s.processes || f == "multiprocess+"
	}
	can := fmt.Sprintf("PacketSize=%x;QStartNoAckMode+;ReverseStep+;ReverseContinue+;swbreak+;hwbreak+;vContSupported+;ConditionalBreakpoints+;"+
		"qXfer:threads:read+;qXfer:exec-file:read+", maxPacket)
	if s.processes {
		can += ";multiprocess+"
	}
	return []byte(can)
}

// threadList answers qfThreadInfo. All threads must fit into one packet: gdb asks by qXfer:threads if it can.
func (s *session) threadList() []byte {
	list := []byte("m")
	for i, t := range s.threads() {
		name := s.name(t.Number)
		if len(list)+1+len(name) > maxPacket {
			break
		}
		if i > 0 {
			list = append(list, ',')
		}
		list = append(list, name...)
	}
	return list
}

// threadInfo answers qThreadExtraInfo.
func (s *session) threadInfo(id []byte) []byte {
	thread, all, ok := s.find(id)
	if !ok || all {
		return refused
	}
	for _, t := range s.threads() {
		if t.Number == thread {
			return hex.AppendEncode(nil, []byte(t.Name+", "+t.State))
		}
	}
	return refused
}

// monitor answers qRcmd. The text goes out in pieces that fit into packets.
func (s *session) monitor(text []byte) (reply []byte, err error) {
	line, ok := unhex(text)
	if !ok {
		return wrong, nil
	}
	command := strings.TrimSpace(string(line))
	s.line.setRunning(true)
	answer, failed := s.target.Monitor(command, s.halt())
	s.line.setRunning(false)
	if errors.Is(failed, errOver) {
		return okay, errOver
	}
	if failed != nil {
		answer += failed.Error() + "\n"
	}
	const piece = maxPacket/2 - 1
	for rest := []byte(answer); len(rest) > 0; {
		n := min(piece, len(rest))
		if err := s.line.send(append([]byte("O"), hex.EncodeToString(rest[:n])...)); err != nil {
			return nil, err
		}
		rest = rest[n:]
	}
	return okay, nil
}

// transfer answers qXfer: "OBJECT:read:ANNEX:OFFSET,LENGTH". A document is made when its beginning is asked for.
func (s *session) transfer(text string) []byte {
	f := strings.Split(text, ":")
	if len(f) != 4 || f[1] != "read" {
		return unknown
	}
	offset, length, ok := pair([]byte(f[3]), ",")
	if !ok {
		return wrong
	}
	if offset == 0 {
		switch f[0] {
		case "threads":
			s.listed = s.threadDocument()
		case "exec-file":
			s.listed, ok = s.programName(f[2])
		default:
			return unknown
		}
	}
	if !ok || int(offset) > len(s.listed) {
		return refused
	}
	part := s.listed[offset:]
	part = part[:min(int(length), len(part))]
	data, used := escaped(part, maxPacket-1)
	more := byte('m')
	if int(offset)+used == len(s.listed) {
		more = 'l'
	}
	return append([]byte{more}, data...)
}

// threadDocument is the list of threads as XML.
func (s *session) threadDocument() []byte {
	quoted := func(text string) string {
		var b strings.Builder
		_ = xml.EscapeText(&b, []byte(text))
		return b.String()
	}
	var b bytes.Buffer
	b.WriteString("<threads>\n")
	for _, t := range s.threads() {
		fmt.Fprintf(&b, "<thread id=%q name=\"%s\">%s</thread>\n", s.name(t.Number), quoted(t.Name), quoted(t.State))
	}
	b.WriteString("</threads>\n")
	return b.Bytes()
}

// programName is the name of the file of a process, which the client may read from us.
func (s *session) programName(process string) ([]byte, bool) {
	n := s.processOf(s.looked)
	if process != "" {
		p, ok := number([]byte(process))
		if !ok {
			return nil, false
		}
		n = int(p)
	}
	for _, t := range s.threads() {
		if t.Process == n {
			return []byte(fileName(n, s.target.Program(n))), true
		}
	}
	return nil, false
}
