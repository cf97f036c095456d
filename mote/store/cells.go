package store

import "motehound/mote/cell"

// EachCell visits the cells that have an expression, and writes back those that were changed.
func (s *Store) EachCell(visit func(*cell.Cell)) {
	for i := range s.table {
		c := s.table[i].chunk
		if c == nil || c.exprs == nil {
			continue
		}
		for k, e := range *c.exprs {
			if e == 0 {
				continue
			}
			x := c.cell(uint32(k))
			if visit(&x); x != c.cell(uint32(k)) {
				s.WriteCell(uint32(i)*chunkSize+uint32(k), x)
				c = s.table[i].chunk
			}
		}
	}
}
