// Package live runs a world with the host attached: serial lines of motes lead to terminals, programs and files, and virtual time
// passes as fast as the machine allows, or at the speed of real time.
//
// Invariants: input from the host enters the world between two slices, with the virtual time of that moment, through the methods
// that put it into the recipe of the run. So a live run can be repeated from its recipe, without the host. Bytes enter no faster
// than the line takes them, and only while the firmware's receiver is on and has read what came before. Nothing else here changes
// a world.
package live

import (
	"context"
	"fmt"
	"slices"
	"time"

	"motehound/mote/mcu"
	"motehound/mote/periph"
	"motehound/world"
)

// Slices of virtual time between two looks at the host.
const (
	attentive = 1 * world.Millisecond   // while somebody may send at any time
	busy      = 10 * world.Millisecond  // while a file's bytes go over the line
	relaxed   = 100 * world.Millisecond // otherwise; also how late an interrupted run ends
)

// session is a world with its ports.
type session struct {
	World *world.World
	Ports []*port
	// Pace is how many virtual seconds pass in a second of the host; 0 means as many as possible.
	Pace float64
	// Progress, if set, is called between slices.
	Progress func(now uint64)
	// Slice, if not 0, is the longest stretch of virtual time between two calls of Progress.
	Slice uint64
	// Opened, if set, is called when somebody opens a port, with whether that reset the mote.
	Opened func(p *port, reset bool)
}

// live reports whether one of the ports has somebody with a clock of his own at its other end.
func (s *session) live() bool { return slices.ContainsFunc(s.Ports, (*port).live) }

// run runs the world until a moment, until no mote can go on, or until the context is done. It can be called once.
func (s *session) run(ctx context.Context, until uint64) error {
	s.World.Observe(world.Observer{Serial: func(mote int, usart uint8, c periph.SerialChar) {
		for _, p := range s.Ports {
			if p.Mote == mote && p.USART == usart {
				p.out = append(p.out, c.Data.V())
			}
		}
	}})
	for _, p := range s.Ports {
		if sf, ok := p.peer.(*sfPeer); ok {
			sf.now = s.World.Now
		}
	}
	pace := pacer{factor: s.Pace}
	for s.World.Now() < until && ctx.Err() == nil && !s.over() {
		pending := false
		for _, p := range s.Ports {
			pending = s.take(ctx, p) || pending
		}
		slice := s.slice()
		if slice == relaxed && pending {
			slice = busy
		}
		if s.Slice != 0 {
			slice = min(slice, s.Slice)
		}
		// Slices end on multiples of their length, so that where a run ends does not depend on where it began to hurry.
		now := s.World.Now()
		s.World.RunUnless(func() bool { return ctx.Err() != nil }, min(now-now%slice+slice, until))
		for _, p := range s.Ports {
			if err := p.deliver(ctx); err != nil {
				return err
			}
		}
		if s.Progress != nil {
			s.Progress(s.World.Now())
		}
		pace.wait(ctx, s.World.Now())
	}
	for _, p := range s.Ports {
		if f, ok := p.peer.(finisher); ok {
			if err := f.finish(); err != nil {
				return fmt.Errorf("serial output: %w", err)
			}
		}
	}
	return nil
}

// slice is how long the world may run before somebody at a port must be looked after.
func (s *session) slice() uint64 {
	if s.Pace > 0 || s.live() {
		return attentive
	}
	return relaxed
}

// over reports whether nothing can happen any more: a stopped mote can be reset by whoever opens its port.
func (s *session) over() bool {
	return s.World.Stopped() && !slices.ContainsFunc(s.Ports, func(p *port) bool { return p.ResetOnOpen && p.live() })
}

// take brings what the host did into the world, as far as the mote can take it, and reports whether there is more to come
// soon.
func (s *session) take(ctx context.Context, p *port) (pending bool) {
	m := s.World.Motes()[p.Mote]
	if o, ok := p.peer.(opener); ok && o.opened() {
		if p.ResetOnOpen {
			s.World.Reset(p.Mote)
			p.in = nil // what the last one sent and the mote did not read
		}
		if s.Opened != nil {
			s.Opened(p, p.ResetOnOpen)
		}
	}
	ready := m.SerialReady(p.USART) && m.SerialIdle(p.USART)
	if src, ok := p.peer.(source); ok && s.Pace == 0 && len(p.in) == 0 && ready {
		src.wait(ctx)
	}
	if len(p.in) == 0 {
		p.in = p.peer.receive()
	}
	if m.Stopped() != mcu.Running {
		p.in = nil // nobody will ever read it
	}
	if len(p.in) > 0 && ready {
		bit, format := m.SerialRate(p.USART)
		n := min(len(p.in), max(1, int(min(s.slice(), busy)/(bit*uint64(format.Bits())))))
		s.World.SerialIn(world.Serial{Mote: p.Mote, USART: p.USART, Bytes: p.in[:n]})
		p.in = p.in[n:]
	}
	return len(p.in) > 0 || !m.SerialIdle(p.USART)
}

// deliver gives the mote's output to the host.
func (p *port) deliver(ctx context.Context) error {
	if len(p.out) == 0 {
		return nil
	}
	err := p.peer.send(ctx, p.out)
	p.out = p.out[:0]
	return err
}

// pacer holds virtual time back.
type pacer struct {
	factor  float64
	host    time.Time // when virtual time was at base
	base    uint64
	started bool
}

const (
	// tooLate is when a pacer gives up catching up: the host was suspended, or is too slow.
	tooLate = time.Second
	// nap is the shortest time worth sleeping.
	nap = 200 * time.Microsecond
)

// wait waits until the host's clock has come to a virtual time.
func (p *pacer) wait(ctx context.Context, now uint64) {
	if p.factor <= 0 {
		return
	}
	if !p.started {
		p.host, p.base, p.started = time.Now(), now, true
		return
	}
	ahead := time.Duration(float64(now-p.base)/p.factor/1000) - time.Since(p.host)
	switch {
	case ahead < -tooLate:
		p.host, p.base = time.Now(), now
	case ahead > nap:
		t := time.NewTimer(ahead)
		defer t.Stop()
		select {
		case <-t.C:
		case <-ctx.Done():
		}
	}
}
