package input

import "slices"

// Pair is two values that the firmware compared, the least significant byte in the lowest bits.
type Pair struct {
	A, B  uint32
	Bytes uint8
}

// Learn takes comparisons that the firmware made while it handled the last message. Where one side is in the message, the other side would
// perhaps please the firmware more (Aschermann et al., REDQUEEN: input-to-state correspondence). It reports whether there is something to try. Wide
// values come first, since they are seldom there by chance, and then what was compared last: where the firmware gave up is what matters.
func (w *Writer) Learn(pairs []Pair) bool {
	const most, often = 64, 3
	if w.last.body == nil {
		return false
	}
	w.tries = nil
	for _, wide := range [...]bool{true, false} {
		for _, p := range slices.Backward(pairs) {
			if wide != (p.Bytes > 1 && (p.A > 0xFF || p.B > 0xFF)) {
				continue
			}
			for _, x := range [...]Pair{p, {A: p.B, B: p.A, Bytes: p.Bytes}} {
				list := w.last.substitutes(x)
				if most := often * variants; len(list) > most { // a value that is everywhere says little
					w.rng.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
					list = list[:most]
				}
				for _, t := range list {
					if len(w.tries) < most && !slices.ContainsFunc(w.tries, func(y []byte) bool { return slices.Equal(t, y) }) {
						w.tries = append(w.tries, t)
					}
				}
			}
		}
	}
	return len(w.tries) > 0
}

// variants is how many messages substitutes makes of one place in a message.
const variants = 3

// Retry makes the last message again, with what Learn suggests: all but the first, one after the other. It reports whether there was something left to try.
func (w *Writer) Retry(p Place) ([]byte, bool) {
	if len(w.tries) < 2 {
		return nil, false
	}
	w.last.body = w.tries[1]
	w.tries = slices.Delete(w.tries, 1, 2)
	return w.last.as.wrap(w, p, w.last.body), true
}

// Onward makes the last message again with the first thing that Learn suggests.
func (w *Writer) Onward(p Place) []byte {
	w.last.body = w.tries[0]
	w.tries = nil
	return w.last.as.wrap(w, p, w.last.body)
}

// substitutes are the bodies in which one side of a comparison is replaced by the other, in either order of bytes.
func (m *message) substitutes(p Pair) [][]byte {
	if p.A == p.B {
		return nil
	}
	var list [][]byte
	for _, swapped := range [...]bool{false, true} {
		if p.Bytes == 1 && swapped {
			break
		}
		from, to := p.side(p.A, swapped), p.side(p.B, swapped)
		for i := 0; i+len(from) <= len(m.body); i++ {
			if slices.Equal(m.body[i:i+len(from)], from) {
				b := slices.Clone(m.body)
				copy(b[i:], to)
				list = append(list, b)
				if n := len(b) - 1; i+len(to) <= n { // a checksum at the end may have to stay right
					list = append(list, balanced(m.body, b, false), balanced(m.body, b, true))
				}
			}
		}
	}
	return list
}

// side is one value of a pair as bytes.
func (p Pair) side(v uint32, swapped bool) []byte {
	var b []byte
	for range p.Bytes {
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
