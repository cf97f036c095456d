package world

import (
	"motehound/mote"
	"motehound/mote/cell"
	"motehound/mote/digest"
	"motehound/mote/mcu"
	"motehound/mote/radio"
	"motehound/world/reception"
)

// Input that somebody makes up: frames that no mote has sent, and in a guided world readings of sensors.

// Stranger is the sender of frames that no mote has sent.
const Stranger = 0xFFFE

// Compose is a transmission of some bytes, as a mote's radio can hear it now: with preamble, delimiter, length and check sequence, if its
// frames have them. It reports whether there is one.
func (w *World) Compose(i int, data []byte) (*Packet, bool) { return compose(w.motes[i], data) }

func compose(m *mote.Mote, data []byte) (*Packet, bool) {
	r, ok := m.Radio().(radio.Peered)
	if !ok {
		return nil, false
	}
	carrier, bit, ok := r.Peer()
	if !ok {
		return nil, false
	}
	list := m.Kind.Board.Radio.Frames.Wrap(data)
	p := &Packet{From: Stranger, items: make([]reception.Item, 0, len(list)+2)}
	p.items = append(p.items, reception.Item{Kind: radio.CarrierOn, Carrier: carrier, Sender: Stranger})
	for _, b := range list {
		p.items = append(p.items, reception.Item{Kind: radio.Byte, At: p.Span, Bit: bit, Data: cell.Of(b), Sender: Stranger})
		p.Span += 8 * bit
	}
	p.items = append(p.items, reception.Item{Kind: radio.CarrierOff, At: p.Span, Sender: Stranger})
	return p, true
}

// Strange is how HearFrame reaches a mote that is in no world: when what is heard, by the mote's clock. It reports whether it can be heard.
func Strange(m *mote.Mote, data []byte) ([]reception.Item, bool) {
	p, ok := compose(m, data)
	if !ok {
		return nil, false
	}
	for i := range p.items {
		p.items[i].At += m.Time() + lead(m)
	}
	return p.items, true
}

// hearStranger has a mote hear a frame that no mote has sent. If it cannot, a Notice says so.
func (w *World) hearStranger(i int, data []byte) {
	p, ok := w.Compose(i, data)
	if ok {
		w.Play(i, p, reception.Decision{})
		return
	}
	m := w.motes[i]
	for _, f := range w.observe.notice {
		f(i, mcu.Note{Text: "does not hear the frame from outside: its radio does not listen", PC: m.Core().PC, Cycles: m.Cycles()})
	}
}

// ComposeSpan is how long it takes to play so many bytes to a mote, once its radio has turned to receive; 0 if it hears nothing now.
func (w *World) ComposeSpan(i, bytes int) uint64 {
	r, ok := w.motes[i].Radio().(radio.Peered)
	if !ok {
		return 0
	}
	_, bit, ok := r.Peer()
	if !ok {
		return 0
	}
	return playLead + 8*bit*uint64(bytes+w.frameLook(i).Overhead()) + afterPlay
}

// maxReadings is how many channels an ADC has at most.
const maxReadings = 32

// readings is what the channels of a mote's ADC read in a guided world, if somebody has said so, and which were asked.
type readings struct {
	value [maxReadings]uint16 // plus 1; 0 for guidedReading
	asked uint32
}

func (r *readings) read(channel uint8) uint16 {
	if channel >= maxReadings {
		return guidedReading
	}
	r.asked |= 1 << channel
	return r.now(channel)
}

// now is what a channel reads.
func (r *readings) now(channel uint8) uint16 {
	if v := r.value[channel]; v > 0 {
		return v - 1
	}
	return guidedReading
}

func (r *readings) append(d *digest.Digest) {
	for channel, v := range r.value {
		if v > 0 {
			d.Word(uint64(channel)<<16 | uint64(v))
		}
	}
}

// SetReading says what a channel of a mote's ADC reads from now on, unless the Config says it.
func (w *World) SetReading(i int, channel uint8, value uint16) {
	if channel < maxReadings {
		w.per[i].readings.value[channel] = min(value, 1023) + 1
	}
}

// AskedReadings is which channels of a mote's ADC were read so far, of which the Config says nothing.
func (w *World) AskedReadings(i int) uint32 { return w.per[i].readings.asked }

// Senses is what the channel reads that a mote's ADC has converted last; ok is false if none was, or the Config says it.
func (w *World) Senses(i int) (value uint16, ok bool) {
	channel, ok := w.motes[i].Converts()
	_, known := w.plan.reading(i, channel, w.per[i].boot+w.motes[i].Time())
	r := &w.per[i].readings
	return r.now(channel), ok && !known && r.asked>>channel&1 != 0
}

// Resense has all channels of a mote's ADC read something else, as if they had done so in the conversion that Senses is about.
func (w *World) Resense(i int, value uint16) {
	for channel := range uint8(maxReadings) {
		w.SetReading(i, channel, value)
	}
	w.motes[i].Resample(value)
}
