package torture

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"regexp"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"

	"motehound/internal/need"
	"motehound/internal/testkit"
)

const exampleDir = "../../examples"

func TestMain(m *testing.M) { testkit.Main(m) }

// times is how many cases a test has.
func times(n int) int {
	switch {
	case testing.Short():
		return max(3, n/20)
	case need.Long():
		return 3 * n
	}
	return n
}

// maxBytes is what a case may allocate, all in all.
const maxBytes = 1 << 30

// survive runs a case. It may fail with a message, and in no other way.
func survive(t *testing.T, what string, input []byte, f func() error) (err error) {
	t.Helper()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	defer func() {
		if p := recover(); p != nil {
			t.Errorf("%s: panic: %v\n%s\n%s", what, p, excerpt(input), debug.Stack())
		}
	}()
	err = f()
	runtime.ReadMemStats(&after)
	if used := after.TotalAlloc - before.TotalAlloc; used > maxBytes {
		t.Errorf("%s allocates %d MiB\n%s", what, used>>20, excerpt(input))
	}
	if err != nil {
		text := err.Error()
		if strings.TrimSpace(text) == "" || strings.Contains(text, "BUG") || strings.Contains(text, "runtime error") || len(text) > 4000 {
			t.Errorf("%s: the message is %.4000q\n%s", what, text, excerpt(input))
		}
	}
	return err
}

// excerpt is an input as far as a person can read it.
func excerpt(input []byte) string {
	if bytes.IndexByte(input, 0) >= 0 {
		return fmt.Sprintf("(%d bytes)", len(input))
	}
	return string(input[:min(len(input), 2000)])
}

// mutate changes some bytes, as a bad disk, a bad line or a bad editor would.
func mutate(r *rand.Rand, data []byte) []byte {
	out := bytes.Clone(data)
	for range 1 + r.IntN(4) {
		if len(out) == 0 {
			return out
		}
		at := r.IntN(len(out))
		n := min(1+r.IntN(32), len(out)-at)
		switch r.IntN(8) {
		case 0:
			out[at] ^= 1 << r.IntN(8)
		case 1:
			out[at] = byte(r.Uint32())
		case 2:
			out = out[:at]
		case 3:
			out = append(out[:at], out[at+n:]...)
		case 4:
			out = append(out[:at:at], append(bytes.Clone(out[at:at+n]), out[at:]...)...)
		case 5:
			from := r.IntN(len(out))
			copy(out[at:at+n], out[from:])
		case 6:
			clear(out[at : at+n])
		case 7:
			copy(out[at:], odd32(r))
		}
	}
	return out
}

// odd32 is a number at which something tends to end.
func odd32(r *rand.Rand) []byte {
	values := []uint32{0, 1, 2, 0x7F, 0xFF, 0x100, 0x7FFF, 0xFFFF, 0x10000, 0x1FFFF, 0x20000, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFE, 0xFFFFFFFF,
		0x800000, 0x800060, 0x8000FF, 0x800100, 0x8010FF, 0x801100, 0x80FFFF, 0x810000, r.Uint32(), r.Uint32() >> r.IntN(32)}
	return binary.LittleEndian.AppendUint32(nil, values[r.IntN(len(values))])
}

var (
	numbers = regexp.MustCompile(`-?[0-9]+(\.[0-9]+)?`)
	words   = regexp.MustCompile(`"[^"]*"|[A-Za-z_]+`)
)

// mutateText changes a number, a word, a line or some bytes of a text.
func mutateText(r *rand.Rand, data []byte) []byte {
	out := bytes.Clone(data)
	for range 1 + r.IntN(3) {
		switch r.IntN(6) {
		case 0, 1:
			odd := []string{"0", "-1", "1", "255", "256", "65535", "65536", "-2147483648", "4294967296", "9223372036854775807", "18446744073709551615",
				"1e308", "1e-308", "0.5", "-0.0", "99999999999999999999999999", "1000001", "3"}
			out = replaceOne(r, out, numbers, odd[r.IntN(len(odd))])
		case 2:
			others := words.FindAll(data, -1)
			if len(others) > 0 {
				out = replaceOne(r, out, words, string(others[r.IntN(len(others))]))
			}
		case 3:
			lines := bytes.SplitAfter(out, []byte("\n"))
			i, j := r.IntN(len(lines)), r.IntN(len(lines))
			lines[i] = lines[j]
			out = bytes.Join(lines, nil)
		case 4:
			odd := []string{"null", "[]", "{}", `""`, "true", "NaN", `"x"`, "[[[[[[[[", "((((((((", "\x00", "\xff\xfe", "\n"}
			out = replaceOne(r, out, words, odd[r.IntN(len(odd))])
		case 5:
			out = mutate(r, out)
		}
	}
	return out
}

func replaceOne(r *rand.Rand, data []byte, what *regexp.Regexp, by string) []byte {
	all := what.FindAllIndex(data, -1)
	if len(all) == 0 {
		return data
	}
	at := all[r.IntN(len(all))]
	return append(data[:at[0]:at[0]], append([]byte(by), data[at[1]:]...)...)
}

// mutateELF changes an ELF file where it matters: in its header, its tables and its symbols, or somewhere in it.
func mutateELF(r *rand.Rand, data []byte) []byte {
	out := bytes.Clone(data)
	le := binary.LittleEndian
	for range 1 + r.IntN(4) {
		headers, sections := le.Uint32(data[28:]), le.Uint32(data[32:])
		switch r.IntN(6) {
		case 0:
			copy(out[16+r.IntN(36):], odd32(r))
		case 1:
			copy(out[headers+4*uint32(r.IntN(8*int(le.Uint16(data[44:])))):], odd32(r))
		case 2:
			copy(out[sections+4*uint32(r.IntN(10*int(le.Uint16(data[48:])))):], odd32(r))
		case 3, 4:
			mutateSymbol(r, out, data)
		case 5:
			at := r.IntN(len(out) - 4)
			copy(out[at:], odd32(r))
		}
	}
	if r.IntN(20) == 0 {
		return mutate(r, out)
	}
	return out
}

// mutateSymbol changes an entry of the symbol table, often one that Motehound looks for.
func mutateSymbol(r *rand.Rand, out, data []byte) {
	const symbolSize, sectionSize, symtab = 16, 40, 2
	le := binary.LittleEndian
	for i := range uint32(le.Uint16(data[48:])) {
		h := data[le.Uint32(data[32:])+i*sectionSize:]
		if le.Uint32(h[4:]) != symtab {
			continue
		}
		first, n := le.Uint32(h[16:]), int(le.Uint32(h[20:])/symbolSize)
		names := data[le.Uint32(data[le.Uint32(data[32:])+le.Uint32(h[24:])*sectionSize+16:]):]
		at := first + uint32(r.IntN(n))*symbolSize
		for range 50 { // some luck finds a variable or a mark of the linker
			name, _, _ := bytes.Cut(names[le.Uint32(data[at:]):], []byte{0})
			if bytes.HasPrefix(name, []byte("__")) || bytes.Contains(name, []byte("TOS_")) || data[at+12]&15 == 1 {
				break
			}
			at = first + uint32(r.IntN(n))*symbolSize
		}
		copy(out[at+4+4*uint32(r.IntN(3)):], odd32(r))
	}
}
