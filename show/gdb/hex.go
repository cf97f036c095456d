package gdb

import (
	"bytes"
	"encoding/hex"
	"math"
	"strconv"
)

// number reads a hexadecimal number of up to 32 bits: no sign, no prefix.
func number(text []byte) (uint32, bool) {
	if len(text) == 0 || len(text) > 16 || !digits(text) {
		return 0, false
	}
	n, err := strconv.ParseUint(string(text), 16, 32)
	return uint32(n), err == nil
}

// digits reports whether a text has hexadecimal digits only.
func digits(text []byte) bool {
	for _, c := range text {
		if !('0' <= c && c <= '9' || 'a' <= c && c <= 'f' || 'A' <= c && c <= 'F') {
			return false
		}
	}
	return true
}

// pair reads two numbers with a separator between them.
func pair(text []byte, between string) (a, b uint32, ok bool) {
	x, y, found := bytes.Cut(text, []byte(between))
	a, okA := number(x)
	b, okB := number(y)
	return a, b, found && okA && okB
}

// unhex reads hexadecimal bytes.
func unhex(text []byte) ([]byte, bool) {
	b := make([]byte, len(text)/2)
	_, err := hex.Decode(b, text)
	return b, err == nil
}

// little is a number in so many bytes, lowest first, in hexadecimal.
func little(n uint64, bytes int) []byte {
	var b [8]byte
	for i := range bytes {
		b[i] = uint8(n >> (8 * i))
	}
	return hex.AppendEncode(nil, b[:bytes])
}

// every is the number of a thread id for all threads, or processes.
const every = math.MaxInt32

// threadID reads "N", "pP", "pP.N": 0 is any, -1 all.
func threadID(text []byte) (process, thread int, ok bool) {
	one := func(t []byte) (int, bool) {
		if string(t) == "-1" {
			return every, true
		}
		n, ok := number(t)
		return int(n), ok && n < every
	}
	if len(text) == 0 || text[0] != 'p' {
		thread, ok = one(text)
		return 0, thread, ok
	}
	p, t, both := bytes.Cut(text[1:], []byte("."))
	process, ok = one(p)
	if !both || !ok {
		return process, every, ok
	}
	thread, ok = one(t)
	return process, thread, ok
}
