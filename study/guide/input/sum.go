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

// start is its value before the first byte.
func (s sum) start() uint16 {
	if s == crcMSBOnes || s == crcModbus {
		return 0xFFFF
	}
	return 0
}

// take takes a byte into it.
func (s sum) take(v uint16, b uint8) uint16 {
	switch s {
	case xor8:
		return v ^ uint16(b)
	case crc8:
		return shiftMSB((v^uint16(b))<<8, 0x0700) >> 8
	case crcMSB, crcLSB, crcMSBOnes:
		return shiftMSB(v^uint16(b)<<8, 0x1021)
	case crcKermit:
		return shiftLSB(v^uint16(b), 0x8408)
	case crcModbus:
		return shiftLSB(v^uint16(b), 0xA001)
	}
	return v + uint16(b)
}

// bytes is how it stands in a message.
func (s sum) bytes(v uint16) []byte {
	switch s {
	case noSum:
		return nil
	case negative8:
		return []byte{uint8(-v)}
	case ones8:
		return []byte{^uint8(v)}
	case crcMSB, crcMSBOnes:
		return []byte{uint8(v >> 8), uint8(v)}
	case crcLSB, crcKermit, crcModbus:
		return []byte{uint8(v), uint8(v >> 8)}
	}
	return []byte{uint8(v)}
}

// appended puts the checksum of a list, from one of its bytes on, behind it.
func (s sum) appended(list []byte, from int) []byte {
	v := s.start()
	for _, b := range list[min(from, len(list)):] {
		v = s.take(v, b)
	}
	return append(list, s.bytes(v)...)
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
