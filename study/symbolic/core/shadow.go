package core

import (
	"motehound/isa/avr"
	"motehound/isa/avr/lift"
	"motehound/study/symbolic/expr"
)

// file is the registers and flags of a mote that depend on inputs. Live says which do; what is not live has no meaning here.
type file struct {
	live avr.Set
	reg  [32]expr.ID
	flag [avr.NumFlags]lift.Lazy[expr.ID]
}

// pageSize is how many bytes of SRAM share a page of the shadow.
const pageSize = 64

// page is the expressions of some bytes; 0 for a plain one.
type page struct {
	count int // bytes that are not plain
	expr  [pageSize]expr.ID
}

// shadow is what of a mote's CPU and SRAM depends on inputs. Pages are shared by copies until one of them writes.
type shadow struct {
	file
	base  uint16
	pages []*page
	owned []bool // the page belongs to this shadow alone
	bytes int    // of SRAM that are not plain
}

func newShadow(base uint16, size uint32) shadow {
	n := (size + pageSize - 1) / pageSize
	return shadow{base: base, pages: make([]*page, n), owned: make([]bool, n)}
}

// copy makes a second shadow with the same contents.
func (s *shadow) copy() shadow {
	clear(s.owned)
	t := *s
	t.pages = append([]*page(nil), s.pages...)
	t.owned = make([]bool, len(s.pages))
	return t
}

// at is the expression of a byte of SRAM, 0 for a plain one. The address must be one of SRAM.
func (s *shadow) at(addr uint16) expr.ID {
	i := uint(addr - s.base)
	if p := s.pages[i/pageSize]; p != nil {
		return p.expr[i%pageSize]
	}
	return 0
}

// put sets the expression of a byte of SRAM; 0 makes it plain.
func (s *shadow) put(addr uint16, x expr.ID) {
	i := uint(addr - s.base)
	n := i / pageSize
	p := s.pages[n]
	if p == nil && x == 0 || p != nil && p.expr[i%pageSize] == x {
		return
	}
	switch {
	case p == nil:
		p = new(page)
	case !s.owned[n]:
		q := *p
		p = &q
	}
	s.pages[n], s.owned[n] = p, true
	if p.expr[i%pageSize] != 0 {
		p.count--
		s.bytes--
	}
	if p.expr[i%pageSize] = x; x != 0 {
		p.count++
		s.bytes++
	} else if p.count == 0 {
		s.pages[n], s.owned[n] = nil, false
	}
}

// each visits the bytes of SRAM that are not plain, by address.
func (s *shadow) each(visit func(addr uint16, x expr.ID)) {
	for n, p := range s.pages {
		if p == nil {
			continue
		}
		for i, x := range p.expr {
			if x != 0 {
				visit(s.base+uint16(n*pageSize+i), x)
			}
		}
	}
}

// wipe makes everything plain, as losing power does.
func (s *shadow) wipe() {
	s.live, s.bytes = 0, 0
	clear(s.pages)
	clear(s.owned)
}
