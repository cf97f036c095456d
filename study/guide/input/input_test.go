package input_test

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"testing"

	"motehound/study/guide/input"
)

func random(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 1)) }

// The same random numbers make the same inputs, and inputs have a bounded size.
func TestWriterIsDeterministic(t *testing.T) {
	t.Parallel()
	words := input.LearnDictionary([]byte("\x81\x34reset\x00"))
	seeds := []input.Seed{{Kind: input.Serial, Data: []byte("set 5\n")}, {Kind: input.Air, Data: []byte{0x41, 0x88, 1, 0x22, 0, 0xFF, 0xFF, 2, 0, 0x3F, 6, 0, 1}}}
	a, b := input.NewSource(words, seeds).Writer(random(7)), input.NewSource(words, seeds).Writer(random(7))
	different := map[string]bool{}
	for n := range 5000 {
		p := input.Place{Kind: input.Kind(n % int(input.NumKinds)), Raw: n%8 >= 4, Network: 0x22, Own: 3}
		x := a.Next(p)
		if y := b.Next(p); !bytes.Equal(x, y) {
			t.Fatalf("input %d: % x, and then % x", n, x, y)
		}
		if most := 2*input.Longest + 16; len(x) > most || p.Kind == input.Air && !p.Raw && len(x) > 125 {
			t.Fatalf("input %d has %d bytes", n, len(x))
		}
		if different[string(x)] = true; n%5 == 0 {
			a.Keep()
			b.Keep()
		}
	}
	if len(different) < 1500 {
		t.Errorf("only %d different inputs of 5000", len(different))
	}
}

// The dictionary has the constants of comparisons and the texts.
func TestDictionary(t *testing.T) {
	t.Parallel()
	// cpi r24, 0x41; ldi r25, 0x12; cpi r18, 0x34; then a text
	words := input.LearnDictionary([]byte("\x81\x34\x92\xe1\x24\x33\x00\x00unlock\x00"))
	w := input.NewSource(words, nil).Writer(random(1))
	seen := map[string]bool{}
	for range 20000 {
		x := w.Next(input.Place{Kind: input.Serial})
		for _, want := range []string{"A", "\x34\x12", "\x12\x34", "unlock"} {
			if bytes.Contains(x, []byte(want)) {
				seen[want] = true
			}
		}
	}
	if len(seen) != 4 {
		t.Errorf("only %v were ever in an input", seen)
	}
}

// last is a writer whose last message is a given one.
func last(data ...byte) *input.Writer {
	w := input.NewSource(nil, nil).Writer(random(3))
	w.Revise(input.Place{Kind: input.Serial}, data, true)
	return w
}

func has(list [][]byte, want string) bool {
	return slices.ContainsFunc(list, func(b []byte) bool { return string(b) == want })
}

// Where the firmware compares a byte of the message with something, that is tried in its place, in either order of bytes. What was never equal comes first.
func TestComparisons(t *testing.T) {
	t.Parallel()
	w := last(1, 2, 3, 4)
	if list := w.Suggest([]input.Pair{{At: 1, A: 0xBEEF, B: 0xDEAD, Bytes: 2}, {At: 2, A: 3, B: 3, Bytes: 1}}); len(list) > 0 {
		t.Errorf("% x: nothing of that was in the message", list)
	}
	list := w.Suggest([]input.Pair{{At: 3, A: 2, B: 0x77, Bytes: 1}, {At: 3, A: 9, B: 9, Bytes: 1}, {At: 4, A: 0xBEEF, B: 0x0302, Bytes: 2}, {At: 5, A: 4, B: 0x99, Bytes: 2}})
	for i, want := range []string{"\x01\xEF\xBE\x04", "\x01\x02\x03\x99", "\x01\x77\x03\x04"} {
		if i >= len(list) || string(list[i]) != want {
			t.Errorf("% x: want % x at %d", list, want, i)
		}
	}
	// The second byte was masked before it was compared with 0xC0, and one of its bits was tested: what it would have to be is known.
	list = w.Suggest([]input.Pair{{At: 8, A: 2, B: 4, Bytes: 1, Bits: true, Solved: true, Loaded: 2, Wanted: 6}, {At: 9, A: 0, B: 0xC0, Bytes: 1, Solved: true, Loaded: 2, Wanted: 0xC2}})
	if len(list) != 2 || string(list[0]) != "\x01\xC2\x03\x04" || string(list[1]) != "\x01\x06\x03\x04" {
		t.Errorf("% x: want the masked byte first, then the bit, and nothing else", list)
	}
	// Two of four bytes are what the firmware wants to have, or six.
	if list := w.Suggest([]input.Pair{{At: 6, A: 4, B: 6, Bytes: 1}}); !has(list, "\x01\x02\x03\x04\x00\x00") {
		t.Errorf("% x: two bytes more were not tried", list)
	}
	// The last byte and the sum of the others, 6, have to add up to nothing.
	if list := w.Suggest([]input.Pair{{At: 7, A: 6, B: uint32(^uint8(4) + 1), Bytes: 1, Sum: true}}); !has(list, "\x01\x02\x03\xFA") {
		t.Errorf("% x: the sum was not made right", list)
	}
}

// A comparison that was equal before a change is found, and made equal again: a length, a checksum in the message, and one that is known only by its result.
func TestMend(t *testing.T) {
	t.Parallel()
	passed := input.PassedOf([]input.Pair{{At: 1, A: 5, B: 5, Bytes: 1}, {At: 2, A: 1, B: 1, Bytes: 1}, {At: 2, A: 1, B: 2, Bytes: 1}, {At: 3, A: 0x1234, B: 0x1234, Bytes: 2}})
	if p, ok := passed.Broken([]input.Pair{{At: 2, A: 7, B: 8, Bytes: 1}, {At: 4, A: 1, B: 2, Bytes: 1}}); ok {
		t.Errorf("%+v was never always equal", p)
	}
	p, ok := passed.Broken([]input.Pair{{At: 1, A: 9, B: 5, Bytes: 1}, {At: 3, A: 0x1234, B: 0x4321, Bytes: 2}})
	if !ok || p.At != 3 {
		t.Errorf("%+v is broken, want the wide one", p)
	}
	w := last(0)
	if list := w.Mend([]byte{0, 0x12, 0x34, 7}, p); !has(list, "\x00\x43\x21\x07") {
		t.Errorf("% x: the checksum was not put in", list)
	}
	if list := w.Mend([]byte{9, 7}, input.Pair{At: 1, A: 0x30, B: 0, Bytes: 1}); !has(list, "\x09\x37") || !has(list, "\x09\xD7") {
		t.Errorf("% x: the last byte does not make up for the difference", list)
	}
}

// A checksum at the end of a seed is right in what is made of it.
func TestSeedsKeepTheirChecksum(t *testing.T) {
	t.Parallel()
	// CRC-16/XMODEM of "123456789" is 0x31C3; of the header before it nothing counts.
	seed := append([]byte{0x33, 0xCC}, []byte("123456789\x31\xC3")...)
	w := input.NewSource(nil, []input.Seed{{Kind: input.Air, Data: seed}}).Writer(random(5))
	right := 0
	for range 1000 {
		x := w.Next(input.Place{Kind: input.Air, Raw: true})
		if len(x) > 4 && !bytes.Equal(x, seed) && crc(x[2:len(x)-2]) == uint16(x[len(x)-2])<<8|uint16(x[len(x)-1]) {
			right++
		}
	}
	if right < 500 {
		t.Errorf("%d of 1000 changed frames have a right checksum", right)
	}
}

func crc(list []byte) uint16 {
	v := uint16(0)
	for _, b := range list {
		for bit := 7; bit >= 0; bit-- {
			top := v>>15 ^ uint16(b>>bit&1)
			if v <<= 1; top&1 != 0 {
				v ^= 0x1021
			}
		}
	}
	return v
}
