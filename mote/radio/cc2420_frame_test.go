package radio

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"testing"

	"motehound/mote/cell"
)

// Section 16.1, Figure 17, Figure 20: what goes on the air, and when. 12 symbols of turnaround, or 8.
func TestCC2420Transmits(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		txctrl, mdmctrl0 uint16
		first            uint64
		zeros            int
	}{
		{0xA0FF, 0x02E2, 192, 4},
		{0x80FF, 0x02E2, 128, 4},
		{0xA0FF, 0x02E0, 192, 2},
		{0xA0FF, 0x02EF, 192, 17},
	} {
		g := newCC2420Rig(t, 1)
		g.powered()
		m := g.motes[0]
		m.write(cc2420TXCTRL, c.txctrl)
		m.write(cc2420MDMCTRL0, c.mdmctrl0)
		m.spi(cc2420TXFIFO, 11, '1', '2', '3', '4', '5', '6', '7', '8', '9')
		m.waves = nil
		start := g.now
		if m.strobe(cc2420STXON); m.status()&cc2420StatusTXActive == 0 {
			t.Error("TX_ACTIVE is not set")
		}
		g.run(3 * Millisecond)
		var got []uint8
		for i, b := range m.sent {
			got = append(got, b.V())
			if at := start + c.first*Microsecond + uint64(i)*cc2420ByteTime; m.sentAt[i] != at {
				t.Fatalf("byte %d begins at %d, want %d", i, m.sentAt[i], at)
			}
		}
		// 0x2189 is the CRC of "123456789" (CRC-16/KERMIT).
		want := append(make([]uint8, c.zeros), 0xA7, 11, '1', '2', '3', '4', '5', '6', '7', '8', '9', 0x89, 0x21)
		if !bytes.Equal(got, want) {
			t.Errorf("sent % x\nwant % x", got, want)
		}
		sfd := c.first + uint64(c.zeros+1)*32
		m.expect(start, fmt.Sprintf("%d.0 SFD rises", sfd), fmt.Sprintf("%d.0 SFD falls", sfd+12*32),
			fmt.Sprintf("%d.0 CCA rises", sfd+12*32+192+128))
		if m.onAt != m.sentAt[0] || m.offAt != start+(sfd+12*32)*Microsecond {
			t.Errorf("carrier from %d to %d", m.onAt, m.offAt)
		}
		if m.status()&cc2420StatusTXActive != 0 || m.state.Mode != cc2420RXSearch {
			t.Error("it does not receive after the frame")
		}
	}
}

// Section 14.2, Figure 13: pins while a frame comes in; Figure 21: what is in the RXFIFO.
func TestCC2420Receives(t *testing.T) {
	t.Parallel()
	for _, ties := range []*rand.Rand{nil, rand.New(rand.NewPCG(1, 1)), rand.New(rand.NewPCG(2, 2)), rand.New(rand.NewPCG(3, 3))} {
		g := newCC2420Rig(t, 2)
		g.listening()
		g.ties = ties
		a, b := g.motes[0], g.motes[1]
		a.fill(0x41, 0x88, 7, 0x22, 0, 0xFF, 0xFF, 1, 0, 0x3F)
		start := g.now
		a.strobe(cc2420STXON)
		g.run(2 * Millisecond)
		b.expect(start, "208.0 CCA falls", "352.0 SFD rises", "384.0 FIFO rises", "768.0 FIFOP rises", "768.0 SFD falls", "896.0 CCA rises")
		a.expect(start, "0.0 CCA falls", "352.0 SFD rises", "768.0 SFD falls", "1088.0 CCA rises")
		got := b.drain(13)
		// -50 dBm is 45 - 50 = -5; CRC OK, correlation 110.
		want := []uint8{12, 0x41, 0x88, 7, 0x22, 0, 0xFF, 0xFF, 1, 0, 0x3F, 0xFB, 0x80 | 110}
		if !bytes.Equal(got, want) {
			t.Errorf("received % x\nwant     % x", got, want)
		}
		if b.pins[PinFIFO] || b.pins[PinFIFOP] {
			t.Error("FIFO or FIFOP stays high")
		}
		if len(b.chosen) != 0 {
			t.Error("there was a choice without interference")
		}
	}
}

// Section 17.1: a frame can be sent again; a write starts a new one.
func TestCC2420SendsAgain(t *testing.T) {
	t.Parallel()
	g := newCC2420Rig(t, 2)
	g.listening()
	a, b := g.motes[0], g.motes[1]
	a.fill(1, 2, 3)
	for i := range 3 {
		if i == 2 {
			a.fill(4, 5)
		}
		a.strobe(cc2420STXON)
		g.run(2 * Millisecond)
	}
	got := b.drain(17)
	want := []uint8{5, 1, 2, 3, 0xFB, 0xEE, 5, 1, 2, 3, 0xFB, 0xEE, 4, 4, 5, 0xFB, 0xEE}
	if !bytes.Equal(got, want) {
		t.Errorf("received % x\nwant     % x", got, want)
	}
}

// Hosts bring events and signals rounded up to their clock cycles: nothing is lost, told too late, or drifts.
func TestCC2420ClockCycles(t *testing.T) {
	t.Parallel()
	for _, cycles := range [][2]uint64{{135634, 135634}, {135634, 62500}, {250000, 125000}, {125000, 999_999}} {
		g := newCC2420Rig(t, 2)
		g.listening()
		a, b := g.motes[0], g.motes[1]
		a.cycle, b.cycle = cycles[0], cycles[1]
		b.known()
		b.write(cc2420MDMCTRL0, 0x0AF2)
		for i := range 20 {
			g.run(uint64(i) * 12_345)
			a.fill(append([]uint8{0x61, 0x88, uint8(i), 0x22, 0, 5, 0, 9, 0}, make([]uint8, 90)...)...)
			start := a.Time()
			a.strobe(cc2420STXON)
			g.run(8 * Millisecond)
			if got := b.drain(102); got[0] != 101 || got[101]&0x80 == 0 {
				t.Fatalf("cycles %v, frame %d: % x", cycles, i, got)
			}
			if got := a.drain(6); got[3] != uint8(i) || got[5]&0x80 == 0 {
				t.Fatalf("cycles %v, acknowledgement %d: % x", cycles, i, got)
			}
			if late := b.onAt - start - (352+32*102+192)*Microsecond; late > cycles[1] {
				t.Fatalf("cycles %v: the acknowledgement is %d ps late", cycles, late)
			}
		}
	}
}

// Symbolic bytes cross the air; the FCS is concrete.
func TestCC2420CarriesCells(t *testing.T) {
	t.Parallel()
	g := newCC2420Rig(t, 2)
	g.listening()
	a, b := g.motes[0], g.motes[1]
	a.radio.SetCSn(a, false)
	for _, c := range []cell.Cell{cc2420TXFIFO, 5, cell.Symbolic(1, 42), 2, cell.Symbolic(3, 43)} {
		a.radio.SPI(a, c)
	}
	a.radio.SetCSn(a, true)
	a.strobe(cc2420STXON)
	g.run(2 * Millisecond)
	b.radio.SetCSn(b, false)
	b.radio.SPI(b, cc2420RXFIFO|0x40)
	for i, want := range []cell.Cell{5, cell.Symbolic(1, 42), 2, cell.Symbolic(3, 43), 0xFB, 0xEE} {
		if c := b.radio.SPI(b, 0); c != want {
			t.Errorf("byte %d is %#x, want %#x", i, c, want)
		}
	}
}

// Section 14.2: FIFOP by threshold, and Figure 14: reading 8 bytes with FIFOP_THR = 3.
func TestCC2420FIFOP(t *testing.T) {
	t.Parallel()
	g := newCC2420Rig(t, 2)
	g.listening()
	a, b := g.motes[0], g.motes[1]
	b.write(cc2420IOCFG0, 3)
	a.fill(1, 2, 3, 4, 5, 6)
	start := g.now
	a.strobe(cc2420STXON)
	g.run(2 * Millisecond)
	b.expect(start, "208.0 CCA falls", "352.0 SFD rises", "384.0 FIFO rises", "480.0 FIFOP rises", "640.0 SFD falls", "768.0 CCA rises")
	var fifo, fifop []bool
	for range 9 {
		b.drain(1)
		fifo, fifop = append(fifo, b.pins[PinFIFO]), append(fifop, b.pins[PinFIFOP])
	}
	if fmt.Sprint(fifo) != "[true true true true true true true true false]" ||
		fmt.Sprint(fifop) != "[true true true true true false false false false]" {
		t.Errorf("FIFO %v\nFIFOP %v", fifo, fifop)
	}
}

// With several frames in the RXFIFO, FIFOP is active again as soon as one has been read.
func TestCC2420FIFOPOfNextFrame(t *testing.T) {
	t.Parallel()
	g := newCC2420Rig(t, 2)
	g.listening()
	a, b := g.motes[0], g.motes[1]
	a.fill(1, 2, 3)
	for range 2 {
		a.strobe(cc2420STXON)
		g.run(2 * Millisecond)
	}
	for i, want := range []bool{false, false, false, false, false, true, false, false, false, false, false, false} {
		if b.drain(1); b.pins[PinFIFOP] != want {
			t.Errorf("after byte %d FIFOP is %v", i, b.pins[PinFIFOP])
		}
	}
}

// Section 14.3: overflow is FIFO low while FIFOP is high; what was complete can be read; it takes SFLUSHRX to go on, and twice
// for SFD.
func TestCC2420Overflow(t *testing.T) {
	t.Parallel()
	g := newCC2420Rig(t, 2)
	g.listening()
	a, b := g.motes[0], g.motes[1]
	a.fill(make([]uint8, 60)...)
	for range 3 {
		a.strobe(cc2420STXON)
		g.run(4 * Millisecond)
	}
	if b.pins[PinFIFO] || !b.pins[PinFIFOP] || !b.pins[PinSFD] || b.state.Mode != cc2420RXOverflow {
		t.Fatalf("pins %v, state %d", b.pins, b.state.Mode)
	}
	if got := b.drain(126); got[0] != 62 || got[63] != 62 || got[125]&0x80 == 0 {
		t.Errorf("frames in the RXFIFO: % x", got)
	}
	if b.pins[PinFIFO] || !b.pins[PinFIFOP] {
		t.Error("reading ends the overflow")
	}
	b.strobe(cc2420SFLUSHRX)
	if b.pins[PinFIFOP] || !b.pins[PinSFD] || b.state.Mode != cc2420RXSearch {
		t.Errorf("after one flush: pins %v, state %d", b.pins, b.state.Mode)
	}
	b.strobe(cc2420SFLUSHRX)
	if b.pins[PinSFD] {
		t.Error("after two flushes SFD is still high")
	}
	a.strobe(cc2420STXON)
	g.run(4 * Millisecond)
	if !b.pins[PinFIFO] || !b.pins[PinFIFOP] || len(b.notices) != 0 {
		t.Errorf("after the flush nothing is received: pins %v, notices %v", b.pins, b.notices)
	}
	b.strobe(cc2420SFLUSHRX)
	if b.notices["cc2420-flush-unread"] == "" {
		t.Error("a flush without a read goes unnoticed")
	}
}

// Section 17.1: underflow, with an empty TXFIFO and in the middle of a frame.
func TestCC2420Underflow(t *testing.T) {
	t.Parallel()
	for _, n := range []int{0, 1, 4, 10} {
		g := newCC2420Rig(t, 2)
		g.listening()
		a, b := g.motes[0], g.motes[1]
		a.spi(append([]uint8{cc2420TXFIFO}, append([]uint8{20}, make([]uint8, 20)...)[:n]...)...)
		start := g.now
		a.strobe(cc2420STXON)
		g.run(4 * Millisecond)
		end := 352 + 32*n
		want := []string{"0.0 CCA falls", "352.0 SFD rises", fmt.Sprintf("%d.0 SFD falls", end)}
		if n == 0 {
			want = want[:1]
		}
		a.expect(start, want...)
		if got := a.status(); got&(cc2420StatusUnderflow|cc2420StatusTXActive) != cc2420StatusUnderflow || a.state.Mode != cc2420TXUnderflow {
			t.Errorf("status %#x, state %d", got, a.state.Mode)
		}
		if a.offAt != start+uint64(end)*Microsecond {
			t.Errorf("the carrier ends at %d", a.offAt)
		}
		a.strobe(cc2420STXON)
		if a.state.Mode != cc2420TXUnderflow {
			t.Error("STXON works before SFLUSHTX")
		}
		a.strobe(cc2420SFLUSHTX)
		g.run(Millisecond)
		if a.status()&cc2420StatusUnderflow != 0 || a.state.Mode != cc2420RXSearch {
			t.Error("SFLUSHTX does not bring the receiver back")
		}
		// The receiver goes on with noise for the 20 bytes that the length byte says.
		if n > 0 {
			last := b.drain(21)[20]
			if last&0x80 != 0 || len(b.chosen) != 1 {
				t.Errorf("a frame that was cut off has CRC/correlation %#x, choices %v", last, b.chosen)
			}
		}
	}
}

// The TXFIFO may still be filled, or changed through RAM, while the frame goes out.
func TestCC2420FillsWhileSending(t *testing.T) {
	t.Parallel()
	g := newCC2420Rig(t, 2)
	g.listening()
	a, b := g.motes[0], g.motes[1]
	a.spi(cc2420TXFIFO, 7)
	start := g.now
	a.strobe(cc2420STXON)
	for i := range uint8(5) {
		g.until(start + (352+32+32*uint64(i)-25)*Microsecond)
		a.spi(cc2420TXFIFO, i)
		a.ram(uint16(i+1), 0x10+i)
	}
	g.run(2 * Millisecond)
	if got := b.drain(8); !bytes.Equal(got, []uint8{7, 0x10, 0x11, 0x12, 0x13, 0x14, 0xFB, 0xEE}) {
		t.Errorf("received % x", got)
	}
}

// Without AUTOCRC the FCS is the firmware's business, on both sides.
func TestCC2420WithoutAutoCRC(t *testing.T) {
	t.Parallel()
	g := newCC2420Rig(t, 2)
	g.listening()
	a, b := g.motes[0], g.motes[1]
	a.write(cc2420MDMCTRL0, 0x02C2)
	b.write(cc2420MDMCTRL0, 0x02C2)
	a.spi(cc2420TXFIFO, 4, 1, 2, 3, 4)
	a.strobe(cc2420STXON)
	g.run(2 * Millisecond)
	if got := b.drain(5); !bytes.Equal(got, []uint8{4, 1, 2, 3, 4}) {
		t.Errorf("received % x", got)
	}
}

// A receiver that starts in the middle of a frame does not get it; one that still hears two bytes of the preamble does.
func TestCC2420LateReceiver(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		late uint64 // from the start of the preamble to the receiver being ready
		want bool
	}{{0, true}, {60, true}, {64, true}, {65, false}, {300, false}} {
		g := newCC2420Rig(t, 2)
		g.powered()
		a, b := g.motes[0], g.motes[1]
		a.fill(1, 2, 3)
		a.strobe(cc2420STXON)
		g.run(c.late * Microsecond)
		b.strobe(cc2420SRXON)
		g.run(2 * Millisecond)
		if b.pins[PinFIFOP] != c.want {
			t.Errorf("%d us late: received is %v", c.late, !c.want)
		}
	}
}
