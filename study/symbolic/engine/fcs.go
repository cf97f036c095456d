package engine

import (
	"slices"

	"motehound/mote/cell"
)

// A CC2420 works the frame check sequence out of the values of the bytes that it sends. A receiver whose inputs are others has other values
// of the symbolic bytes, and would find the sequence wrong. What holds for all inputs is that it is right if the sender made it
// right; so it is made right for the receiver's values too.

// ieeeSFD is the byte before the length of an IEEE 802.15.4 frame.
const ieeeSFD = 0xA7

// fcs is how far a frame has been heard. Bytes is empty before its length.
type fcs struct {
	found bool // the delimiter
	bytes []cell.Cell
}

// next is the next byte as it is to be heard.
func (f *fcs) next(n *node, c cell.Cell) cell.Cell {
	if !f.found {
		f.found = c == cell.Of(ieeeSFD)
		return c
	}
	f.bytes = append(slices.Clip(f.bytes), c)
	length := int(f.bytes[0].V() & 0x7F)
	at := len(f.bytes) - 1 // 0 is the length
	if length < 2 || at < length-1 || at > length || c.Expr() != 0 {
		return c
	}
	body := f.bytes[1 : length-1]
	var sent, here uint16
	symbolic := false
	for _, b := range body {
		symbolic = symbolic || b.Expr() != 0
		sent, here = crc(sent, b.V()), crc(here, n.s.Revalued(b).V())
	}
	if part := 8 * (at - (length - 1)); symbolic && c.V() == uint8(sent>>part) {
		return cell.Of(uint8(here >> part))
	}
	return c
}

// crc takes a byte into a frame check sequence: x^16 + x^12 + x^5 + 1, the least significant bit first.
func crc(sum uint16, b uint8) uint16 {
	sum ^= uint16(b)
	for range 8 {
		if sum&1 != 0 {
			sum = sum>>1 ^ 0x8408
		} else {
			sum >>= 1
		}
	}
	return sum
}
