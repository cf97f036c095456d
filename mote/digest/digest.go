// Package digest hashes machine state: fast, 128 bits, the same on every machine.
//
// It is not cryptographic. Two different states have equal digests with a probability of about 2^-128 per pair, as long as
// nobody chooses the states to collide.
package digest

import (
	"encoding/binary"
	"fmt"
	"math/bits"
	"unsafe"
)

// Sum is a finished digest.
type Sum [2]uint64

// String is the digest in hexadecimal.
func (s Sum) String() string { return fmt.Sprintf("%016x%016x", s[0], s[1]) }

// Digest takes bytes and words in.
type Digest struct{ a, b, n uint64 }

const (
	k0 = 0x9E3779B97F4A7C15 // 2^64 / golden ratio
	k1 = 0xC2B2AE3D27D4EB4F // primes of other well-mixed hashes
	k2 = 0x165667B19E3779F9
	k3 = 0x27D4EB2F165667C5
)

// New starts a digest.
func New() Digest { return Digest{a: k0, b: k1} }

// Word takes one number in.
func (d *Digest) Word(v uint64) { d.pair(v, d.n) }

// pair mixes 16 bytes in. For given lanes it is a bijection of (x, y), so two inputs of one length that differ in one
// place cannot meet before a later difference cancels the first.
func (d *Digest) pair(x, y uint64) {
	h, l := bits.Mul64(y^d.b, k3)
	d.a = bits.RotateLeft64((x^d.a)*k2, 32) ^ h
	d.b = l ^ bits.RotateLeft64(d.a, 29)
	d.n++
}

// Bytes takes a byte string in, with its length.
func (d *Digest) Bytes(p []byte) {
	n := uint64(len(p))
	for len(p) >= 16 {
		d.pair(binary.LittleEndian.Uint64(p), binary.LittleEndian.Uint64(p[8:]))
		p = p[16:]
	}
	var tail [16]byte
	copy(tail[:], p)
	d.pair(binary.LittleEndian.Uint64(tail[:]), binary.LittleEndian.Uint64(tail[8:])^n)
}

// Sum finishes: the digest may go on afterwards.
func (d *Digest) Sum() Sum {
	e := *d
	for range 3 {
		e.pair(e.b^k3, e.a^e.n)
	}
	return Sum{e.a, e.b}
}

// Struct takes the bytes of a plain struct in: no pointers, no padding (Plain checks). Hosts with the other byte order
// get there field by field.
func Struct[T any](d *Digest, v *T) {
	if littleEndian {
		d.Bytes(unsafe.Slice((*byte)(unsafe.Pointer(v)), unsafe.Sizeof(*v)))
		return
	}
	b, err := binary.Append(nil, binary.LittleEndian, v)
	if err != nil {
		panic("BUG: state that is not plain data: " + err.Error())
	}
	d.Bytes(b)
}

// Slice takes plain structs in, one after the other.
func Slice[T any](d *Digest, list []T) {
	for i := range list {
		Struct(d, &list[i])
	}
}

var littleEndian = func() bool {
	x := uint16(1)
	return *(*byte)(unsafe.Pointer(&x)) == 1
}()
