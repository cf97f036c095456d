package radio

// Frames is what transmissions look like, byte by byte as they are on the air.
type Frames struct {
	Name     string   // of the standard; empty if there is none, and firmware does as it likes
	Link     uint16   // its number in the pcap project's registry of link types
	Preamble [2]uint8 // both are bytes that only help a receiver to find its feet
	// Delimiter stands between the preamble and the length. The length's bits are LengthBits; it counts the bytes behind it. If they
	// are 0, there is neither, and a frame begins with the first byte that is not of the preamble.
	Delimiter  uint8
	LengthBits uint8
	// An acknowledgement is a frame whose first byte has the value Ack in these bits. If they are 0, there are none.
	AckBits, Ack uint8
	// Check takes a byte into the check sequence, which is the last two bytes of a frame, low one first. It is nil if the radio makes
	// and checks none.
	Check func(sum uint16, b uint8) uint16
	// Sync is how many bytes synchronise the receiver: what spoils a frame without making it unheard begins behind them.
	Sync uint32
}

// InPreamble reports whether a byte can be one of the preamble.
func (f *Frames) InPreamble(b uint8) bool { return b == f.Preamble[0] || b == f.Preamble[1] }

// IsAck reports whether a frame that begins with a byte is an acknowledgement.
func (f *Frames) IsAck(first uint8) bool { return f.AckBits != 0 && first&f.AckBits == f.Ack }

// IEEE802154 is the frames of IEEE 802.15.4 (2006, 6.3 and 7.2.1): zeros, the delimiter, the length.
var IEEE802154 = Frames{
	Name: "IEEE 802.15.4", Link: 195, // with their FCS
	Delimiter: 0xA7, LengthBits: 0x7F,
	AckBits: 7, Ack: 2,
	Check: crc16,
	Sync:  6,
}

// RawBytes is what a radio without a packet engine sends: what firmware makes of it, and that is a preamble of alternating bits.
var RawBytes = Frames{
	Preamble: [2]uint8{0xAA, 0x55},
	Sync:     6, // much of a usual preamble
}

// crc16 takes a byte into a check sequence: x^16 + x^12 + x^5 + 1, the least significant bit first.
func crc16(sum uint16, b uint8) uint16 {
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

// Of a frame that somebody makes up.
const (
	wrapZeros    = 4  // before a delimiter
	wrapPreamble = 24 // bytes that only help a receiver to find its feet
	wrapTail     = 3  // bytes behind a frame without a length: what is behind it fills a receiver's shift register
)

// Wrap puts bytes into a frame as it is on the air. Bytes that do not fit are left out.
func (f *Frames) Wrap(data []byte) []byte {
	var list []byte
	if f.LengthBits == 0 {
		for range wrapPreamble {
			list = append(list, f.Preamble[0])
		}
		list = append(list, data...)
		for range wrapTail {
			list = append(list, f.Preamble[0])
		}
		return list
	}
	const check = 2
	data = data[:min(len(data), int(f.LengthBits)-check)]
	list = append(make([]byte, wrapZeros), f.Delimiter, uint8(len(data)+check))
	sum := uint16(0)
	for _, b := range data {
		sum = f.Check(sum, b)
	}
	return append(append(list, data...), uint8(sum), uint8(sum>>8))
}

// Overhead is how many bytes Wrap adds.
func (f *Frames) Overhead() int {
	if f.LengthBits == 0 {
		return wrapPreamble + wrapTail
	}
	return wrapZeros + 4
}

// Unwrap is the contents of a frame on the air: what Wrap was given. Of frames without a length it begins behind the preamble.
func (f *Frames) Unwrap(list []byte) []byte {
	if f.LengthBits == 0 {
		for len(list) > 0 && f.InPreamble(list[0]) {
			list = list[1:]
		}
		return list
	}
	for len(list) > 0 && list[0] != f.Delimiter {
		list = list[1:]
	}
	if len(list) < 4 {
		return nil
	}
	list = list[2:]
	return list[:len(list)-2]
}
