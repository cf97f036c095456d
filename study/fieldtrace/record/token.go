package record

// What the tracer knows, and how far back it looks.
const (
	knownSize   = 24
	historySize = 48
)

// Tokens: the second number of their first byte, and the first number where that is control.
const (
	otherCount = 28
	fresh      = 29
	counted    = 30
	control    = 31

	controlRun   = 0
	controlLost  = 1
	controlReset = 2
	controlFault = 3
	controlTime  = 4
	controlPad   = 7
)

// reader goes through the bytes of a page.
type reader struct {
	bytes []byte
	pos   int
	short bool // the bytes ended in the middle
	wrong bool // a number is larger than a tracer writes it
}

func (r *reader) byte() uint8 {
	if r.pos >= len(r.bytes) {
		r.short = true
		return 0
	}
	r.pos++
	return r.bytes[r.pos-1]
}

// number reads a varint of 16 bits.
func (r *reader) number() uint32 {
	var n uint32
	for shift := uint(0); ; shift += 7 {
		b := r.byte()
		n |= uint32(b&0x7F) << shift
		if n>>16 != 0 || shift > 14 {
			r.wrong = true
			return 0
		}
		if b < 0x80 {
			return n
		}
	}
}

// model is what the runtime knows, and predicts.
type model struct {
	known    [knownSize]Element
	numKnown int
	history  [historySize]int // a ring of indices of known
	next     int
	length   int
	expect   int // index in history, or -1
}

// back is the place in the history so many before the next one.
func (m *model) back(n int) int { return (m.next - n + historySize) % historySize }

func (m *model) remember(which int) {
	m.history[m.next] = which
	m.next = (m.next + 1) % historySize
	m.length = min(m.length+1, historySize)
}

// predicted is the next element as predicted. Something must be.
func (m *model) predicted() Element {
	which := m.history[m.expect]
	m.expect = (m.expect + 1) % historySize
	m.remember(which)
	return m.known[which]
}

// again is a known element; what came behind it, or behind it and the one before, is predicted.
func (m *model) again(which int) Element {
	m.expect = -1
	last := m.history[m.back(1)]
	for n := 1; n <= m.length; n++ {
		if m.history[m.back(n)] != which {
			continue
		}
		longer := n < m.length && m.history[m.back(n+1)] == last
		if longer || m.expect < 0 {
			m.expect = m.back(n - 1)
		}
		if longer {
			break
		}
	}
	m.remember(which)
	return m.known[which]
}

// learn makes an element known, in place of the last one if it must.
func (m *model) learn(e Element) {
	if m.numKnown < knownSize {
		m.numKnown++
	}
	m.known[m.numKnown-1] = e
	m.remember(m.numKnown - 1)
}
