package input

import (
	"cmp"
	"math/rand/v2"
	"slices"
)

// Dictionary is values and texts that a firmware's code knows.
type Dictionary struct {
	bytes []uint8
	wide  []uint16
	texts [][]byte
}

// Bounds of a dictionary.
const (
	shortText, longText = 3, 24
	mostTexts           = 256
)

// Instructions of the AVR that hold a constant: the opcode in the upper four bits, the constant in the middle and the lowest ones.
const (
	compareWith = 3  // CPI
	subtract    = 5  // SUBI: how a switch compares
	load        = 14 // LDI
)

// LearnDictionary reads a firmware's program memory. Comparisons of two bytes load the upper one before.
func LearnDictionary(flash []byte) *Dictionary {
	d := new(Dictionary)
	count, wide := map[uint8]int{}, map[uint16]int{}
	var lately [6]uint8 // constants that were loaded or compared with
	for i := 0; i+1 < len(flash); i += 2 {
		op := uint16(flash[i]) | uint16(flash[i+1])<<8
		k := uint8(op>>4&0xF0 | op&0xF)
		switch op >> 12 {
		case compareWith, subtract:
			count[k]++
			for _, other := range lately {
				wide[uint16(k)|uint16(other)<<8]++
			}
		case load:
		default:
			continue
		}
		copy(lately[1:], lately[:])
		lately[0] = k
	}
	for b := range count {
		d.bytes = append(d.bytes, b)
	}
	slices.Sort(d.bytes)
	for v := range wide {
		if v > 0xFF {
			d.wide = append(d.wide, v)
		}
	}
	slices.SortFunc(d.wide, func(a, b uint16) int { return cmp.Or(cmp.Compare(wide[b], wide[a]), cmp.Compare(a, b)) })
	d.texts = texts(flash)
	return d
}

// texts finds what can be printed, each once.
func texts(flash []byte) [][]byte {
	var list [][]byte
	for start := 0; start < len(flash); {
		end := start
		for end < len(flash) && (flash[end] >= ' ' && flash[end] < 0x7F) {
			end++
		}
		if n := end - start; n >= shortText && n <= longText && (end == len(flash) || flash[end] == 0 || flash[end] == '\n' || flash[end] == '\r') {
			if text := flash[start:end]; !slices.ContainsFunc(list, func(x []byte) bool { return slices.Equal(x, text) }) && len(list) < mostTexts {
				list = append(list, slices.Clone(text))
			}
		}
		start = end + 1
	}
	return list
}

// draw draws a word; nil if there is none.
func (d *Dictionary) draw(rng *rand.Rand) []byte {
	if d == nil {
		return nil
	}
	switch n := rng.IntN(4); {
	case n == 0 && len(d.texts) > 0:
		return d.texts[rng.IntN(len(d.texts))]
	case n == 1 && len(d.wide) > 0:
		v := d.wide[rng.IntN(len(d.wide))]
		if rng.IntN(2) == 0 {
			v = v<<8 | v>>8
		}
		return []byte{uint8(v), uint8(v >> 8)}
	case len(d.bytes) > 0:
		return []byte{d.bytes[rng.IntN(len(d.bytes))]}
	}
	return nil
}

// Size is how many words there are.
func (d *Dictionary) Size() int {
	if d == nil {
		return 0
	}
	return len(d.bytes) + len(d.wide) + len(d.texts)
}

// Letters are the values of a byte that the code compares with something, as far as people can type them.
func (d *Dictionary) Letters() (list []byte) {
	for _, b := range d.bytes {
		if b >= ' ' && b < 0x7F {
			list = append(list, b)
		}
	}
	return list
}
