package export

import (
	"fmt"
	"strconv"

	"motehound/world"
)

// linkUser0 is the link type (the pcap project's registry) for private use: of bytes that are no frames of a standard.
const linkUser0 = 147

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
	if f.Look.LengthBits != 0 {
		p.delimited(air, f.Look)
	} else {
		p.raw(afterPreamble(fromPreamble(air, f.Look), f.Look))
	}
	return p, true
}

// fromPreamble leaves out what a radio that is given bits sends before its preamble: the byte that was in the shift register when
// the firmware switched it over. It is told by three equal bytes of the preamble behind it.
func fromPreamble(air []byte, look *world.FrameLook) []byte {
	for i := range min(3, max(len(air)-2, 0)) {
		if b := air[i]; look.InPreamble(b) && air[i+1] == b && air[i+2] == b {
			return air[i:]
		}
	}
	return air
}

// delimited takes the physical layer away: preamble, delimiter and length. What has no delimiter is no such frame, and stays raw, with
// its preamble.
func (p *packet) delimited(air []byte, look *world.FrameLook) {
	b := afterPreamble(air, look)
	switch {
	case len(b) == 0:
		p.raw(air)
		p.remark = "ends in its preamble"
		return
	case b[0] != look.Delimiter:
		p.raw(air)
		p.remark = "no " + look.Name + " start-of-frame delimiter"
		return
	case len(b) == 1:
		p.raw(air)
		p.remark = "ends before its length"
		return
	}
	p.link = look.Link
	p.original = int(b[1] & look.LengthBits)
	p.data = b[2:min(len(b), 2+p.original)]
	if len(p.data) < p.original {
		p.remark = fmt.Sprintf("ends after %d of %d bytes", len(p.data), p.original)
	}
}

func (p *packet) raw(b []byte) { p.link, p.data, p.original = linkUser0, b, len(b) }

// afterPreamble is what follows the bytes that only help a receiver to find its feet.
func afterPreamble(b []byte, look *world.FrameLook) []byte {
	for len(b) > 0 && look.InPreamble(b[0]) {
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
