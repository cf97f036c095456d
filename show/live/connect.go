package live

import (
	"context"
	"fmt"
	"strconv"

	"motehound/job"
	"motehound/job/phrase"
	"motehound/world"
)

// Connector attaches what a user asks for to the world of a run.
type Connector struct {
	Serial []string // lines, as ParseSpec reads them
	Pace   string   // auto, off, real, or a factor
	Stdio  Stdio
	Say    func(format string, args ...any) // tells where lines are
	Note   func(format string, args ...any) // tells who has opened them
}

// connected is a session with its lines.
type connected struct{ *session }

// Connect opens the lines.
func (c Connector) Connect(w *world.World) (job.Session, error) {
	ports, err := c.ports(w)
	s := &connected{session: &session{World: w, Ports: ports}}
	s.Opened = func(p *port, reset bool) {
		what := "opened"
		if reset {
			what = "opened, mote reset"
		}
		c.Note("serial %s: %s at %s", portName(w, p), what, phrase.Seconds(w.Now()))
	}
	if err == nil {
		s.Pace, err = parsePace(c.Pace, s.live())
	}
	if err != nil {
		s.Close()
		return nil, err
	}
	return s, nil
}

// Close closes the lines.
func (s *connected) Close() {
	for _, p := range s.Ports {
		p.Close()
	}
}

// Run runs the world.
func (s *connected) Run(ctx context.Context, until, slice uint64, progress func(now uint64)) error {
	s.Slice, s.Progress = slice, progress
	return s.session.run(ctx, until)
}

func parsePace(text string, someone bool) (float64, error) {
	switch text {
	case "auto":
		if !someone {
			return 0, nil
		}
		return 1, nil
	case "off":
		return 0, nil
	case "real":
		return 1, nil
	}
	v, err := strconv.ParseFloat(text, 64)
	if err != nil || !(v > 0 && v < 1e9) {
		return 0, fmt.Errorf("--pace %q: write auto, off, real, or the number of virtual seconds per second", text)
	}
	return v, nil
}

// ports opens what --serial asks for. Those that were opened are returned in any case.
func (c *Connector) ports(w *world.World) (ports []*port, err error) {
	for _, text := range c.Serial {
		spec, err := ParseSpec(text)
		if err != nil {
			return ports, fmt.Errorf("--serial %w", err)
		}
		i, err := job.FindMote(w, spec.Mote)
		if err != nil {
			return ports, fmt.Errorf("--serial %q: %w", text, err)
		}
		m := w.Motes()[i]
		if spec.USART >= m.USARTs() {
			return ports, fmt.Errorf("--serial %q: the last USART of the %s is %d", text, m.Chip().Name, m.USARTs()-1)
		}
		usart := m.Board().Console
		if spec.USART >= 0 {
			usart = uint8(spec.USART)
		}
		for _, p := range ports {
			if p.Mote == i && p.USART == usart {
				return ports, fmt.Errorf("--serial %q: that UART is already connected", text)
			}
		}
		p, err := openPort(spec, c.Stdio)
		if err != nil {
			return ports, fmt.Errorf("--serial %q: %w", text, err)
		}
		p.Mote, p.USART, p.ResetOnOpen = i, usart, m.Board().ResetOnOpen
		ports = append(ports, p)
		if spec.Kind == "pty" || spec.Kind == "tcp" || spec.Kind == "sf" {
			c.Say("serial %s: %s", portName(w, p), p.where())
		}
	}
	return ports, nil
}

// portName names a line as --serial does.
func portName(w *world.World, p *port) string {
	m := w.Motes()[p.Mote]
	if p.USART == m.Board().Console {
		return strconv.Itoa(int(m.ID()))
	}
	return fmt.Sprintf("%d.%d", m.ID(), p.USART)
}
