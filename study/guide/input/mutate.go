package input

import "slices"

// mutator changes a message. It may be given an empty one.
type mutator func(w *Writer, b []byte, k Kind) []byte

var mutators = [...]mutator{flipBit, setByte, setByte, addTo, addTo, setLength, insert, remove, repeat, stretch, stretch, truncate, extend, word, word, splice, wideAdd, grow, grow, grow}

// mutate changes a message a few times.
func (w *Writer) mutate(b []byte, k Kind) []byte {
	const doublings = 4
	for range 1 << w.rng.IntN(doublings) {
		b = mutators[w.rng.IntN(len(mutators))](w, b, k)
		if len(b) > Longest {
			b = b[:Longest]
		}
	}
	return b
}

// odd are values at which things go wrong.
var odd = [...]uint8{0, 1, 2, 3, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 100, 127, 128, 129, 160, 192, 200, 240, 254, 255}

func (w *Writer) oddByte() uint8 {
	if w.rng.IntN(2) == 0 {
		return uint8(w.rng.Uint32())
	}
	return odd[w.rng.IntN(len(odd))]
}

// at draws a place in a message; the beginning, where fields are, more often.
func (w *Writer) at(b []byte) int {
	if len(b) > 12 && w.rng.IntN(2) == 0 {
		return w.rng.IntN(12)
	}
	return w.rng.IntN(len(b))
}

func flipBit(w *Writer, b []byte, _ Kind) []byte {
	if len(b) > 0 {
		b[w.at(b)] ^= 1 << w.rng.IntN(8)
	}
	return b
}

func setByte(w *Writer, b []byte, _ Kind) []byte {
	if len(b) > 0 {
		b[w.at(b)] = w.oddByte()
	}
	return b
}

func addTo(w *Writer, b []byte, _ Kind) []byte {
	if len(b) > 0 {
		b[w.at(b)] += uint8(w.rng.IntN(33) - 16)
	}
	return b
}

// wideAdd changes a field of two bytes, whichever comes first.
func wideAdd(w *Writer, b []byte, _ Kind) []byte {
	if len(b) < 2 {
		return b
	}
	lo := w.rng.IntN(len(b) - 1)
	hi := lo + 1
	if w.rng.IntN(2) == 0 {
		lo, hi = hi, lo
	}
	v := uint16(b[lo]) | uint16(b[hi])<<8
	if v += uint16(w.rng.IntN(65) - 32); w.rng.IntN(4) == 0 {
		v = uint16(w.rng.Uint32())
	}
	b[lo], b[hi] = uint8(v), uint8(v>>8)
	return b
}

// setLength makes a byte say how many follow it, or a few more or less.
func setLength(w *Writer, b []byte, _ Kind) []byte {
	if len(b) > 0 {
		i := w.at(b)
		b[i] = uint8(len(b) - i - 1 + [...]int{0, 0, 0, 1, -1, 2, -2, 40}[w.rng.IntN(8)])
	}
	return b
}

// grow makes a message longer or shorter behind a byte that seems to say how long it is, and changes that byte, too. Up to three bytes at the end may not count.
func grow(w *Writer, b []byte, _ Kind) []byte {
	var at []int
	for i := range b {
		if left := len(b) - i - 1 - int(b[i]); b[i] > 0 && left >= 0 && left <= 3 {
			at = append(at, i)
		}
	}
	if len(at) == 0 {
		return b
	}
	i := at[w.rng.IntN(len(at))]
	end := i + 1 + int(b[i])
	if n := 1 << w.rng.IntN(6); w.rng.IntN(4) > 0 {
		b[i] += uint8(n)
		return slices.Insert(b, end, slices.Repeat([]byte{w.oddByte()}, n)...)
	}
	n := 1 + w.rng.IntN(int(b[i]))
	b[i] -= uint8(n)
	return slices.Delete(b, end-n, end)
}

func insert(w *Writer, b []byte, _ Kind) []byte {
	return slices.Insert(b, w.rng.IntN(len(b)+1), w.oddByte())
}

func remove(w *Writer, b []byte, _ Kind) []byte {
	if len(b) == 0 {
		return b
	}
	i := w.rng.IntN(len(b))
	return slices.Delete(b, i, i+1+w.rng.IntN(min(4, len(b)-i)))
}

// repeat puts a part of a message in once more.
func repeat(w *Writer, b []byte, _ Kind) []byte {
	if len(b) == 0 {
		return b
	}
	i := w.rng.IntN(len(b))
	n := 1 + w.rng.IntN(len(b)-i)
	return slices.Insert(b, i, slices.Clone(b[i:i+n])...)
}

// stretch makes a run of one byte of a message: what nests gets deeper, and a word longer.
func stretch(w *Writer, b []byte, _ Kind) []byte {
	const doublings = 8
	if len(b) == 0 {
		return b
	}
	i := w.rng.IntN(len(b))
	return slices.Insert(b, i, slices.Repeat(b[i:i+1], 1<<w.rng.IntN(1+w.rng.IntN(doublings)))...)
}

func truncate(w *Writer, b []byte, _ Kind) []byte { return b[:w.rng.IntN(len(b)+1)] }

// extend makes a message longer.
func extend(w *Writer, b []byte, _ Kind) []byte {
	fill := w.oddByte()
	for range 1 << w.rng.IntN(1+w.rng.IntN(8)) {
		if w.rng.IntN(8) == 0 {
			fill = uint8(w.rng.Uint32())
		}
		b = append(b, fill)
	}
	return b
}

// word puts a value or a text of the firmware's own into a message.
func word(w *Writer, b []byte, _ Kind) []byte {
	x := w.from.Words.draw(w.rng)
	if w.rng.IntN(8) == 0 {
		x = w.address()
	}
	if len(x) == 0 {
		return b
	}
	i := w.rng.IntN(len(b) + 1)
	if i+len(x) <= len(b) && w.rng.IntN(3) > 0 {
		copy(b[i:], x)
		return b
	}
	return slices.Insert(b, i, x...)
}

// address is that of the receiver or of another mote, in either order of bytes.
func (w *Writer) address() []byte {
	a := uint16(w.rng.IntN(8))
	if w.rng.IntN(2) == 0 {
		a = w.own
	}
	if w.rng.IntN(2) == 0 {
		a = a<<8 | a>>8
	}
	return []byte{uint8(a), uint8(a >> 8)}
}

// splice takes the rest from another message.
func splice(w *Writer, b []byte, k Kind) []byte {
	other, ok := w.known(k)
	if !ok {
		return b
	}
	return append(b[:w.rng.IntN(len(b)+1)], other.body[w.rng.IntN(len(other.body)+1):]...)
}
