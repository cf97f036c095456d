package record

import (
	"encoding/binary"
	"fmt"
	"slices"
)

// Sizes and numbers of the format.
const (
	magic        = 0x4D
	version      = 2
	headerSize   = 10
	checksumSize = 2
	setSize      = 2
	tokenSize    = 15 // the longest one with a time behind it
)

// Page is one page of a log.
type Page struct {
	Place  int    // in the flash
	Number int    // its sequence number; those of a log are within 32767 of each other
	Boot   uint16 // the mote's boot that wrote it
	Ticks  uint32 // of the mote's clock, when it began
	Chunks int    // how many of its chunks are intact, from the first on
	// Written reports whether there is something in the first chunk that is not intact.
	Written bool

	clock   uint8
	payload []byte // of the intact chunks
}

// checksum is the runtime's mh_crc.
func checksum(crc uint16, bytes []byte) uint16 {
	for _, b := range bytes {
		b ^= uint8(crc)
		b ^= b << 4
		crc = (uint16(b)<<8 | crc>>8) ^ uint16(b>>4) ^ uint16(b)<<3
	}
	return crc
}

// parsePage reads one page. ok is false if its header is not intact.
func parsePage(l Layout, b []byte) (p Page, ok bool) {
	crc := uint16(0xFFFF)
	for i := range l.Chunks {
		chunk := b[i*l.Chunk:][:l.Chunk]
		payload := chunk[:l.Chunk-checksumSize]
		crc = checksum(crc, payload)
		if binary.LittleEndian.Uint16(chunk[len(payload):]) != crc {
			p.Written = slices.ContainsFunc(chunk, func(b byte) bool { return b != 0xFF })
			break
		}
		p.Chunks++
		p.payload = append(p.payload, payload...)
	}
	if p.Chunks == 0 || p.payload[0] != magic || p.payload[1]>>4 != version {
		return Page{}, false
	}
	p.clock = p.payload[1] & 0x0F
	p.Number = int(binary.LittleEndian.Uint16(p.payload[2:]))
	p.Ticks = binary.LittleEndian.Uint32(p.payload[4:])
	p.Boot = binary.LittleEndian.Uint16(p.payload[8:])
	return p, true
}

// beginsUncertain reports whether a page begins with a reset that came while the tracer was at work.
func (p *Page) beginsUncertain() bool {
	first := p.payload[headerSize:]
	return len(first) > 2 && first[0] == controlReset<<5|control && first[2] != 0
}

// Piece is a part of a mote's flash: what a page of a given place holds.
type Piece struct {
	Place int
	Bytes []byte // as many as a page has; what is not known is 0xFF
}

// Read reads a log from a copy of a mote's flash, or of the part of it that holds the log.
func Read(l Layout, flash []byte) (*Log, error) {
	if err := l.Check(); err != nil {
		return nil, err
	}
	if len(flash) == 0 || len(flash)%l.Page() != 0 {
		return nil, fmt.Errorf("%d bytes are not pages of %d bytes: give the whole flash, or the size of its pages with --layout", len(flash), l.Page())
	}
	pieces := make([]Piece, len(flash)/l.Page())
	for i := range pieces {
		pieces[i] = Piece{i, flash[i*l.Page():][:l.Page()]}
	}
	return ReadPieces(l, pieces)
}

// ReadPieces reads a log from some of its pages, in any order.
func ReadPieces(l Layout, pieces []Piece) (*Log, error) {
	if err := l.Check(); err != nil {
		return nil, err
	}
	log := &Log{Layout: l}
	for _, piece := range pieces {
		if len(piece.Bytes) != l.Page() {
			return nil, fmt.Errorf("the page at %d has %d bytes instead of %d", piece.Place, len(piece.Bytes), l.Page())
		}
		if p, ok := parsePage(l, piece.Bytes); ok {
			p.Place = piece.Place
			log.Pages = append(log.Pages, p)
		} else if slices.ContainsFunc(piece.Bytes, func(b byte) bool { return b != 0xFF }) {
			log.Unread++
		}
	}
	log.order()
	if n := len(log.Pages); n > 0 {
		log.Clock = 1 << log.Pages[n-1].clock
	}
	return log, nil
}

// order sorts the pages by age. Sequence numbers have 16 bits and go round; a log is much shorter than half of that, so
// they are compared with that of any of its pages.
func (l *Log) order() {
	if len(l.Pages) == 0 {
		return
	}
	base := l.Pages[0].Number
	for i := range l.Pages {
		l.Pages[i].Number = base + int(int16(l.Pages[i].Number-base))
	}
	slices.SortStableFunc(l.Pages, func(a, b Page) int { return a.Number - b.Number })
	// The same page twice: a reset may have come between its last chunk and the note that it was written. The fuller one
	// has all that the other has.
	l.Pages = slices.CompactFunc(l.Pages, func(a, b Page) bool { return a.Number == b.Number && a.Chunks >= b.Chunks })
}
