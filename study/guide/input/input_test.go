package input_test

import (
	"bytes"
	"math/rand/v2"
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

// Where the firmware compares a byte of the message with something, that is tried in its place, in either order of bytes.
func TestComparisons(t *testing.T) {
	t.Parallel()
	w := input.NewSource(nil, []input.Seed{{Kind: input.Serial, Data: []byte{1, 2, 3, 4}}}).Writer(random(3))
	p := input.Place{Kind: input.Serial}
	for !bytes.Equal(w.Next(p), []byte{1, 2, 3, 4}) {
	}
	if w.Learn([]input.Pair{{A: 0xBEEF, B: 0xDEAD, Bytes: 2}}) {
		t.Error("nothing of that was in the message")
	}
	if !w.Learn([]input.Pair{{A: 0xBEEF, B: 0x0302, Bytes: 2}, {A: 4, B: 0x99, Bytes: 1}}) {
		t.Fatal("both were in the message")
	}
	got := map[string]bool{}
	for {
		x, ok := w.Retry(p)
		if !ok {
			break
		}
		got[string(x)] = true
	}
	got[string(w.Onward(p))] = true
	for _, want := range []string{"\x01\xEF\xBE\x04", "\x01\x02\x03\x99"} {
		if !got[want] {
			t.Errorf("% x was not tried", want)
		}
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
