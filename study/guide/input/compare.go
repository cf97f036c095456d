package input

import "slices"

// Pair is two values that the firmware compared at some place of its code, the least significant byte in the lowest bits.
type Pair struct {
	At    uint32
	A, B  uint32
	Bytes uint8
	Sum   bool // that A and the negative of B add up to nothing was asked
	Bits  bool // bits were tested, with A as the outcome; B would be the other one
	// Solved says that a byte was loaded and changed before it was compared, and what it would have to be for the values to be equal.
	Solved         bool
	Loaded, Wanted uint8
}

// differs tells whether the values do.
func (p Pair) differs() bool { return p.A != p.B }

// size is how many bytes the values take.
func (p Pair) size() int {
	n := 1
	for v := (p.A | p.B) >> 8; v != 0; v >>= 8 {
		n++
	}
	return n
}

// How many messages comparisons suggest.
const (
	mostTries  = 32
	mostMends  = 10
	mostPlaces = 3 // in a message, for one value
)

// Suggest lists bodies like that of the last message that comparisons suggest which the firmware made while it handled that one. Where one side is in the
// message, the other side would perhaps please the firmware more (Aschermann et al., REDQUEEN: input-to-state correspondence). What never was equal comes
// first, then wide values, since they are seldom there by chance, and then what was compared last: where the firmware gave up is what matters.
func (w *Writer) Suggest(pairs []Pair) [][]byte {
	equal := make(map[uint32]bool)
	for _, p := range pairs {
		equal[p.At] = equal[p.At] || !p.differs()
	}
	var list [][]byte
	for class := range 5 {
		for _, p := range slices.Backward(pairs) {
			narrow, met := p.size() == 1, equal[p.At]
			if p.differs() && (class == 4) == p.Bits && (p.Bits || class == number(met)*2+number(narrow)) {
				list = w.among(list, w.last.wishes(p), mostPlaces)
			}
		}
	}
	for _, p := range slices.Backward(pairs) {
		list = w.among(list, w.last.resized(p), mostPlaces)
	}
	return list[:min(len(list), mostTries)]
}

func number(b bool) int {
	if b {
		return 1
	}
	return 0
}

// among appends some of the bodies of a second list that are not yet in the first.
func (w *Writer) among(list, more [][]byte, most int) [][]byte {
	if len(more) > most { // a value that is everywhere says little
		w.rng.Shuffle(len(more), func(i, j int) { more[i], more[j] = more[j], more[i] })
		more = more[:most]
	}
	for _, b := range more {
		if !slices.ContainsFunc(list, func(x []byte) bool { return slices.Equal(x, b) }) {
			list = append(list, b)
		}
	}
	return list
}

// Passed is the comparisons that came out equal whenever they were made.
type Passed map[uint32]bool

// PassedOf finds them.
func PassedOf(pairs []Pair) Passed {
	p := make(Passed)
	for _, x := range pairs {
		if same, known := p[x.At]; x.differs() || !known || same {
			p[x.At] = !x.differs()
		}
	}
	return p
}

// Broken finds a comparison that is not equal any more, a wide one if there is one.
func (p Passed) Broken(pairs []Pair) (first Pair, ok bool) {
	for _, x := range pairs {
		if p[x.At] && x.differs() && (!ok || x.size() > first.size()) {
			first, ok = x, true
		}
	}
	return first, ok
}

// Mend lists bodies that may make a comparison equal again that a change of the message has broken: a length, or a checksum.
func (w *Writer) Mend(body []byte, broken Pair) [][]byte {
	m := message{body: body}
	list := m.wishes(broken)
	if len(list) > mostMends/2 {
		list = list[len(list)-mostMends/2:] // checksums are behind what they are of
	}
	list = append(list, m.resized(broken)...)
	if broken.size() == 1 { // a byte of which all that is known is that the sum depends on it
		for end := len(body) - 1; end >= max(0, len(body)-2); end-- {
			for _, b := range [...]uint8{body[end] + uint8(broken.B-broken.A), body[end] - uint8(broken.B-broken.A), body[end] ^ uint8(broken.A^broken.B)} {
				x := slices.Clone(body)
				x[end] = b
				list = append(list, x)
			}
		}
	}
	return list[:min(len(list), mostMends)]
}

// wishes are the bodies in which one side of a comparison is replaced by the other, in either order of bytes.
func (m *message) wishes(p Pair) [][]byte {
	if p.Solved {
		return m.substitutes(uint32(p.Loaded), uint32(p.Wanted), 1)
	}
	list := m.substitutes(p.A, p.B, p.size())
	if p.Sum {
		return append(list, m.substitutes(uint32(-uint8(p.B)), uint32(-uint8(p.A)), 1)...)
	}
	return append(list, m.substitutes(p.B, p.A, p.size())...)
}

// substitutes are the bodies in which a value is replaced by another.
func (m *message) substitutes(a, b uint32, size int) [][]byte {
	var list [][]byte
	for _, swapped := range [...]bool{false, true} {
		if size == 1 && swapped {
			break
		}
		from, to := side(a, size, swapped), side(b, size, swapped)
		for i := 0; i+size <= len(m.body); i++ {
			if slices.Equal(m.body[i:i+size], from) {
				x := slices.Clone(m.body)
				copy(x[i:], to)
				list = append(list, x)
			}
		}
	}
	return list
}

// resized are the bodies that are longer or shorter by what a comparison lacks, if one of its sides may be a length.
func (m *message) resized(p Pair) [][]byte {
	const head, most = 24, 64
	var list [][]byte
	for _, x := range [...][2]uint32{{p.A, p.B}, {p.B, p.A}} {
		if p.Bits {
			break
		}
		is, be := int(x[0]), int(x[1])
		if is == be || is > len(m.body) || is < len(m.body)-head || be > is+most || be < is-most || len(m.body)+be-is <= 0 {
			continue
		}
		if n := len(m.body) + be - is; n < len(m.body) {
			list = append(list, slices.Clone(m.body[:n]))
		} else {
			list = append(list, append(slices.Clone(m.body), make([]byte, be-is)...))
		}
	}
	return list
}

// side is a value as bytes.
func side(v uint32, size int, swapped bool) []byte {
	var b []byte
	for range size {
		b = append(b, uint8(v))
		v >>= 8
	}
	if swapped {
		slices.Reverse(b)
	}
	return b
}

// balanced changes the last byte of a message so that all bytes add up to what they did in another one, or by exclusive or.
func balanced(old, b []byte, exclusive bool) []byte {
	b = slices.Clone(b)
	if len(b) == 0 {
		return b
	}
	var sum, mix uint8
	for _, c := range old {
		sum, mix = sum+c, mix^c
	}
	for _, c := range b {
		sum, mix = sum-c, mix^c
	}
	if exclusive {
		b[len(b)-1] ^= mix
	} else {
		b[len(b)-1] += sum
	}
	return b
}
