// Package cell holds the unit of data that crosses device models, wires and the air: one byte that may also carry
// the id of a symbolic expression.
//
// The concrete machine looks only at the byte and passes the id along, so a symbolic byte can travel from one
// mote's radio to another's memory without any device model knowing. Id 0 means that the byte is plain.
package cell

// Cell is a byte (bits 0..7) and an expression id (bits 8..31).
type Cell uint32

// Of makes a plain cell.
func Of(v uint8) Cell { return Cell(v) }

// Symbolic makes a cell whose concrete value is v and whose meaning is expression expr.
func Symbolic(v uint8, expr uint32) Cell { return Cell(v) | Cell(expr)<<8 }

// V is the concrete byte.
func (c Cell) V() uint8 { return uint8(c) }

// Expr is the expression id, 0 for none.
func (c Cell) Expr() uint32 { return uint32(c >> 8) }
