package input

// sum is a checksum.
type sum uint8

const (
	noSum sum = iota
	add8
	xor8
	negative8  // all bytes and it add up to nothing
	ones8      // all bytes and it add up to 0xFF
	crc8       // x^8 + x^2 + x + 1
	crcMSB     // x^16 + x^12 + x^5 + 1, most significant bit first, from 0, upper byte first
	crcLSB     // the same, lower byte first: TinyOS on serial lines
	crcMSBOnes // from 0xFFFF, upper byte first
	crcKermit  // least significant bit first, from 0, lower byte first
	crcModbus  // x^16 + x^15 + x^2 + 1, least significant bit first, from 0xFFFF, lower byte first
)

var sums = [...]sum{noSum, add8, xor8, negative8, ones8, crc8, crcMSB, crcLSB, crcMSBOnes, crcKermit, crcModbus}

// size is how many bytes it has.
func (s sum) size() int {
	switch {
	case s == noSum:
		return 0
	case s <= crc8:
		return 1
	}
	return 2
}

// appended puts the checksum of a list, from one of its bytes on, behind it.
func (s sum) appended(list []byte, from int) []byte {
	over := list[min(from, len(list)):]
	switch s {
	case noSum:
		return list
	case crcMSB, crcLSB, crcMSBOnes:
		v := uint16(0)
		if s == crcMSBOnes {
			v = 0xFFFF
		}
		for _, b := range over {
			v = shiftMSB(v^uint16(b)<<8, 0x1021)
		}
		if s == crcLSB {
			v = v<<8 | v>>8
		}
		return append(list, uint8(v>>8), uint8(v))
	case crcKermit, crcModbus:
		v, poly := uint16(0), uint16(0x8408)
		if s == crcModbus {
			v, poly = 0xFFFF, 0xA001
		}
		for _, b := range over {
			v = shiftLSB(v^uint16(b), poly)
		}
		return append(list, uint8(v), uint8(v>>8))
	}
	v := uint8(0)
	for _, b := range over {
		switch s {
		case xor8:
			v ^= b
		case crc8:
			v = uint8(shiftMSB(uint16(v^b)<<8, 0x0700) >> 8)
		default:
			v += b
		}
	}
	switch s {
	case negative8:
		v = -v
	case ones8:
		v = ^v
	}
	return append(list, v)
}

func shiftMSB(v, poly uint16) uint16 {
	for range 8 {
		if v&0x8000 != 0 {
			v = v<<1 ^ poly
		} else {
			v <<= 1
		}
	}
	return v
}

func shiftLSB(v, poly uint16) uint16 {
	for range 8 {
		if v&1 != 0 {
			v = v>>1 ^ poly
		} else {
			v >>= 1
		}
	}
	return v
}
