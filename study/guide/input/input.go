// Package input makes up what comes to a mote from outside: bytes on serial lines, frames on the air, readings of sensors, levels of pins.
//
// A Source is what is known of a firmware before anything is tried: messages that it or others really send, and the constants and texts
// in its code. A Writer makes the inputs of one walk, from random numbers alone, and learns from what comes of them. It knows formats
// (format.go), changes messages (mutate.go) and puts values into them that the firmware compared something with (compare.go).
//
// Invariants: what a Writer makes depends on the Source, its random numbers and what it was told, never on time or on other Writers. A
// Source never changes.
package input

import (
	"math/rand/v2"
	"slices"
)

// Kind is where an input comes in.
type Kind uint8

// The kinds. Their names are part of the recipe format.
const (
	Serial Kind = iota
	Air
	Sensor
	Pin
	NumKinds
)

var kindNames = [NumKinds]string{"serial", "air", "sensor", "pin"}

func (k Kind) String() string {
	if k < NumKinds {
		return kindNames[k]
	}
	return "?"
}

// ParseKind reads what String wrote.
func ParseKind(text string) (Kind, bool) {
	i := slices.Index(kindNames[:], text)
	return Kind(max(i, 0)), i >= 0
}

// Place is where an input comes in, and what is known of that.
type Place struct {
	Kind Kind
	// Raw says of a radio that it takes every byte as it is: frames have neither length nor check sequence of their own.
	Raw bool
	// Network and Own are addresses: frames for others are not heard.
	Network, Own uint16
}

// Longest is the most bytes of an input.
const Longest = 192

// longestFrame is the most bytes of a frame on the air, without its check sequence.
const longestFrame = 125

// Source is what is known of a firmware.
type Source struct {
	Words *Dictionary
	seeds []message
}

// Seed is a message that is known to make sense.
type Seed struct {
	Kind Kind
	Data []byte
}

// NewSource knows the messages and the dictionary of a firmware.
func NewSource(words *Dictionary, seeds []Seed) *Source {
	s := &Source{Words: words}
	for _, x := range seeds {
		m := parse(x.Kind, x.Data)
		if len(x.Data) > 0 && len(x.Data) <= Longest && !slices.ContainsFunc(s.seeds, func(y message) bool { return y.kind == x.Kind && slices.Equal(m.body, y.body) }) {
			s.seeds = append(s.seeds, m)
		}
	}
	return s
}

// Writer makes the inputs of one walk.
type Writer struct {
	from *Source
	rng  *rand.Rand
	kept []message // that did something new
	way  []message // that came before
	last message
	own  uint16 // the receiver's address
}

// message is a body in a format.
type message struct {
	kind Kind
	as   format
	body []byte
}

// mostKept bounds what a Writer remembers.
const mostKept = 64

// Writer makes a Writer.
func (s *Source) Writer(rng *rand.Rand) *Writer { return &Writer{from: s, rng: rng} }

// Next makes an input.
func (w *Writer) Next(p Place) []byte {
	switch p.Kind {
	case Sensor:
		return w.reading()
	case Pin:
		return []byte{uint8(w.rng.IntN(2))}
	}
	w.own = p.Own
	return w.begin(p, w.message(p))
}

// begin makes a message the last one.
func (w *Writer) begin(p Place, m message) []byte {
	data := m.as.wrap(w, p, m.body)
	if p.Kind == Air && m.as.shape != framed {
		m = message{kind: p.Kind, body: data} // with its header
	}
	w.last = m
	return data
}

// Came says which messages came before, on the way to where the next one comes.
func (w *Writer) Came(list []Seed) {
	w.way = w.way[:0]
	for _, x := range list {
		if x.Kind == Serial || x.Kind == Air {
			w.way = append(w.way, parse(x.Kind, x.Data))
		}
	}
}

// Again makes a message like one that came before, if one did: perhaps from another sender, perhaps changed a little.
func (w *Writer) Again(p Place) ([]byte, bool) {
	m, ok := w.draw(w.way, p.Kind)
	if !ok {
		return nil, false
	}
	w.own = p.Own
	if w.rng.IntN(2) == 0 {
		m.body = w.changed(m.body, p.Kind)
	}
	return w.begin(p, m), true
}

// Changes lists bodies like that of the last message, changed.
func (w *Writer) Changes(k Kind, most int) (list [][]byte) {
	for range most {
		list = append(list, w.changed(w.last.body, k))
	}
	return list
}

// Body is that of the last message.
func (w *Writer) Body() []byte { return w.last.body }

// Try makes the last message again, with another body.
func (w *Writer) Try(p Place, body []byte) []byte {
	w.last.body = body
	data := w.last.as.exact(body)
	if p.Kind == Air && !p.Raw {
		data = data[:min(len(data), longestFrame)]
	}
	return data
}

// message makes a message: one that did something new, or that is known to make sense, or another one, changed or as it is.
func (w *Writer) message(p Place) message {
	const anew, unchanged = 4, 8
	m, known := w.known(p.Kind)
	if !known || w.rng.IntN(anew) == 0 {
		m = w.fresh(p)
		if w.rng.IntN(2) == 0 {
			return m
		}
	}
	if w.rng.IntN(unchanged) > 0 {
		m.body = w.changed(m.body, p.Kind)
	}
	return m
}

// known draws a message that was kept, or a seed.
func (w *Writer) known(k Kind) (message, bool) {
	if m, ok := w.draw(w.way, k); ok && w.rng.IntN(3) == 0 {
		return m, true
	}
	if m, ok := w.draw(w.kept, k); ok && w.rng.IntN(3) > 0 {
		return m, true
	}
	if m, ok := w.draw(w.from.seeds, k); ok {
		return m, true
	}
	return w.draw(w.kept, k)
}

// draw draws a message of a kind.
func (w *Writer) draw(list []message, k Kind) (m message, ok bool) {
	n := 0
	for i := range list {
		if list[i].kind != k {
			continue
		}
		if n++; w.rng.IntN(n) == 0 {
			m, ok = list[i], true
		}
	}
	return m, ok
}

// Keep says that the last message did something new.
func (w *Writer) Keep() {
	if w.last.body == nil {
		return
	}
	if len(w.kept) == mostKept {
		w.kept = slices.Delete(w.kept, 0, 1)
	}
	w.kept = append(w.kept, w.last)
}

// reading draws what a sensor reads: the ends of the range more often than the rest.
func (w *Writer) reading() []byte {
	v := [...]int{0, 1, 511, 512, 1022, 1023, w.rng.IntN(1024), w.rng.IntN(1024)}[w.rng.IntN(8)]
	return []byte{uint8(v), uint8(v >> 8)}
}

// changed is a message after some changes; now and then one whose bytes add up to the same. What is before the message proper hardly changes: without it
// nobody hears the message.
func (w *Writer) changed(body []byte, k Kind) []byte {
	const seldom = 3
	n := headIf(k, body)
	if w.rng.IntN(8) == 0 {
		n = 0
	}
	b := append(slices.Clone(body[:n]), w.mutate(slices.Clone(body[n:]), k)...)
	if n == headerLength && w.rng.IntN(4) == 0 {
		b[n-2], b[n-1] = uint8(w.rng.IntN(8)), 0 // another sender
	}
	if w.rng.IntN(seldom) == 0 {
		b = balanced(body, b, w.rng.IntN(4) == 0)
	}
	return b
}

// Varied is the body of the last message with other values for some bytes that are there more than once, so that it is plain which of them was compared.
func (w *Writer) Varied() []byte {
	b := slices.Clone(w.last.body)
	var count [256]int
	for _, c := range b {
		count[c]++
	}
	for i := headIf(w.last.kind, b); i < len(b); i++ {
		if count[b[i]] > 1 && w.rng.IntN(2) == 0 {
			count[b[i]]--
			b[i] = uint8(w.rng.Uint32())
			count[b[i]]++
		}
	}
	return b
}

// headIf is how many bytes of a message are before the message proper.
func headIf(k Kind, body []byte) int {
	if k == Air {
		return min(headOf(body), len(body))
	}
	return 0
}

// Revise changes a message that did something, or not much, unless it shall be the same: a message of which only the bytes are known.
func (w *Writer) Revise(p Place, data []byte, same bool) []byte {
	if p.Kind != Serial && p.Kind != Air {
		return w.Next(p)
	}
	w.own = p.Own
	m := parse(p.Kind, data)
	if same {
		w.last = m
		return slices.Clone(data)
	}
	m.body = w.changed(m.body, p.Kind)
	return w.begin(p, m)
}
