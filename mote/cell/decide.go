package cell

// Decider is told of symbolic bytes whose value has decided something: from then on nothing holds for their other values.
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
