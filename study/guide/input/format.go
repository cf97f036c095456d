package input

import "slices"

// shape is how a message is put on a line or on the air.
type shape uint8

const (
	plain    shape = iota // as it is
	textLine              // a line of text
	hdlc                  // between flags, with escapes and a check sequence: TinyOS on serial lines
	slip                  // between ends, with escapes: IP on serial lines
	framed                // a head, perhaps a length, the body, perhaps a checksum
	mac                   // behind a header of IEEE 802.15.4 for the receiver
)

// format is a shape with its details.
type format struct {
	shape  shape
	head   []byte // of framed
	length bool   // of framed: it has a byte that says how many follow
	sum    sum
	from   int    // of framed: the byte, counted from the beginning, from which on the checksum counts
	tail   []byte // behind all; of a line: how it ends
	ack    bool   // of mac: an acknowledgement is asked for
}

// wrap is a message as it comes to a receiver.
func (f *format) wrap(w *Writer, p Place, body []byte) []byte {
	switch {
	case f.shape == mac:
		return f.header(w, p, body)
	case p.Kind == Air && !p.Raw:
		return w.readdress(p, f.exact(body))
	}
	return f.exact(body)
}

// exact is a message of which nothing is left to chance.
func (f *format) exact(body []byte) []byte {
	switch f.shape {
	case textLine:
		return slices.Concat(body, f.tail)
	case hdlc:
		const flag, escape, bit = 0x7E, 0x7D, 0x20
		list := []byte{flag}
		for _, b := range crcLSB.appended(slices.Clip(body), 0) {
			if b == flag || b == escape {
				list = append(list, escape)
				b ^= bit
			}
			list = append(list, b)
		}
		return append(list, flag)
	case slip:
		list := []byte{slipEnd}
		for _, b := range body {
			switch b {
			case slipEnd:
				list = append(list, slipEscape, slipEscape+1)
			case slipEscape:
				list = append(list, slipEscape, slipEscape+2)
			default:
				list = append(list, b)
			}
		}
		return append(list, slipEnd)
	case framed:
		list := slices.Clone(f.head)
		if f.length {
			list = append(list, uint8(len(body)))
		}
		return append(f.sum.appended(append(list, body...), f.from), f.tail...)
	}
	return slices.Clone(body)
}

// What follows an escape is slipEscape+1 for the end, +2 for itself (RFC 1055).
const slipEnd, slipEscape = 0xC0, 0xDB

// The frame control field of data with short addresses in one network (IEEE 802.15.4-2006, 7.2.1.1).
const (
	dataFrame    = 0x41
	askForAck    = 0x20
	shortBoth    = 0x88
	everyone     = 0xFFFF
	headerLength = 9 // control, sequence number, network, destination, source
)

// header puts a header before a body: data for the receiver, or for everyone.
func (f *format) header(w *Writer, p Place, body []byte) []byte {
	to := p.Own
	if w.rng.IntN(2) == 0 {
		to = everyone
	}
	control := uint8(dataFrame)
	if f.ack && to != everyone {
		control |= askForAck
	}
	from := uint16(w.rng.IntN(8))
	list := []byte{control, shortBoth, uint8(w.rng.Uint32()), uint8(p.Network), uint8(p.Network >> 8), uint8(to), uint8(to >> 8), uint8(from), uint8(from >> 8)}
	list = append(list, body...)
	return list[:min(len(list), longestFrame)]
}

// readdress has a frame that another mote was sent be for the receiver, unless it is for everyone.
func (w *Writer) readdress(p Place, frame []byte) []byte {
	frame = frame[:min(len(frame), longestFrame)]
	if len(frame) < headerLength-2 || frame[1]>>2&3 != 2 || w.rng.IntN(8) == 0 {
		return frame
	}
	frame[3], frame[4] = uint8(p.Network), uint8(p.Network>>8)
	if w.rng.IntN(2) == 0 {
		frame[2] = uint8(w.rng.Uint32()) // what comes twice with the same sequence number is dropped
	}
	if len(frame) >= headerLength && frame[1]>>6 == 2 && w.rng.IntN(2) == 0 {
		frame[7], frame[8] = uint8(w.rng.IntN(8)), 0
	}
	if frame[5] != 0xFF || frame[6] != 0xFF {
		frame[5], frame[6] = uint8(p.Own), uint8(p.Own>>8)
	}
	return frame
}

// syncWord is what drivers of the CC1000 in TinyOS wait for behind the preamble.
var syncWord = []byte{0x33, 0xCC}

// headOf is how many bytes of a frame are before the message proper: the header of IEEE 802.15.4, or the sync word and an address.
func headOf(frame []byte) int {
	if len(frame) > 1 && slices.Equal(frame[:2], syncWord) {
		return len(syncWord) + 2
	}
	return headerLength
}

// fresh makes a message of which nothing is known.
func (w *Writer) fresh(p Place) message {
	m := message{kind: p.Kind}
	switch {
	case p.Kind == Air && p.Raw:
		m.as = format{shape: framed, head: syncWord, sum: crcMSB, from: len(syncWord)}
		m.body = append([]byte{0xFF, 0xFF, uint8(w.am()), 0x7D}, w.counted()...)
		if w.rng.IntN(2) == 0 { // TinyOS 2
			payload := w.payload()
			m.body = append([]byte{0xFF, 0xFF, 0, uint8(w.rng.IntN(8)), uint8(len(payload)), 0x22, uint8(w.am())}, payload...)
		}
	case p.Kind == Air:
		m.as = format{shape: mac, ack: w.rng.IntN(4) == 0}
		m.body = append([]byte{uint8(w.am())}, w.payload()...)
		if w.rng.IntN(2) == 0 {
			m.body = slices.Insert(m.body, 0, 0x3F) // TinyOS 2 says so that it is not 6LoWPAN
		}
	default:
		m.as, m.body = w.freshSerial()
	}
	return m
}

// freshSerial makes a message for a serial line.
func (w *Writer) freshSerial() (format, []byte) {
	switch w.rng.IntN(8) {
	case 0:
		return format{}, w.payload()
	case 1, 2:
		ends := [...]string{"\n", "\r", "\r\n", "\x00"}
		return format{shape: textLine, tail: []byte(ends[w.rng.IntN(len(ends))])}, w.text()
	case 3: // an active message of TinyOS 2, to be acknowledged
		payload := w.payload()
		return format{shape: hdlc}, append([]byte{0x44, uint8(w.rng.Uint32()), 0, 0xFF, 0xFF, 0, 0, uint8(len(payload)), 0x22, uint8(w.am())}, payload...)
	case 4:
		return format{shape: slip}, w.payload()
	}
	f := format{shape: framed, length: w.rng.IntN(3) > 0, sum: sums[w.rng.IntN(len(sums))]}
	if w.rng.IntN(3) > 0 {
		f.head = slices.Clone(w.from.Words.draw(w.rng))
		if w.rng.IntN(2) == 0 {
			f.head = append(f.head, w.from.Words.draw(w.rng)...)
		}
	}
	switch w.rng.IntN(3) {
	case 0: // the body alone
		f.from = len(f.head) + 1
	case 1: // with the length
		f.from = len(f.head)
	}
	if !f.length {
		f.from = min(f.from, len(f.head))
	}
	return f, w.payload()
}

// am draws the number of an active message.
func (w *Writer) am() uint8 {
	if x := w.from.Words.draw(w.rng); len(x) == 1 && w.rng.IntN(4) > 0 {
		return x[0]
	}
	return uint8(w.rng.Uint32())
}

// payload makes up bytes, of which some are words of the firmware's own.
func (w *Writer) payload() []byte {
	b := make([]byte, w.rng.IntN(1<<(1+w.rng.IntN(7))))
	for i := range b {
		b[i] = w.oddByte()
	}
	for range w.rng.IntN(3) {
		b = word(w, b, Serial)
	}
	return b
}

// counted is a payload behind its length.
func (w *Writer) counted() []byte {
	b := w.payload()
	return append([]byte{uint8(len(b))}, b...)
}

// text makes up a line: words, numbers and what stands between them.
func (w *Writer) text() []byte {
	var b []byte
	between := []string{" ", "", ",", "=", ":", ";"}
	for range 1 + w.rng.IntN(6) {
		switch x := w.from.Words.draw(w.rng); w.rng.IntN(4) {
		case 0:
			for range 1 + w.rng.IntN(5) {
				b = append(b, '0'+uint8(w.rng.IntN(10)))
			}
		case 1:
			c := uint8(' ' + w.rng.IntN(0x5F))
			if len(x) == 1 && w.rng.IntN(4) > 0 {
				c = x[0]
			}
			for range 1 << w.rng.IntN(8) {
				b = append(b, c)
			}
		default:
			b = append(b, x...)
		}
		b = append(b, between[w.rng.IntN(len(between))]...)
	}
	return b
}

// parse finds the format of a message that is known to make sense.
func parse(k Kind, data []byte) message {
	m := message{kind: k, body: data}
	if k == Serial && len(data) > 4 && data[0] == 0x7E && data[len(data)-1] == 0x7E {
		if body, ok := unescape(data[1 : len(data)-1]); ok {
			return message{kind: k, as: format{shape: hdlc}, body: body}
		}
	}
	if n := lineEnd(data); k == Serial && n > 0 {
		return message{kind: k, as: format{shape: textLine, tail: data[len(data)-n:]}, body: data[:len(data)-n]}
	}
	const longestTail, longestHead, shortest = 4, 4, 4
	for from := range longestHead {
		for _, x := range sums[1:] {
			if x.size() < 2 {
				continue // one byte is often right by chance
			}
			v := x.start()
			for end, b := range data[min(from, len(data)):] {
				if at := from + end; at >= from+shortest && len(data)-at-2 >= 0 && len(data)-at-2 < longestTail && slices.Equal(x.bytes(v), data[at:at+2]) {
					return message{kind: k, as: format{shape: framed, sum: x, from: from, tail: data[at+2:]}, body: data[:at]}
				}
				v = x.take(v, b)
			}
		}
	}
	return m
}

// lineEnd is how many bytes end a line of text, if it is one.
func lineEnd(data []byte) (n int) {
	for n < len(data) && (data[len(data)-1-n] == '\n' || data[len(data)-1-n] == '\r') {
		n++
	}
	text := data[:len(data)-n]
	if slices.ContainsFunc(text, func(b byte) bool { return b >= 0x7F || b < ' ' && b != '\n' && b != '\r' && b != '\t' }) {
		return 0
	}
	return n
}

// unescape takes escapes and the check sequence out of what is between two flags, and reports whether that is right.
func unescape(list []byte) ([]byte, bool) {
	var b []byte
	for i := 0; i < len(list); i++ {
		c := list[i]
		if c == 0x7D && i+1 < len(list) {
			i++
			c = list[i] ^ 0x20
		}
		b = append(b, c)
	}
	if len(b) < 3 {
		return nil, false
	}
	body := b[: len(b)-2 : len(b)-2]
	return body, slices.Equal(crcLSB.appended(slices.Clone(body), 0), b)
}
