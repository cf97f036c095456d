package radio

import (
	"bytes"
	"fmt"
	"testing"
)

// known gives a mote PAN 0x0022, short address 0x0005 and extended address 08:07:06:05:04:03:02:01.
func (m *cc2420Mote) known() {
	m.ram(cc2420RAMIEEE, 1, 2, 3, 4, 5, 6, 7, 8, 0x22, 0, 5, 0)
}

// Section 18: which frames pass, and after how many bytes of the frame a rejection is known.
func TestCC2420AddressRecognition(t *testing.T) {
	t.Parallel()
	const (
		on          = 0x0AE2
		coordinator = 0x1AE2
		reserved    = 0x2AE2
		off         = 0x02E2
		beacons     = 0x0840
	)
	for _, c := range []struct {
		name       string
		mode, io   uint16
		frame      []uint8
		rejectedAt int // bytes after the length byte; 0 for accepted
	}{
		{"short, ours", on, 0x40, []uint8{0x41, 0x88, 1, 0x22, 0, 5, 0, 9, 0, 0}, 0},
		{"short, broadcast", on, 0x40, []uint8{0x41, 0x88, 1, 0x22, 0, 0xFF, 0xFF, 9, 0, 0}, 0},
		{"short, broadcast PAN", on, 0x40, []uint8{0x41, 0x88, 1, 0xFF, 0xFF, 5, 0, 9, 0, 0}, 0},
		{"short, other address", on, 0x40, []uint8{0x41, 0x88, 1, 0x22, 0, 6, 0, 9, 0, 0}, 7},
		{"short, other PAN", on, 0x40, []uint8{0x41, 0x88, 1, 0x23, 0, 5, 0, 9, 0, 0}, 5},
		{"short, other, recognition off", off, 0x40, []uint8{0x41, 0x88, 1, 0x23, 0, 6, 0, 9, 0, 0}, 0},
		{"extended, ours", on, 0x40, []uint8{0x41, 0x8C, 1, 0x22, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0}, 0},
		{"extended, other", on, 0x40, []uint8{0x41, 0x8C, 1, 0x22, 0, 1, 2, 3, 4, 5, 6, 7, 9, 9, 0}, 13},
		{"command, ours", on, 0x40, []uint8{0x43, 0x88, 1, 0x22, 0, 5, 0, 9, 0, 4}, 0},
		{"reserved addressing mode", on, 0x40, []uint8{0x41, 0x84, 1, 0x22, 0, 5, 0, 9, 0}, 2},
		{"source only, not a coordinator", on, 0x40, []uint8{0x01, 0x80, 1, 0x22, 0, 9, 0, 0}, 2},
		{"source only, coordinator", coordinator, 0x40, []uint8{0x01, 0x80, 1, 0x22, 0, 9, 0, 0}, 0},
		{"source only, coordinator, other PAN", coordinator, 0x40, []uint8{0x01, 0x80, 1, 0x23, 0, 9, 0, 0}, 5},
		{"no address", coordinator, 0x40, []uint8{0x01, 0x00, 1, 1, 2, 3}, 2},
		{"acknowledgement", on, 0x40, []uint8{0x02, 0x00, 1}, 0},
		{"beacon of our PAN", on, 0x40, []uint8{0x00, 0x80, 1, 0x22, 0, 9, 0, 0, 0}, 0},
		{"beacon of another PAN", on, 0x40, []uint8{0x00, 0x80, 1, 0x23, 0, 9, 0, 0, 0}, 5},
		{"beacon of another PAN, BCN_ACCEPT", on, beacons, []uint8{0x00, 0x80, 1, 0x23, 0, 9, 0, 0, 0}, 0},
		{"reserved type", on, 0x40, []uint8{0x44, 0x88, 1, 0x22, 0, 5, 0}, 2},
		{"reserved type, RESERVED_FRAME_MODE", reserved, 0x40, []uint8{0x44, 0x88, 1, 0x23, 0, 6, 0}, 0},
	} {
		g := newCC2420Rig(t, 2)
		g.listening()
		a, b := g.motes[0], g.motes[1]
		b.known()
		b.write(cc2420MDMCTRL0, c.mode)
		b.write(cc2420IOCFG0, c.io&^cc2420FIFOPTHR|1) // low threshold: FIFOP waits for the address
		a.fill(c.frame...)
		start := g.now
		a.strobe(cc2420STXON)
		g.run(3 * Millisecond)
		var sfd, fifop string
		for _, w := range b.waves {
			if w.pin == PinSFD && !w.level {
				sfd = fmt.Sprint((w.at - start) / Microsecond)
			}
			if w.pin == PinFIFOP && w.level {
				fifop = fmt.Sprint((w.at - start) / Microsecond)
			}
		}
		accepted := c.rejectedAt == 0
		end := 384 + 32*c.rejectedAt
		if accepted {
			end = 384 + 32*(len(c.frame)+2)
		}
		if b.pins[PinFIFO] != accepted || (fifop != "") != accepted || sfd != fmt.Sprint(end) {
			t.Errorf("%s: FIFO %v, FIFOP rose at %q, SFD fell at %s; want accepted %v, SFD at %d", c.name, b.pins[PinFIFO], fifop, sfd, accepted, end)
		}
		if accepted && b.drain(1)[0] != uint8(len(c.frame)+2) {
			t.Errorf("%s: not in the RXFIFO", c.name)
		}
		// Frames before it stay, and the next one is found.
		a.fill(0x41, 0x88, 2, 0x22, 0, 5, 0, 9, 0, 0)
		a.strobe(cc2420STXON)
		g.run(3 * Millisecond)
		if !b.pins[PinFIFOP] {
			t.Errorf("%s: the next frame is lost", c.name)
		}
	}
}

// Section 19, Figure 24: acknowledgements, 12 symbols after the last one of the frame.
func TestCC2420Acknowledges(t *testing.T) {
	t.Parallel()
	data := []uint8{0x61, 0x88, 77, 0x22, 0, 5, 0, 9, 0, 0}
	const end = 352 + 32*13
	for _, c := range []struct {
		name   string
		mode   uint16
		frame  []uint8
		strobe uint8  // and when
		at     uint64 // microseconds after STXON
		ack    uint64 // when it begins; 0 for none
		fcf    uint8
	}{
		{"AUTOACK", 0x0AF2, data, cc2420SNOP, 0, end + 192, 2},
		{"AUTOACK, not asked for", 0x0AF2, append([]uint8{0x41}, data[1:]...), cc2420SNOP, 0, 0, 2},
		{"AUTOACK, pending", 0x0AF2, data, cc2420SACKPEND, 1, end + 192, 0x12},
		{"no AUTOACK", 0x0AE2, data, cc2420SNOP, 0, 0, 2},
		{"SACK during the frame", 0x0AE2, data, cc2420SACK, 600, end + 192, 2},
		{"SACKPEND during the frame", 0x0AE2, data, cc2420SACKPEND, 600, end + 192, 0x12},
		{"SACK afterwards", 0x0AE2, data, cc2420SACK, end + 300, end + 300 + 192, 2},
		{"SACK for a rejected frame", 0x0AE2, append([]uint8{0x41, 0x88, 77, 0x23}, data[4:]...), cc2420SACK, end + 300, 0, 2},
	} {
		g := newCC2420Rig(t, 2)
		g.listening()
		a, b := g.motes[0], g.motes[1]
		b.known()
		b.write(cc2420MDMCTRL0, c.mode)
		a.fill(c.frame...)
		start := g.now
		a.strobe(cc2420STXON)
		g.run(c.at * Microsecond)
		b.strobe(c.strobe)
		g.run(3 * Millisecond)
		if (len(b.sent) > 0) != (c.ack != 0) {
			t.Errorf("%s: sent %v", c.name, b.sent)
			continue
		}
		if c.ack == 0 {
			continue
		}
		if b.onAt != start+c.ack*Microsecond {
			t.Errorf("%s: begins %.1f us after the strobe, want %d", c.name, float64(b.onAt-start)/Microsecond, c.ack)
		}
		got := a.drain(6)
		if !bytes.Equal(got, []uint8{5, c.fcf, 0, 77, 0xFB, 0xEE}) {
			t.Errorf("%s: received % x", c.name, got)
		}
	}
}

// An acknowledgement is not sent for a frame whose FCS is wrong.
func TestCC2420AcknowledgesOnlyValid(t *testing.T) {
	t.Parallel()
	g := newCC2420Rig(t, 2)
	g.listening()
	a, b := g.motes[0], g.motes[1]
	b.known()
	b.write(cc2420MDMCTRL0, 0x0AF2)
	a.write(cc2420MDMCTRL0, 0x02C2)
	a.spi(cc2420TXFIFO, 11, 0x61, 0x88, 77, 0x22, 0, 5, 0, 9, 0, 0xBA, 0xD0)
	a.strobe(cc2420STXON)
	g.run(3 * Millisecond)
	b.strobe(cc2420SACK)
	g.run(3 * Millisecond)
	if len(b.sent) != 0 || b.drain(12)[11]&0x80 != 0 {
		t.Errorf("sent %v", b.sent)
	}
}
