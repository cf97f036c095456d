package cell

// Decider is notified of symbolic bytes whose value has decided something: from then on nothing holds for their other values.
type Decider interface{ Decided(c Cell) }

// Decide is the byte of a cell that decides what a device does, or whose expression a device cannot keep. The host is told if it is a
// Decider and the cell has an expression.
func Decide(host any, c Cell) uint8 {
	if c > 0xFF {
		tell(host, c)
	}
	return uint8(c)
}

func tell(host any, c Cell) {
	if d, ok := host.(Decider); ok {
		d.Decided(c)
	}
}

// Joiner knows how to make an expression of parts of two.
type Joiner interface {
	Join(high, low Cell, n uint8) Cell
}

// Join is the byte that begins n bits into the first of two that follow each other, the highest bit first. If they have expressions and
// the host is no Joiner, it is told that they have decided.
func Join(host any, high, low Cell, n uint8) Cell {
	if high > 0xFF || low > 0xFF {
		if j, ok := host.(Joiner); ok {
			return j.Join(high, low, n)
		}
	}
	return Of(Decide(host, high)<<n | Decide(host, low)>>(8-n))
}

// Inverter knows what goes with a byte whose bits are inverted.
type Inverter interface{ Invert(c Cell) Cell }

// Invert is a byte whose bits are inverted. If it has an expression and the host is no Inverter, it is told that it has decided.
func Invert(host any, c Cell) Cell {
	if i, ok := host.(Inverter); ok && c > 0xFF {
		return i.Invert(c)
	}
	return Of(^Decide(host, c))
}
