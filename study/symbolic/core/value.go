package core

import (
	"fmt"

	"motehound/firmware/image"
	"motehound/study/symbolic/expr"
)

// Byte is a byte of the data space as an expression.
func (s *State) Byte(addr uint16) expr.ID {
	m := s.board()
	c := m.Core()
	if uint(addr)-uint(c.RAMBase) < uint(len(c.RAM)) {
		if x := s.sh.at(addr); x != 0 {
			return x
		}
	}
	return s.x.pool.Const(8, uint64(m.Peek(addr)))
}

// Value is a variable, or a part of one, by a path as image.Lookup takes it: a number of as many bits as it has.
func (s *State) Value(path string) (expr.ID, error) {
	m := s.board()
	ref, known := s.fleet.table.refs[path]
	if !known {
		var err error
		if ref, err = m.Kind.Image.Lookup(path); err != nil {
			return 0, err
		}
		s.fleet.table.refs[path] = ref
	}
	t := ref.Type.Strip()
	if ref.Space != image.Data || t == nil || t.Size == 0 || t.Size > 8 {
		return 0, fmt.Errorf("%s is no number in SRAM: name a variable, or a member, of at most 8 bytes", path)
	}
	addr, err := ref.Resolve(m.Memory())
	if err != nil {
		return 0, err
	}
	bytes := make([]expr.ID, t.Size)
	for i := range bytes {
		bytes[i] = s.Byte(uint16(addr) + uint16(i))
	}
	x := s.x.pool.ConcatBytes(bytes...)
	if ref.BitSize != 0 {
		x = s.x.pool.Extract(x, int(ref.BitOffset+ref.BitSize)-1, int(ref.BitOffset))
	}
	return x, nil
}
