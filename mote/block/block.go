// Package block puts plain data into one piece of memory, so that the state of a mote is copied as a whole. While a mote rests, its
// state is kept in pages, and snapshots share equal pages.
//
// Invariants: only types without pointers are placed in a Block (Size panics on others), and a place is aligned to eight
// bytes. What is placed lives as long as anything points into the Block. Pages never change.
package block

import (
	"reflect"
	"slices"
	"unsafe"

	"motehound/mote/digest"
)

const word = 8

// Block is memory for plain data, in whole pages.
type Block []uint64

// Pages are the contents of a Block at rest.
type Pages []*page

const pageWords = 64

type page [pageWords]uint64

// Save is the contents as Pages. What is as in last, which may be nil, is shared with it: fresh memory costs more than
// looking whether it is needed.
func (b Block) Save(last Pages) Pages {
	n := len(b) / pageWords
	if len(last) != n {
		last = make(Pages, n)
	}
	table := last
	for i := range n {
		now := (*page)(b[i*pageWords:])
		if p := last[i]; p != nil && *now == *p {
			continue
		}
		if &table[0] == &last[0] {
			table = slices.Clone(last)
		}
		p := *now
		table[i] = &p
	}
	return table
}

// Load puts back what Save gave.
func (b Block) Load(p Pages) {
	for i := range p {
		*(*page)(b[i*pageWords:]) = *p[i]
	}
}

// Layout is the layout of a Block: places are taken one after the other.
type Layout struct{ words int }

// Room takes a place for size bytes.
func (p *Layout) Room(size int) (at int) {
	at = p.words
	p.words += (size + word - 1) / word
	return at
}

// Size is how many bytes a place for a T takes. T must be plain: see digest.Plain.
func Size[T any]() int { return SizeOf(reflect.TypeFor[T]()) }

// SizeOf is Size for a type that is known at run time only.
func SizeOf(t reflect.Type) int {
	if err := digest.Plain(t); err != nil {
		panic("BUG: block: " + err.Error())
	}
	return int(t.Size())
}

// New makes a Block of zeros with room for all places, in whole pages.
func (p *Layout) New() Block { return make(Block, (p.words+pageWords-1)/pageWords*pageWords) }

// At is what lies at a place, as a T.
func At[T any](b Block, at int) *T {
	var t T
	if (int(unsafe.Sizeof(t))+word-1)/word > len(b)-at {
		panic("BUG: block: a place beyond the end")
	}
	return (*T)(unsafe.Pointer(&b[at]))
}

// Bytes are size bytes at a place.
func Bytes(b Block, at, size int) []uint8 {
	return unsafe.Slice((*uint8)(unsafe.Pointer(&b[at : at+(size+word-1)/word][0])), size)
}

// Slice is n values of a type at a place.
func Slice[T any](b Block, at, n int) []T {
	if n == 0 {
		return nil
	}
	var t T
	b = b[at : at+(n*int(unsafe.Sizeof(t))+word-1)/word]
	return unsafe.Slice((*T)(unsafe.Pointer(&b[0])), n)
}
