package image

import (
	"debug/dwarf"
	"encoding/binary"
)

// Loc says where a local variable is: a DWARF expression, or a list of them for
// parts of the code. The zero Loc means nowhere: the compiler kept no trace.
type Loc struct {
	expr []byte
	list []byte // of .debug_loc or, in DWARF 5, .debug_loclists
	base uint32 // to which the list's addresses are relative
	v5   bool
}

// LocEntry is an expression and the code in which it holds.
type LocEntry struct {
	Range
	Expr []byte
}

// known reports whether there is any location at all.
func (l Loc) known() bool { return l.expr != nil || l.list != nil }

// Entries lists the expressions; a plain one holds everywhere.
func (l Loc) Entries() []LocEntry {
	switch {
	case l.expr != nil:
		return []LocEntry{{Range{0, 0xFFFFFFFF}, l.expr}}
	case l.v5:
		return l.loclists()
	}
	return l.debugLoc()
}

// at gives the expression that holds at a flash byte address.
func (l Loc) at(pc uint32) ([]byte, bool) {
	var whole []byte
	for _, e := range l.Entries() {
		if e.Hi == 0xFFFFFFFF && e.Lo == 0 {
			whole = e.Expr // DWARF 5's default, or a plain expression
		} else if e.Contains(pc) {
			return e.Expr, true
		}
	}
	return whole, whole != nil
}

func (b *builder) loc(e *dwarf.Entry, a dwarf.Attr) Loc {
	f := e.AttrField(a)
	if f == nil || f.Class == dwarf.ClassLocList { // an index, which only split DWARF needs
		return Loc{}
	}
	switch v := f.Val.(type) {
	case []byte:
		if v == nil {
			v = []byte{}
		}
		return Loc{expr: v}
	case int64:
		section := b.sections[".debug_loc"]
		if b.unitV5 {
			section = b.sections[".debug_loclists"]
		}
		if v >= 0 && v < int64(len(section)) {
			return Loc{list: section[v:], base: b.unitBase, v5: b.unitV5}
		}
	}
	return Loc{}
}

// debugLoc reads a list of DWARF 2 to 4 (DWARF 4, 2.6.2). A list cut short ends there.
func (l Loc) debugLoc() []LocEntry {
	var out []LocEntry
	base, p := l.base, l.list
	for len(p) >= 8 {
		lo, hi := binary.LittleEndian.Uint32(p), binary.LittleEndian.Uint32(p[4:])
		p = p[8:]
		if lo == 0 && hi == 0 {
			break
		}
		if lo == 0xFFFFFFFF {
			base = hi
			continue
		}
		if len(p) < 2 {
			break
		}
		n := int(binary.LittleEndian.Uint16(p))
		if len(p) < 2+n {
			break
		}
		if lo < hi {
			out = append(out, LocEntry{Range{base + lo, base + hi}, p[2 : 2+n]})
		}
		p = p[2+n:]
	}
	return out
}

// Entry kinds of .debug_loclists (DWARF 5, table 7.10). The kinds that go through
// .debug_addr come only with split DWARF, which avr-gcc does not make.
const (
	lleEnd         = 0
	lleOffsetPair  = 4
	lleDefault     = 5
	lleBase        = 6
	lleStartEnd    = 7
	lleStartLength = 8
)

func (l Loc) loclists() []LocEntry {
	var out []LocEntry
	base := l.base
	p := cursor{b: l.list}
	for !p.bad {
		e := LocEntry{}
		switch p.u8() {
		case lleOffsetPair:
			e.Lo, e.Hi = base+uint32(p.uleb()), base+uint32(p.uleb())
		case lleDefault:
			e.Hi = 0xFFFFFFFF
		case lleBase:
			base = p.u32()
			continue
		case lleStartEnd:
			e.Lo, e.Hi = p.u32(), p.u32()
		case lleStartLength:
			e.Lo = p.u32()
			e.Hi = e.Lo + uint32(p.uleb())
		case lleEnd:
			return out
		default:
			return out
		}
		e.Expr = p.take(p.uleb())
		if !p.bad && e.Lo < e.Hi {
			out = append(out, e)
		}
	}
	return out
}

// cursor reads little-endian fields; past the end it gives zeros and turns bad.
type cursor struct {
	b   []byte
	bad bool
}

func (c *cursor) take(n uint64) []byte {
	if c.bad || n > uint64(len(c.b)) {
		c.bad, c.b = true, nil
		return nil
	}
	out := c.b[:n:n]
	c.b = c.b[n:]
	return out
}

func (c *cursor) fixed(n uint64) uint64 {
	var v uint64
	for i, x := range c.take(n) {
		v |= uint64(x) << (8 * i)
	}
	return v
}

func (c *cursor) u8() uint8   { return uint8(c.fixed(1)) }
func (c *cursor) u16() uint16 { return uint16(c.fixed(2)) }
func (c *cursor) u32() uint32 { return uint32(c.fixed(4)) }

func (c *cursor) uleb() uint64 {
	v, n := ulebLen(c.b)
	c.consume(n)
	return v
}

func (c *cursor) sleb() int64 {
	v, n := slebLen(c.b)
	c.consume(n)
	return v
}

func (c *cursor) consume(n int) {
	if n == 0 {
		c.bad = true
	}
	c.b = c.b[n:]
}

// cstring reads up to a zero byte.
func (c *cursor) cstring() string {
	for i, x := range c.b {
		if x == 0 {
			return string(c.take(uint64(i) + 1)[:i])
		}
	}
	c.bad = true
	return ""
}
