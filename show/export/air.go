package export

import (
	"fmt"
	"strconv"

	"motehound/world"
)

// Link types (the pcap project's registry) of what goes on the air.
const (
	linkIEEE802154 = 195 // IEEE 802.15.4 MAC frames with their FCS
	linkUser0      = 147 // for private use: the registry has nothing for the bytes of a CC1000
)

// packet is a transmission as a capture shows it.
type packet struct {
	start    uint64 // picoseconds
	mote     int
	link     uint16
	on       string // the channel
	data     []byte
	original int    // how long it would be if the sender had not stopped
	remark   string // what is unusual about it
}

// packetOf makes a packet of a transmission. A transmission without a single byte makes none.
func packetOf(f world.Frame) (p packet, ok bool) {
	if len(f.Bytes) == 0 {
		return packet{}, false
	}
	p = packet{start: f.Start, mote: f.Sender, on: channel(f)}
	air := make([]byte, len(f.Bytes))
	for i, c := range f.Bytes {
		air[i] = c.V()
	}
	if f.Carrier.Modulation == world.OQPSK {
		p.ieee802154(air)
	} else {
		p.raw(afterPreamble(fromPreamble(air), 0xAA, 0x55))
	}
	return p, true
}

// fromPreamble leaves out what a CC1000 sends in front of its preamble: the byte that was in the shift register when the
// firmware switched it over. It is told by three equal bytes of alternating bits behind it.
func fromPreamble(air []byte) []byte {
	for i := range min(3, max(len(air)-2, 0)) {
		if b := air[i]; (b == 0xAA || b == 0x55) && air[i+1] == b && air[i+2] == b {
			return air[i:]
		}
	}
	return air
}

// ieee802154 takes the physical layer away (IEEE 802.15.4-2006, 6.3): zeros, the delimiter 0xA7 and the length. What has
// no delimiter is no such frame, and stays raw, with its preamble.
func (p *packet) ieee802154(air []byte) {
	const delimiter, longest = 0xA7, 0x7F
	b := afterPreamble(air, 0)
	switch {
	case len(b) == 0:
		p.raw(air)
		p.remark = "ends in its preamble"
		return
	case b[0] != delimiter:
		p.raw(air)
		p.remark = "no IEEE 802.15.4 start-of-frame delimiter"
		return
	case len(b) == 1:
		p.raw(air)
		p.remark = "ends before its length"
		return
	}
	p.link = linkIEEE802154
	p.original = int(b[1] & longest)
	p.data = b[2:min(len(b), 2+p.original)]
	if len(p.data) < p.original {
		p.remark = fmt.Sprintf("ends after %d of %d bytes", len(p.data), p.original)
	}
}

func (p *packet) raw(b []byte) {
	p.link, p.data, p.original = linkUser0, b, len(b)
}

// afterPreamble is what follows the bytes that only help a receiver to find its feet.
func afterPreamble(b []byte, preamble ...byte) []byte {
	for len(b) > 0 && (b[0] == preamble[0] || b[0] == preamble[len(preamble)-1]) {
		b = b[1:]
	}
	return b
}

// channel is what people call the frequency: its number in IEEE 802.15.4 (2006, 6.1.2.1), or the megahertz.
func channel(f world.Frame) string {
	const first, low, high, step = 11, 2_405_000_000, 2_480_000_000, 5_000_000
	hz := f.Carrier.Hertz
	if f.Carrier.Modulation == world.OQPSK && hz >= low && hz <= high && (hz-low)%step == 0 {
		return "channel " + strconv.FormatUint(first+(hz-low)/step, 10)
	}
	return strconv.FormatFloat(float64(hz)/1e6, 'f', -1, 64) + " MHz"
}
