package world

import (
	"motehound/mote"
	"motehound/mote/cell"
	"motehound/mote/digest"
	"motehound/mote/periph"
	"motehound/mote/radio"
	"motehound/world/medium"
	"motehound/world/reception"
)

// A guided world has no time of its own: whoever guides it runs one mote after the other, each by its own clock, and says what
// reaches it when. What motes send is collected, not delivered: Packets and Chars give it, Play and Feed bring it to a mote.
// Nothing of it is asked of the Chooser: radios behave in the ordinary way, and a channel of which the Config says nothing reads
// guidedReading.

// guidedReading is the middle of an ADC's range.
const guidedReading = 512

// Packet is a transmission that has ended. It never changes.
type Packet struct {
	From  int
	Span  uint64           // picoseconds from its first moment to its last
	Sum   [2]uint64        // hash of its contents
	items []reception.Item // At is since its first moment
}

// Bytes are the bytes of the packet, preamble and delimiter too.
func (p *Packet) Bytes() []byte {
	var list []byte
	for i := range p.items {
		if p.items[i].Kind == radio.Byte {
			list = append(list, p.items[i].Data.V())
		}
	}
	return list
}

// Left is how many of the packet's bytes have not begun at a moment, counted from its first one.
func (p *Packet) Left(at uint64) (n int) {
	for i := range p.items {
		if p.items[i].Kind == radio.Byte && p.items[i].At > at {
			n++
		}
	}
	return n
}

// Begins is the moment at which so many of its bytes are left, if there is one.
func (p *Packet) Begins(left int) (at uint64, ok bool) {
	for i := len(p.items) - 1; i >= 0; i-- {
		if p.items[i].Kind != radio.Byte {
			continue
		}
		if left == 0 {
			return p.items[i].At, true
		}
		left--
	}
	return 0, false
}

// ByteSpan is how long a byte of it takes; 0 if it has none.
func (p *Packet) ByteSpan() uint64 {
	for i := range p.items {
		if p.items[i].Kind == radio.Byte {
			return 8 * p.items[i].Bit
		}
	}
	return 0
}

func (p *Packet) sum() {
	d := digest.New()
	d.Word(uint64(p.From))
	for i := range p.items {
		digest.Struct(&d, &p.items[i])
	}
	p.Sum = d.Sum()
}

// Char is a character that a mote sends on a wire.
type Char struct {
	From, To int
	Wire     int
	BitTime  uint64
	Data     cell.Cell
	USART    uint8
	Format   periph.SerialFormat
}

// Guide makes the world a guided one, for good. The motes' vectors are guarded as the caller says (mcu.Machine.RequirePermit).
func (w *World) Guide(guard func(i int, m *mote.Mote) uint64) {
	w.wake()
	w.guided = true
	for i, m := range w.motes {
		m.RequirePermit(guard(i, m))
	}
}

// collect keeps what a mote sends.
func (w *World) collect(from int, x reception.Item) {
	a := &w.per[from].air
	if x.Kind == radio.CarrierOn {
		a.sent = nil // what is there may be another world's, too
	}
	if x.Kind == radio.Byte && len(a.sent) >= longestSent {
		return
	}
	a.sent = append(a.sent, x)
	if x.Kind != radio.CarrierOff {
		return
	}
	p := &Packet{From: from, items: make([]reception.Item, len(a.sent))}
	start := a.sent[0].At
	for i, y := range a.sent {
		y.At -= start
		p.items[i] = y
	}
	p.Span = x.At - start
	p.sum()
	a.sent = nil
	w.packets = append(w.packets, p)
}

// Repeat keeps a row of bytes that a mote sends.
func (w *World) Repeat(i int, r *radio.Repeated) {
	if r.Count == 0 {
		return
	}
	s := &w.per[i]
	at := r.At
	for k := uint64(0); k < r.Count; k++ {
		if len(s.air.sent) >= longestSent && !w.plan.resent && len(w.observe.frame) == 0 {
			s.bytes += uint32(r.Count - k)
			return
		}
		s.env.Emit(w.motes[i], at, r.Bit, r.Data)
		at += r.Span
	}
}

// longestSent is how much of a transmission is collected: more than the longest preamble and frame. A mote that does not stop sending,
// since whatever would stop it has to wait, says nothing new.
const longestSent = 3000

// Sending reports whether a mote's transmission is under way.
func (w *World) Sending(i int) bool { return len(w.per[i].air.sent) > 0 }

// Packets gives what was sent since it was last asked.
func (w *World) Packets(dst []*Packet) []*Packet {
	dst = append(dst, w.packets...)
	w.packets = w.packets[:0]
	return dst
}

// Chars gives what was sent on wires since it was last asked.
func (w *World) Chars(dst []Char) []Char {
	dst = append(dst, w.chars...)
	w.chars = w.chars[:0]
	return dst
}

// playLead is how far in a mote's future what is played to it begins.
const playLead = 10 * Microsecond

// lead is that, and how long the mote's radio takes to turn to receive.
func lead(m *mote.Mote) uint64 { return playLead + m.Radio().Turning(m.Time()) }

// Lead is how long after now, by a mote's clock, what is played to it begins.
func (w *World) Lead(i int) uint64 { return lead(w.motes[i]) }

// Play puts a packet on the air around a mote, beginning now by its clock, or once its radio has turned to receive: an
// acknowledgement, say, never comes sooner. It gives the mote's cycle at which it is over. How it is received, at once, was decided before.
func (w *World) Play(i int, p *Packet, d reception.Decision) uint64 {
	m := w.motes[i]
	var l medium.Link
	if p.From != Stranger {
		l, _ = w.cfg.Net.Find(p.From, i)
	}
	l.Delay = 0 // it comes when it is played
	lead := lead(m)
	start := w.per[i].boot + m.Time() + lead
	for _, x := range p.items {
		x.At += start
		if x.Kind == radio.CarrierOn {
			x.Decide(d)
		}
		x = x.Over(&l)
		w.per[i].air.Insert(&x)
	}
	w.planAir(i)
	return m.CycleAt(m.Time() + lead + p.Span + afterPlay)
}

// afterPlay is how long after the end of a packet a radio has told all that it will.
const afterPlay = 100 * Microsecond

// PlaySpan is how long Play takes, once the radio has turned to receive.
func (p *Packet) PlaySpan() uint64 { return playLead + p.Span + afterPlay }

// Feed puts a character on the line to one of a mote's USARTs, so that it is over after some time by its clock: if that is less than FeedSpan, it has begun before. It gives
// the cycle at which it is over.
func (w *World) Feed(i int, usart uint8, data cell.Cell, within uint64) uint64 {
	m := w.motes[i]
	bit, format := m.SerialRate(usart)
	end := m.Time() + within
	m.Receive(usart, periph.SerialChar{Start: end - min(end, bit*uint64(format.Bits())), BitTime: bit, Format: format, Data: data})
	return m.CycleAt(end)
}

// FeedSpan is how long a character takes, in picoseconds.
func (w *World) FeedSpan(i int, usart uint8) uint64 {
	bit, format := w.motes[i].SerialRate(usart)
	return bit * uint64(format.Bits())
}

// PowerCycle, PowerOff and PowerOn are what the events of that name are (EventKind), in a guided world, now by the mote's clock.
func (w *World) PowerCycle(i int) { w.powerCycle(i); w.forget(i) }

// PowerOff takes a mote's power away.
func (w *World) PowerOff(i int) { w.powerOff(i); w.forget(i) }

// PowerOn gives it back.
func (w *World) PowerOn(i int) { w.powerOn(i, w.motes[i].Time()) }

// Disturb has the channel around a mote busy for a while, from now on by its clock; Disturbed reports whether that is not over.
func (w *World) Disturb(i int, span uint64) {
	now := w.per[i].boot + w.motes[i].Time() + playLead
	w.per[i].air.Disturb(now, now+span)
	w.planAir(i)
}

// Disturbed reports whether the channel around a mote is busy, or will be.
func (w *World) Disturbed(i int) bool { return w.per[i].air.Disturbed() }

// forget drops what was on its way from and to a mote that lost its power.
func (w *World) forget(i int) {
	a := &w.per[i].air
	a.Forget()
	a.sent = nil
	w.planAir(i)
}

// Off reports whether a mote is without power.
func (w *World) Off(i int) bool { return w.per[i].off }

// Set gives a variable of a mote a value.
func (w *World) Set(i int, v Variable) error {
	s, err := lookUp(w.cfg.Motes[i].Kind, v)
	if err != nil {
		return err
	}
	w.set(i, w.motes[i], s)
	return nil
}

// CopyMote puts one mote into the state that it has in another world of the same Config.
func (w *World) CopyMote(i int, from *World) {
	w.wake()
	w.per[i].copyFrom(&from.per[i])
}

// Foresee is CopyMote into a world in which nobody asks what is sent: of a transmission under way only the beginning is copied.
func (w *World) Foresee(i int, from *World) {
	w.CopyMote(i, from)
	a := &w.per[i].air
	a.sent = a.sent[:min(1, len(a.sent)):min(1, len(a.sent))]
}

// AppendMote feeds a mote's state, with what the world keeps for it, to a digest: as it matters for what can happen, so that
// absolute times and counts of what has happened are left out.
func (w *World) AppendMote(i int, d *digest.Digest) {
	w.wake()
	m, s := w.motes[i], &w.per[i]
	m.AppendRelative(d)
	flags := uint64(s.bytes) << 2
	if s.off {
		flags |= 1
	}
	if s.started == m.Resets() {
		flags |= 2
	}
	d.Word(flags)
	now := s.boot + m.Time()
	s.air.Append(d, now)
	reception.AppendItems(d, s.air.sent, now)
	s.readings.append(d)
}

// Linked lists the motes that a mote's transmissions reach now by its clock.
func (w *World) Linked(from int, dst []int) []int {
	if w.cfg.Net == nil {
		return dst
	}
	now := w.per[from].boot + w.motes[from].Time()
	for _, l := range w.cfg.Net.From(from) {
		if w.motes[l.To].Radio() != nil && !w.cfg.Net.IsCut(from, l.To, now) {
			dst = append(dst, l.To)
		}
	}
	return dst
}

// FeedByte is Feed for a plain byte.
func (w *World) FeedByte(i int, usart uint8, b byte, within uint64) uint64 {
	return w.Feed(i, usart, cell.Of(b), within)
}
