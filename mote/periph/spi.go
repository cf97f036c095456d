package periph

import (
	"math/bits"

	"motehound/mote/cell"
)

// SPIConfig places the SPI in a chip.
type SPIConfig struct {
	SPCR, SPSR, SPDR uint16 // data-space addresses
	STC              uint8  // vector of "SPI, STC", numbered as in the datasheet

	SS, SCK, MOSI, MISO Pin
}

// SPIBus is what the SPI master is wired to.
type SPIBus interface {
	// Exchange is called when the master's transfer completes: after the eighth bit, with SCK idle again, before SPIF
	// is set. Chip selects have the levels that the firmware gave them, and Host.Now is the moment of completion. Bytes
	// are as a device sees them that takes the most significant bit first, whatever DORD says.
	Exchange(out cell.Cell) (in cell.Cell)
}

// Bits of SPCR and SPSR (2467 "SPI Control Register", DS40002061 section 19.5).
const (
	spiSPIE = 1 << 7
	spiSPE  = 1 << 6
	spiDORD = 1 << 5
	spiMSTR = 1 << 4
	spiCPOL = 1 << 3
	spiSPR  = 3

	spiSPIF = 1 << 7
	spiWCOL = 1 << 6
	spi2X   = 1 << 0
)

// SPIState is everything of the SPI that changes.
type SPIState struct {
	End   uint64    `time:"clkio,ahead,orzero"` // ClkIO: end of the master's transfer
	Shift cell.Cell // shift register: what goes out next, or is going out
	Rx    cell.Cell // receive buffer, which SPDR shows

	SPCR, SPSR uint8
	Seen       uint8 // flags that a read of SPSR showed and an access of SPDR will clear
	Busy       bool  // the master shifts
	Bits       uint8 // slave: bits of the byte shifted so far
	In         uint8 // slave: what they were, the first one highest
	Pads       uint8 // which pads are ours: 1 as master, 2 as slave
	MISO       bool  // the level it drives as a slave
}

// Who holds the pads.
const (
	spiPadsMaster = 1
	spiPadsSlave  = 2
)

// SPI is the serial peripheral interface. The master works by bytes with exact moments (SCK and MOSI keep their idle
// levels on the pads); the slave by bytes or by bits, as the outside clocks it.
type SPI struct {
	Passive // Clocked: the transfer counts cycles
	ID      ID
	Cfg     *SPIConfig
	S       *SPIState
	Bus     SPIBus // nil: the level of MISO is read
}

// spiOrder turns a byte between the order of the register and that of a device which takes the high bit first.
func spiOrder(c cell.Cell, lsbFirst bool) cell.Cell {
	if !lsbFirst {
		return c
	}
	return cell.Of(bits.Reverse8(c.V()))
}

func (p *SPI) lsbFirst() bool { return p.S.SPCR&spiDORD != 0 }
func (p *SPI) master() bool   { return p.S.SPCR&(spiSPE|spiMSTR) == spiSPE|spiMSTR }

// divider is the number of cycles in a period of SCK (2467 table "Relationship Between SCK and the Oscillator
// Frequency").
func (p *SPI) divider() uint64 {
	d := [4]uint64{4, 16, 64, 128}[p.S.SPCR&spiSPR]
	if p.S.SPSR&spi2X != 0 {
		d /= 2
	}
	return d
}

// Registers lists the registers of the SPI.
func (p *SPI) Registers() []uint16 { return []uint16{p.Cfg.SPCR, p.Cfg.SPSR, p.Cfg.SPDR} }

// Kinds is the number of kinds of events: the end of a transfer is the only one.
func (p *SPI) Kinds() int { return 1 }

// Read reads a register; SPSR and then SPDR clears SPIF and WCOL.
func (p *SPI) Read(h Host, addr uint16) cell.Cell {
	switch addr {
	case p.Cfg.SPDR:
		p.acknowledge(h)
		return p.S.Rx
	case p.Cfg.SPSR:
		p.S.Seen = p.S.SPSR & (spiSPIF | spiWCOL)
	}
	return cell.Of(p.Peek(h, addr))
}

// Peek shows a register.
func (p *SPI) Peek(_ Host, addr uint16) uint8 {
	switch addr {
	case p.Cfg.SPCR:
		return p.S.SPCR
	case p.Cfg.SPSR:
		return p.S.SPSR
	case p.Cfg.SPDR:
		return p.S.Rx.V()
	}
	return 0
}

// acknowledge is an access of SPDR: it clears the flags that were seen.
func (p *SPI) acknowledge(h Host) {
	if p.S.Seen == 0 {
		return
	}
	p.S.SPSR &^= p.S.Seen
	p.S.Seen = 0
	p.update(h)
}

// Write writes a register.
func (p *SPI) Write(h Host, addr uint16, v cell.Cell) {
	switch addr {
	case p.Cfg.SPCR:
		p.control(h, v.V())
	case p.Cfg.SPSR:
		p.S.SPSR = p.S.SPSR&^spi2X | v.V()&spi2X
	case p.Cfg.SPDR:
		p.acknowledge(h)
		p.put(h, v)
	}
	p.update(h)
}

func (p *SPI) control(h Host, v uint8) {
	s := p.S
	if (s.SPCR^v)&(spiSPE|spiMSTR) != 0 {
		p.abort(h)
	}
	s.SPCR = v
	p.checkSS(h)
	p.pads(h)
}

// abort drops what is being shifted.
func (p *SPI) abort(h Host) {
	p.S.Busy, p.S.Bits, p.S.In = false, 0, 0
	h.At(p.ID, 0, ClkIO, Never)
}

// put takes a write of SPDR. A master's byte takes eight periods of SCK, and one cycle more until the data is there:
// on hardware, at fosc/2, SPDR has the answer 17 cycles after the write, and 18 cycles is the closest that the next
// write may come (measured for the Arduboy's ATmega32U4, Ardens pull request 134; the datasheet is silent).
func (p *SPI) put(h Host, v cell.Cell) {
	s := p.S
	now := h.Now(ClkIO)
	if s.Busy || s.Bits != 0 || p.master() && s.End != 0 && now == s.End {
		s.SPSR |= spiWCOL
		return
	}
	s.Shift = v
	if p.checkSS(h); !p.master() {
		p.pads(h)
		return
	}
	s.Busy, s.End = true, now+8*p.divider()+1
	h.At(p.ID, 0, ClkIO, s.End)
}

// Event ends the master's transfer.
func (p *SPI) Event(h Host, _ uint8) {
	s := p.S
	if !s.Busy {
		return
	}
	in := cell.Of(0)
	if p.Bus != nil {
		in = spiOrder(p.Bus.Exchange(spiOrder(s.Shift, p.lsbFirst())), p.lsbFirst())
	} else if h.Level(p.Cfg.MISO) {
		in = cell.Of(0xFF)
	}
	s.Busy = false
	h.Drive(p.ID, p.Cfg.MOSI, spiOrder(s.Shift, p.lsbFirst()).V()&1 == 1, false)
	p.received(h, in)
}

// received completes a byte: the shift register keeps it, so a slave that is not fed sends it back.
func (p *SPI) received(h Host, in cell.Cell) {
	p.S.Rx, p.S.Shift = in, in
	p.S.SPSR |= spiSPIF
	p.update(h)
}

func (p *SPI) update(h Host) { h.Request(p.Cfg.STC, p.S.SPCR&spiSPIE != 0 && p.S.SPSR&spiSPIF != 0) }

// Vectors implements Device.
func (p *SPI) Vectors() []uint8 { return []uint8{p.Cfg.STC} }

// Served clears SPIF when the interrupt is taken.
func (p *SPI) Served(h Host, _ uint8) {
	p.S.SPSR &^= spiSPIF
	p.S.Seen &^= spiSPIF
	p.update(h)
}

// Reset puts the registers to their initial values and gives the pads back.
func (p *SPI) Reset(h Host, _ bool) {
	p.abort(h)
	p.S.SPCR = 0
	p.pads(h)
	*p.S = SPIState{}
	p.update(h)
}

// pads takes the pads over as 2467 table "SPI Pin Overrides" says: outputs keep their DDR bits.
func (p *SPI) pads(h Host) {
	s, c := p.S, p.Cfg
	want := uint8(0)
	switch {
	case p.master():
		want = spiPadsMaster
	case p.selected(h):
		want = spiPadsSlave
	}
	if s.Pads == spiPadsMaster && want != spiPadsMaster {
		h.Release(p.ID, c.MOSI)
		h.Release(p.ID, c.SCK)
	}
	if s.Pads == spiPadsSlave && want != spiPadsSlave {
		h.Release(p.ID, c.MISO)
	}
	fresh := s.Pads != want
	s.Pads = want
	switch {
	case want == spiPadsMaster:
		h.Drive(p.ID, c.SCK, s.SPCR&spiCPOL != 0, false)
		if fresh {
			h.Drive(p.ID, c.MOSI, true, false)
		}
	case want == spiPadsSlave:
		p.showBit(h, fresh)
	}
}

// selectedPads is pads for a slave that is known to be selected.
func (p *SPI) selectedPads(h Host) {
	if p.S.Pads != spiPadsSlave {
		p.pads(h)
		return
	}
	p.showBit(h, false)
}

// showBit puts the slave's bit on MISO.
func (p *SPI) showBit(h Host, fresh bool) {
	if out := p.outBit(); fresh || out != p.S.MISO {
		p.S.MISO = out
		h.Drive(p.ID, p.Cfg.MISO, out, false)
	}
}
