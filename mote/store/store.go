// Package store holds bulk memories (program flash, EEPROM, external flash) as copy-on-write bytes over an immutable
// base that all motes share.
//
// Invariants: the base is never written. A chunk is written only through a Store that owns its table of chunks, and
// a table has at most one owner; a Store that shares its table copies it first. So Clone costs a struct copy, and a
// Store that nobody writes may be cloned and read from many goroutines at once. The hash depends on the contents
// (and the base) only, never on the order of the writes that led there. A Store must be copied with Clone: a plain
// assignment would give one table two owners.
package store

import "motehound/mote/cell"

// chunkSize is how many bytes are copied on the first write to a region.
const chunkSize = 4096

// A Store is one memory. The zero Store has no bytes.
type Store struct {
	base  []byte
	table []slot // nil until the first write
	hash  uint64
	size  uint32
	fill  uint8
	owns  bool // the table belongs to this Store alone
}

// slot is a chunk and whether the owner of the table owns the chunk too. The flag means nothing in a shared table:
// whoever copies the table clears it.
type slot struct {
	chunk *chunk
	owned bool
}

type chunk struct {
	bytes [chunkSize]uint8
	exprs *[chunkSize]uint32 // expression ids; nil while all cells are plain. Owned with the chunk.
}

// New makes a store of size bytes that starts as base, followed by fill bytes. The caller must not change base.
func New(base []byte, size uint32, fill uint8) Store {
	if uint64(len(base)) > uint64(size) {
		panic("BUG: store: base is larger than the memory")
	}
	return Store{base: base, size: size, fill: fill}
}

// Size is the number of bytes.
func (s *Store) Size() uint32 { return s.size }

// Hash identifies the contents among stores with the same base, size and fill; 0 is the unwritten store.
func (s *Store) Hash() uint64 { return s.hash }

// Clone is a second store with the same contents, independent from now on.
func (s *Store) Clone() Store {
	if s.owns {
		s.owns = false
	}
	return *s
}

// Read is the byte at addr, or the fill byte beyond the end.
func (s *Store) Read(addr uint32) uint8 {
	if i := addr / chunkSize; i < uint32(len(s.table)) {
		if c := s.table[i].chunk; c != nil {
			return c.bytes[addr%chunkSize]
		}
	}
	return s.original(addr)
}

// ReadCell is the cell at addr.
func (s *Store) ReadCell(addr uint32) cell.Cell {
	if i := addr / chunkSize; i < uint32(len(s.table)) {
		if c := s.table[i].chunk; c != nil {
			return c.cell(addr % chunkSize)
		}
	}
	return cell.Of(s.original(addr))
}

// Write puts a plain byte at addr.
func (s *Store) Write(addr uint32, v uint8) { s.WriteCell(addr, cell.Of(v)) }

// WriteCell puts a cell at addr, which must be below Size.
func (s *Store) WriteCell(addr uint32, v cell.Cell) {
	if addr >= s.size {
		panic("BUG: store: write beyond the end of the memory")
	}
	old := s.ReadCell(addr)
	if old == v {
		return
	}
	s.hash += mix(addr, v) - mix(addr, old)
	c, i := s.own(addr), addr%chunkSize
	c.bytes[i] = v.V()
	if c.exprs == nil && v.Expr() != 0 {
		c.exprs = new([chunkSize]uint32)
	}
	if c.exprs != nil {
		c.exprs[i] = v.Expr()
	}
}

func (s *Store) original(addr uint32) uint8 {
	if addr < uint32(len(s.base)) {
		return s.base[addr]
	}
	return s.fill
}

// own makes the chunk of addr writable.
func (s *Store) own(addr uint32) *chunk {
	if !s.owns {
		table := make([]slot, (uint64(s.size)+chunkSize-1)/chunkSize)
		for i := range s.table {
			table[i].chunk = s.table[i].chunk
		}
		s.table, s.owns = table, true
	}
	at := &s.table[addr/chunkSize]
	if at.owned {
		return at.chunk
	}
	fresh := new(chunk)
	if old := at.chunk; old != nil {
		fresh.bytes = old.bytes
		if old.exprs != nil {
			exprs := *old.exprs
			fresh.exprs = &exprs
		}
	} else {
		first := addr - addr%chunkSize
		n := 0
		if first < uint32(len(s.base)) {
			n = copy(fresh.bytes[:], s.base[first:])
		}
		for ; n < chunkSize; n++ {
			fresh.bytes[n] = s.fill
		}
	}
	*at = slot{fresh, true}
	return fresh
}

func (c *chunk) cell(i uint32) cell.Cell {
	if c.exprs == nil {
		return cell.Of(c.bytes[i])
	}
	return cell.Symbolic(c.bytes[i], c.exprs[i])
}

// mix spreads (address, cell) over 64 bits (the finaliser of SplitMix64); sums of it make the hash.
func mix(addr uint32, c cell.Cell) uint64 {
	x := (uint64(addr)<<32 | uint64(c)) + 0x9E3779B97F4A7C15
	x = (x ^ x>>30) * 0xBF58476D1CE4E5B9
	x = (x ^ x>>27) * 0x94D049BB133111EB
	return x ^ x>>31
}
