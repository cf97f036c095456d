package explore

import (
	"fmt"
	"slices"
	"sync"

	"motehound/mote/radio"
	"motehound/study/check"
	"motehound/study/guide/input"
	"motehound/world/reception"
)

// Inputs that somebody makes up. A byte on a serial line, a reading and a level are named by their values. A frame is named by a hash of its
// bytes, which all clones of a System know.

var _ check.Feeder = (*System)(nil)

// madeFrames is the frames that were made up.
type madeFrames struct {
	mu     sync.Mutex
	frames map[uint32]*madeFrame
}

// madeFrame is a frame, and how often somebody asked for it to be kept.
type madeFrame struct {
	data  []byte
	users int
}

// put keeps a frame, and gives its name.
func (p *madeFrames) put(data []byte) uint32 {
	name := frameName(data)
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.frames == nil {
		p.frames = make(map[uint32]*madeFrame)
	}
	for {
		x := p.frames[name]
		if x == nil {
			x = &madeFrame{data: slices.Clone(data)}
			p.frames[name] = x
		}
		if slices.Equal(x.data, data) {
			x.users++
			return name
		}
		name = (name + 1) &^ check.Place // another frame has it, which happens once in a billion times
	}
}

// drop takes back a put.
func (p *madeFrames) drop(name uint32) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if x := p.frames[name]; x != nil {
		if x.users--; x.users == 0 {
			delete(p.frames, name)
		}
	}
}

func (p *madeFrames) get(name uint32) ([]byte, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	x := p.frames[name]
	if x == nil {
		return nil, false
	}
	return x.data, true
}

// frameName is FNV-1a, without the bit that marks places.
func frameName(data []byte) uint32 {
	h := uint64(14695981039346656037)
	for _, b := range data {
		h = (h ^ uint64(b)) * 1099511628211
	}
	return uint32(h^h>>32) &^ check.Place
}

// sourceOf is the queue of a port.
func sourceOf(k input.Kind, number uint8) uint16 {
	return check.MadeUp + uint16(k)<<8 + uint16(number)
}

// portOf is what sourceOf was given.
func portOf(e check.Event) (input.Kind, uint8) {
	return input.Kind((e.Source - check.MadeUp) >> 8), uint8(e.Source)
}

// Feed implements check.Feeder.
func (s *System) Feed(in check.MadeInput) check.Event {
	e := check.Event{Mote: in.Mote, Class: check.Input, Source: sourceOf(in.Kind, in.Number)}
	if in.Kind == input.Air {
		e.Serial = s.sh.made.put(in.Data)
		return e
	}
	for i := len(in.Data) - 1; i >= 0; i-- {
		e.Serial = e.Serial<<8&0xFF00 | uint32(in.Data[i])
	}
	return e
}

// Drop implements check.Feeder.
func (s *System) Drop(e check.Event) {
	if k, _ := portOf(e); k == input.Air {
		s.sh.made.drop(e.Serial)
	}
}

// Content implements check.Feeder.
func (s *System) Content(e check.Event) (check.MadeInput, bool) {
	k, number := portOf(e)
	in := check.MadeInput{Mote: e.Mote, Kind: k, Number: number}
	switch k {
	case input.Air:
		data, ok := s.sh.made.get(e.Serial)
		in.Data = data
		return in, ok
	case input.Sensor:
		in.Data = []byte{uint8(e.Serial), uint8(e.Serial >> 8)}
	default:
		in.Data = []byte{uint8(e.Serial)}
	}
	return in, k < input.NumKinds
}

// Open implements check.Feeder.
func (s *System) Open(dst []check.Port) []check.Port {
	if len(s.early) > 0 {
		return dst
	}
	for i := range s.seats {
		o := s.mustLook(i)
		if o.off || o.halted || s.seats[i].amid() {
			continue
		}
		add := func(p input.Place, number int) {
			dst = append(dst, check.Port{Mote: int16(i), Number: uint8(number), Place: p})
		}
		w := s.world()
		for usart := range w.Motes()[i].USARTs() {
			if s.openLine(i, usart, o) {
				add(input.Place{Kind: input.Serial}, usart)
			}
		}
		if p, ok := s.openAir(i, o); ok {
			add(p, 0)
		}
		for asked, channel := w.AskedReadings(i), 0; asked != 0; asked, channel = asked>>1, channel+1 {
			if asked&1 != 0 {
				add(input.Place{Kind: input.Sensor}, channel)
			}
		}
	}
	return dst
}

// openLine tells whether a USART listens, has room, and nobody else is at the other end of its line.
func (s *System) openLine(i, usart int, o *outlook) bool {
	if o.ready&(1<<s.rxVector(i, uint8(usart))) != 0 || !s.world().Motes()[i].SerialReady(uint8(usart)) || !o.fits(o.chars[usart&3]) {
		return false
	}
	for _, n := range s.sh.motes[i].wires {
		x := s.sh.cfg.Net.Wires[n]
		if x.A.Mote == i && int(x.A.USART) == usart || x.B.Mote == i && int(x.B.USART) == usart {
			return false
		}
	}
	return true
}

// openAir tells whether a mote's radio listens, and what it wants to hear.
func (s *System) openAir(i int, o *outlook) (p input.Place, ok bool) {
	m := s.world().Motes()[i]
	r := m.Radio()
	if r == nil || o.sends || !r.Listening() {
		return p, false
	}
	p = input.Place{Kind: input.Air, Raw: m.Kind.Board.Radio.Frames.LengthBits == 0}
	if a, ok := r.(radio.Addressed); ok {
		p.Network, p.Own = a.Addresses()
	}
	return p, s.world().ComposeSpan(i, 0) > 0
}

// Fits implements check.Feeder.
func (s *System) Fits(e check.Event) bool {
	i := int(e.Mote)
	if i < 0 || i >= len(s.seats) || len(s.early) > 0 || slices.ContainsFunc(s.seats, func(x seat) bool { return x.amid() }) {
		return false
	}
	o := s.mustLook(i)
	if o.off || o.halted {
		return false
	}
	switch k, number := portOf(e); k {
	case input.Serial:
		return int(number) < s.world().Motes()[i].USARTs() && s.openLine(i, int(number), o)
	case input.Air:
		data, known := s.sh.made.get(e.Serial)
		if _, ok := s.openAir(i, o); !ok || !known {
			return false
		}
		return o.fits(o.turns + s.world().ComposeSpan(i, len(data)))
	case input.Sensor:
		return s.world().AskedReadings(i)>>number&1 != 0
	}
	return false
}

// madeSpan is how long a made-up input takes to come in.
func (s *System) madeSpan(i int, o *outlook, e check.Event) uint64 {
	switch k, number := portOf(e); k {
	case input.Serial:
		return o.chars[number&3]
	case input.Air:
		data, _ := s.sh.made.get(e.Serial)
		return o.turns + s.world().ComposeSpan(i, len(data))
	}
	return 0
}

// takeMade has a made-up input come in.
func (s *System) takeMade(i int, x *seat, o *outlook, e check.Event) bool {
	b := s.body
	switch k, number := portOf(e); k {
	case input.Serial:
		return s.feed(i, x, o, number, func() uint64 { return b.w.FeedByte(i, number, uint8(e.Serial), o.chars[number&3]) })
	case input.Air:
		data, _ := s.sh.made.get(e.Serial)
		if p, ok := b.w.Compose(i, data); ok {
			return s.hear(i, x, b.w.Play(i, p, reception.Decision{}))
		}
	case input.Sensor:
		b.w.SetReading(i, number, uint16(e.Serial))
	}
	return true
}

// madeTitle names a made-up input.
func (s *System) madeTitle(e check.Event) string {
	in, ok := s.Content(e)
	if !ok {
		return "unknown input"
	}
	switch in.Kind {
	case input.Serial:
		if c := in.Data[0]; c > ' ' && c < 0x7F {
			return fmt.Sprintf("serial byte 0x%02x '%c'", c, c)
		}
		return fmt.Sprintf("serial byte 0x%02x", in.Data[0])
	case input.Sensor:
		return fmt.Sprintf("channel %d reads %d", in.Number, e.Serial)
	}
	return fmt.Sprintf("frame % x", in.Data)
}
