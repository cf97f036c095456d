package scenario

import (
	"fmt"
	"math"
	"strings"

	"go.starlark.net/starlark"
)

// unknown declares a symbolic input, named by what it is if the script gives it no name.
func (r *request) unknown(s Symbolic, who nodeRef, about string) (starlark.Value, error) {
	s.Pos = r.pos
	r.then(r, func() error {
		i, err := r.resolve(who)
		if err != nil {
			return err
		}
		s.Mote = i
		if s.Name == "" {
			s.Name = fmt.Sprintf("mote %d: %s", r.sc.Motes[i].ID, about)
		}
		for _, other := range r.sc.Symbolic {
			if other.Name == s.Name {
				return fmt.Errorf("there is already a symbolic input %q, at %s: give each its own name", s.Name, other.Pos)
			}
		}
		if len(r.sc.Symbolic) >= maxSymbolic {
			return fmt.Errorf("more than %d symbolic inputs", maxSymbolic)
		}
		if s.Kind == SymbolicSerial || s.Kind == SymbolicWire {
			err = r.usart(i, s.USART)
		}
		r.sc.Symbolic = append(r.sc.Symbolic, s)
		return err
	})
	return starlark.None, nil
}

const maxSymbolic = 1000

// part are the arguments that say which bytes of which frame.
type part struct{ nth, offset, length starlark.Value }

func (p *part) args() []any {
	p.nth, p.offset = starlark.MakeInt(1), starlark.MakeInt(0)
	return []any{"nth?", &p.nth, "offset?", &p.offset, "length?", &p.length}
}

func (p *part) put(r *request, s *Symbolic) error {
	for _, a := range []struct {
		name   string
		v      starlark.Value
		lo, hi int64
		to     *uint32
	}{
		{"nth", p.nth, 1, math.MaxInt32, &s.Nth},
		{"offset", p.offset, 0, math.MaxUint16, &s.Offset},
		{"length", p.length, 1, 1024, &s.Length},
	} {
		n, err := intIn(a.v, a.lo, a.hi)
		if err != nil {
			return r.errorf("%s %v", a.name, err)
		}
		*a.to = uint32(n)
	}
	return nil
}

// ends are the arguments that say who receives a frame, or who sends it.
type ends struct{ mote, sender nodeRef }

// put notes which of the two it is, and tells the mote.
func (e *ends) put(r *request, s *Symbolic) (who nodeRef, err error) {
	if e.mote.set == e.sender.set {
		return who, r.errorf("give mote (the receiver) or sender")
	}
	if s.Sender = e.sender.set; s.Sender {
		return e.sender, nil
	}
	return e.mote, nil
}

// symbolicFrame handles symbolic_frame(mote, nth, offset, length, name, sender).
func (r *request) symbolicFrame() (starlark.Value, error) {
	s := Symbolic{Kind: SymbolicFrame}
	var (
		e ends
		p part
	)
	args := append([]any{"mote?", &e.mote}, p.args()...)
	if err := r.unpack(append(args, "name?", &s.Name, "sender?", &e.sender)...); err != nil {
		return nil, err
	}
	if err := p.put(r, &s); err != nil {
		return nil, err
	}
	who, err := e.put(r, &s)
	if err != nil {
		return nil, err
	}
	frame := "frame"
	if s.Sender {
		frame = "sent frame"
	}
	return r.unknown(s, who, fmt.Sprintf("%s %d, bytes %d to %d", frame, s.Nth, s.Offset, s.Offset+s.Length-1))
}

// symbolicSerial handles symbolic_serial(mote, nth, offset, length, usart, name).
func (r *request) symbolicSerial() (starlark.Value, error) {
	return r.symbolicUSART(SymbolicSerial, "input %d of USART %d, bytes %d to %d")
}

// symbolicWire handles symbolic_wire(mote, nth, offset, length, usart, name, sender).
func (r *request) symbolicWire() (starlark.Value, error) {
	return r.symbolicUSART(SymbolicWire, "frame %d on the wire to USART %d, bytes %d to %d")
}

// symbolicUSART handles what reaches a USART; about says what that is.
func (r *request) symbolicUSART(kind SymbolicKind, about string) (starlark.Value, error) {
	s := Symbolic{Kind: kind}
	var (
		e    ends
		p    part
		port starlark.Value
	)
	args := append(append([]any{"mote", &e.mote}, p.args()...), "usart?", &port, "name?", &s.Name)
	if kind == SymbolicWire {
		args[0], args = "mote?", append(args, "sender?", &e.sender)
	}
	if err := r.unpack(args...); err != nil {
		return nil, err
	}
	who, err := e.put(r, &s)
	if err != nil {
		return nil, err
	}
	if s.Sender {
		about = strings.Replace(about, "to USART", "from USART", 1)
	}
	if err := p.put(r, &s); err != nil {
		return nil, err
	}
	if s.USART, err = r.usartNumber(port); err != nil {
		return nil, err
	}
	return r.unknown(s, who, fmt.Sprintf(about, s.Nth, s.USART, s.Offset, s.Offset+s.Length-1))
}

// symbolicVar handles symbolic_var(mote, path, function, file, line, nth, name).
func (r *request) symbolicVar() (starlark.Value, error) {
	s := Symbolic{Kind: SymbolicVar}
	var (
		who  nodeRef
		line starlark.Value
		nth  = starlark.Value(starlark.MakeInt(1))
	)
	err := r.unpack("mote", &who, "path", &s.Variable, "function?", &s.Function, "file?", &s.File, "line?", &line, "nth?", &nth, "name?", &s.Name)
	if err != nil {
		return nil, err
	}
	n, err := intIn(nth, 1, math.MaxInt32)
	if err != nil {
		return nil, r.errorf("nth %v", err)
	}
	s.Nth = uint32(n)
	place := s.Function
	if line != nil {
		if n, err = intIn(line, 1, math.MaxInt32); err != nil {
			return nil, r.errorf("line %v", err)
		}
		s.Line = int(n)
		place = fmt.Sprintf("%s:%d", s.File, s.Line)
	}
	switch {
	case s.Variable == "":
		return nil, r.errorf("the path of the variable is empty")
	case (s.File == "") != (s.Line == 0):
		return nil, r.errorf("file and line go together")
	case (s.File == "") == (s.Function == ""):
		return nil, r.errorf("give function, or file and line: when does it become unknown?")
	}
	return r.unknown(s, who, fmt.Sprintf("%s at %s", s.Variable, place))
}

// symbolicSensor handles symbolic_sensor(mote, channel, nth, name).
func (r *request) symbolicSensor() (starlark.Value, error) {
	s := Symbolic{Kind: SymbolicSensor}
	var (
		who     nodeRef
		channel starlark.Value
		nth     = starlark.Value(starlark.MakeInt(1))
	)
	if err := r.unpack("mote", &who, "channel", &channel, "nth?", &nth, "name?", &s.Name); err != nil {
		return nil, err
	}
	ch, err := intIn(channel, 0, 15)
	if err != nil {
		return nil, r.errorf("channel %v", err)
	}
	n, err := intIn(nth, 1, math.MaxInt32)
	if err != nil {
		return nil, r.errorf("nth %v", err)
	}
	s.Channel, s.Nth = uint8(ch), uint32(n)
	return r.unknown(s, who, fmt.Sprintf("reading %d of channel %d", s.Nth, s.Channel))
}
