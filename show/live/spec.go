package live

import (
	"fmt"
	"net"
	"strconv"
	"strings"
)

// Spec says what a mote's serial line leads to: "[MOTE[.USART]=]KIND[:ARGUMENT]".
type Spec struct {
	Mote  int // node id; -1 for the first mote
	USART int // -1 for the board's console
	Kind  string
	Arg   string // tcp and sf: HOST:PORT; pty: a link to make, or ""; file: the output
	In    string // file: the input, or ""
}

// Usage is the forms of a Spec, for help.
const Usage = "[MOTE[.USART]=]stdio | pty[:LINK] | tcp:[HOST:]PORT | sf:[HOST:]PORT | file:OUT[,IN]"

// loopback is where a TCP port listens unless the user names a host: a serial line has no password.
const loopback = "127.0.0.1"

// ParseSpec reads a Spec.
func ParseSpec(text string) (Spec, error) {
	s := Spec{Mote: -1, USART: -1}
	bad := func(why string) (Spec, error) { return s, fmt.Errorf("%q: %s; write %s", text, why, Usage) }
	rest := text
	if who, what, ok := strings.Cut(text, "="); ok && !strings.Contains(who, ":") {
		rest = what
		mote, usart, hasUSART := strings.Cut(who, ".")
		n, err := strconv.ParseUint(mote, 10, 16)
		if err != nil {
			return bad(fmt.Sprintf("%q is not a node id", mote))
		}
		s.Mote = int(n)
		if hasUSART {
			n, err := strconv.ParseUint(usart, 10, 2)
			if err != nil {
				return bad(fmt.Sprintf("%q is not the number of a USART, 0 to 3", usart))
			}
			s.USART = int(n)
		}
	}
	var hasArg bool
	s.Kind, s.Arg, hasArg = strings.Cut(rest, ":")
	switch s.Kind {
	case "stdio":
		if hasArg {
			return bad("stdio takes nothing after it")
		}
	case "pty":
		if hasArg && s.Arg == "" {
			return bad("the name of the link is missing")
		}
	case "tcp", "sf":
		if !strings.Contains(s.Arg, ":") {
			s.Arg = net.JoinHostPort(loopback, s.Arg)
		}
		_, port, err := net.SplitHostPort(s.Arg)
		if err != nil {
			return bad(err.Error())
		}
		if _, err := strconv.ParseUint(port, 10, 16); err != nil {
			return bad(fmt.Sprintf("%q is not a TCP port", port))
		}
	case "file":
		s.Arg, s.In, _ = strings.Cut(s.Arg, ",")
		if s.Arg == "" {
			return bad("the name of the output file is missing")
		}
	default:
		return bad(fmt.Sprintf("%q is not a kind of endpoint", s.Kind))
	}
	return s, nil
}
