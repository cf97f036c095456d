package periph

import (
	"motehound/mote/cell"
	"motehound/mote/digest"
)

// PageBuffer is the temporary page buffer of self-programming: a page of which each word is written once and then kept
// until all is erased. It is empty nearly always, so it is not part of the state that every clone copies: clones share
// it until one of them writes.
type PageBuffer struct {
	page *page // nil while it is empty
	owns bool  // the page belongs to this PageBuffer alone
}

type page struct {
	filled [maxPage / 128]uint64
	cells  [maxPage]cell.Cell
}

// Clone is a second buffer with the same contents, independent from now on.
func (b *PageBuffer) Clone() PageBuffer {
	if b.owns {
		b.owns = false
	}
	return *b
}

// erase empties the buffer.
func (b *PageBuffer) erase() { *b = PageBuffer{} }

// fill writes a word, unless it was written since the buffer was erased.
func (b *PageBuffer) fill(word uint32, lo, hi cell.Cell) {
	bit := uint64(1) << (word % 64)
	if b.page != nil && b.page.filled[word/64]&bit != 0 {
		return
	}
	if !b.owns {
		b.page, b.owns = b.page.copy(), true
	}
	b.page.filled[word/64] |= bit
	b.page.cells[2*word], b.page.cells[2*word+1] = lo, hi
}

// word is a word of the buffer: all ones where nothing was written.
func (b *PageBuffer) word(word uint32) (lo, hi cell.Cell) {
	if b.page == nil {
		return selfProgBlank, selfProgBlank
	}
	return b.page.cells[2*word], b.page.cells[2*word+1]
}

func (p *page) copy() *page {
	c := new(page)
	if p != nil {
		*c = *p
		return c
	}
	for i := range c.cells {
		c.cells[i] = selfProgBlank
	}
	return c
}

// AppendState feeds the contents to a digest.
func (b *PageBuffer) AppendState(d *digest.Digest) {
	if b.page == nil {
		d.Word(0)
		return
	}
	d.Word(1)
	digest.Struct(d, b.page)
}
