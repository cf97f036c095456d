package periph

import (
	"testing"

	"motehound/mote/cell"
)

const (
	tSPCR, tSPSR, tSPDR = 0x4C, 0x4D, 0x4E
	tSTC                = 18
)

var spiTestConfig = SPIConfig{
	SPCR: tSPCR, SPSR: tSPSR, SPDR: tSPDR, STC: tSTC,
	SS: P('B', 2), SCK: P('B', 5), MOSI: P('B', 3), MISO: P('B', 4),
}

func newSPI(spcr uint8) (*SPI, *serialHost, *spiEcho) {
	bus := &spiEcho{}
	p := &SPI{Cfg: &spiTestConfig, S: &SPIState{}, Bus: bus}
	h := newSerialHost(16e6, p)
	h.set(p.Cfg.SS, true)
	h.write(p, tSPCR, spcr)
	return p, h, bus
}

// DS40002061 table 19-5; one cycle more than eight periods until the data is there, see SPI.put.
func TestSPIMasterMoments(t *testing.T) {
	for _, c := range []struct {
		spr, x2 uint8
		divider uint64
	}{{0, 0, 4}, {1, 0, 16}, {2, 0, 64}, {3, 0, 128}, {0, 1, 2}, {1, 1, 8}, {2, 1, 32}, {3, 1, 64}} {
		p, h, bus := newSPI(spiSPIE | spiSPE | spiMSTR | c.spr)
		h.write(p, tSPSR, c.x2)
		from := h.io
		p.Write(h, tSPDR, cell.Symbolic(0x12, 9))
		h.flagAt(t, p, tSPSR, spiSPIF, from+8*c.divider+1)
		if len(bus.heard) != 1 || bus.heard[0] != 0x12 || !h.requests[tSTC] {
			t.Errorf("%+v: bus heard %v, request %v", c, bus.heard, h.requests[tSTC])
		}
		if got := p.Read(h, tSPDR); got != cell.Symbolic(0xED, 9) {
			t.Errorf("%+v: got %#x", c, got)
		}
	}
}

// DS40002061 section 19.5.2: how SPIF and WCOL are set and cleared.
func TestSPIFlags(t *testing.T) {
	const on = spiSPIE | spiSPE | spiMSTR
	transfer := func(h *serialHost, p *SPI) {
		h.write(p, tSPDR, 1)
		h.until(h.io + 40)
	}
	flags := func(h *serialHost, p *SPI) uint8 { return p.Peek(h, tSPSR) & (spiSPIF | spiWCOL) }

	p, h, _ := newSPI(on)
	transfer(h, p)
	h.read(p, tSPDR)
	if flags(h, p) != spiSPIF {
		t.Error("SPDR alone cleared SPIF")
	}
	h.read(p, tSPSR)
	if flags(h, p) != spiSPIF {
		t.Error("SPSR alone cleared SPIF")
	}
	h.read(p, tSPDR)
	if flags(h, p) != 0 || h.requests[tSTC] {
		t.Error("SPSR, then SPDR did not clear SPIF")
	}
	transfer(h, p)
	p.Served(h, tSTC)
	if flags(h, p) != 0 || h.requests[tSTC] {
		t.Error("serving did not clear SPIF")
	}

	h.read(p, tSPSR)
	h.write(p, tSPDR, 2)
	h.until(h.io + 10)
	h.write(p, tSPDR, 3) // collides
	if flags(h, p) != spiWCOL {
		t.Errorf("flags %#x after a write during the transfer", flags(h, p))
	}
	h.until(h.io + 40)
	if flags(h, p) != spiWCOL|spiSPIF || p.Bus.(*spiEcho).heard[2] != 2 {
		t.Error("the transfer did not survive the collision")
	}
	h.read(p, tSPSR)
	h.write(p, tSPDR, 4)
	if flags(h, p) != 0 {
		t.Errorf("flags %#x after SPSR and a write of SPDR", flags(h, p))
	}
	h.write(p, tSPCR, 0) // turned off: the transfer is dropped
	h.until(h.io + 40)
	if flags(h, p) != 0 {
		t.Error("a transfer ended after SPE was cleared")
	}
}

// Measured on hardware at fosc/2: the answer is there 17 cycles after the write, the next write may come after 18.
func TestSPIBackToBack(t *testing.T) {
	for gap, want := range map[uint64]uint8{16: spiWCOL, 17: spiWCOL, 18: 0} {
		p, h, _ := newSPI(spiSPE | spiMSTR)
		h.write(p, tSPSR, spi2X)
		h.write(p, tSPDR, 1)
		h.until(h.io + gap)
		h.write(p, tSPDR, 2)
		if got := p.Peek(h, tSPSR) & spiWCOL; got != want {
			t.Errorf("%d cycles apart: WCOL %#x", gap, got)
		}
	}
}

func TestSPIDataOrder(t *testing.T) {
	p, h, bus := newSPI(spiSPE | spiMSTR | spiDORD)
	h.write(p, tSPDR, 0x01)
	h.until(h.io + 40)
	if bus.heard[0] != 0x80 || p.Peek(h, tSPDR) != 0xFE {
		t.Errorf("heard %#x, got %#x", bus.heard[0], p.Peek(h, tSPDR))
	}
	p.Bus = nil // an open MISO with a pull-up
	h.set(p.Cfg.MISO, true)
	h.write(p, tSPDR, 0x01)
	h.until(h.io + 40)
	if p.Peek(h, tSPDR) != 0xFF {
		t.Errorf("got %#x", p.Peek(h, tSPDR))
	}
}

// DS40002061 section 19.3.2: SS as an input, driven low, makes a slave of the master.
func TestSPIMasterLosesSS(t *testing.T) {
	p, h, _ := newSPI(spiSPIE | spiSPE | spiMSTR)
	if h.owners[p.Cfg.SCK] != 0 || len(h.owners) != 2 {
		t.Errorf("pads %v", h.owners)
	}
	h.write(p, tSPDR, 1)
	h.set(p.Cfg.SS, false)
	if p.Peek(h, tSPCR) != spiSPIE|spiSPE || p.Peek(h, tSPSR) != spiSPIF || !h.requests[tSTC] {
		t.Errorf("SPCR %#x, SPSR %#x", p.Peek(h, tSPCR), p.Peek(h, tSPSR))
	}
	if _, ours := h.owners[p.Cfg.MOSI]; ours {
		t.Error("MOSI is still ours")
	}
	p, h, _ = newSPI(spiSPE | spiMSTR)
	h.outputs[p.Cfg.SS] = true
	h.set(p.Cfg.SS, false)
	if p.Peek(h, tSPCR)&spiMSTR == 0 {
		t.Error("SS as an output does not matter")
	}
}

// DS40002061 section 19.3.1 and the double buffering of section 19.1.
func TestSPISlave(t *testing.T) {
	p, h, _ := newSPI(spiSPIE | spiSPE)
	h.write(p, tSPDR, 0xA5)
	if got := p.SlaveExchange(h, cell.Of(1)); got.V() != 0xFF || p.Peek(h, tSPSR) != 0 {
		t.Error("a slave that is not selected answered")
	}
	h.set(p.Cfg.SS, false)
	if got := p.SlaveExchange(h, cell.Symbolic(0x5A, 3)); got.V() != 0xA5 || !h.requests[tSTC] {
		t.Errorf("out %#x", got)
	}
	if got := p.SlaveExchange(h, cell.Of(0x11)); got != cell.Symbolic(0x5A, 3) {
		t.Errorf("a slave that is not fed sends back what it got, not %#x", got)
	}

	shift := func(v uint8, n int) (out uint8) {
		for i := range n {
			out <<= 1
			if p.SlaveBit(h, v<<i&0x80 != 0) {
				out |= 1
			}
		}
		return out
	}
	p.Served(h, tSTC)
	h.write(p, tSPDR, 0xC3)
	if got := shift(0x96, 5); got != 0xC3>>3 || p.Peek(h, tSPDR) != 0x11 {
		t.Errorf("out %#x, SPDR %#x", got, p.Peek(h, tSPDR))
	}
	if c, n := p.SlaveShift(); c.V() != 0xC3 || n != 5 {
		t.Errorf("%d bits of %#x", n, c)
	}
	h.write(p, tSPDR, 0)
	if p.Peek(h, tSPSR) != spiWCOL {
		t.Error("no collision in the middle of a byte")
	}
	if got := shift(0x96<<5&0xFF, 3); got != 0xC3&7 || p.Peek(h, tSPDR) != 0x96 || p.Peek(h, tSPSR) != spiWCOL|spiSPIF {
		t.Errorf("out %#x, SPDR %#x, SPSR %#x", got, p.Peek(h, tSPDR), p.Peek(h, tSPSR))
	}
	shift(0xFF, 3)
	h.set(p.Cfg.SS, true) // drops the partial byte
	h.set(p.Cfg.SS, false)
	shift(0x3C, 8)
	if p.Peek(h, tSPDR) != 0x3C {
		t.Errorf("SPDR %#x after SS was high", p.Peek(h, tSPDR))
	}
}
