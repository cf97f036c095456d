package radio

import "motehound/mote/cell"

// What the next byte on SI is (section 13, Figures 9 and 10).
const (
	cc2420SPIAddress uint8 = iota
	cc2420SPIReadHigh
	cc2420SPIReadLow
	cc2420SPIWriteHigh
	cc2420SPIWriteLow
	cc2420SPIWriteTX
	cc2420SPIReadRX
	cc2420SPIWriteRX
	cc2420SPIBank
	cc2420SPIReadRAM
	cc2420SPIWriteRAM
	cc2420SPIIgnore // until CSn rises
)

// Status bits (Table 5).
const (
	cc2420StatusRSSIValid = 1 << 1
	cc2420StatusLock      = 1 << 2
	cc2420StatusTXActive  = 1 << 3
	cc2420StatusUnderflow = 1 << 5
	cc2420StatusStable    = 1 << 6
)

// SPI exchanges a byte: in comes on SI, out goes on SO. It does nothing while CSn is high.
func (r *cc2420) SPI(h Host, in cell.Cell) (out cell.Cell) {
	r.catchUp(h)
	s := r.S
	if s.CSn {
		return 0
	}
	if !s.Powered || !s.RESETn {
		h.Notice("cc2420-spi-off", "the firmware talks to the CC2420 while its voltage regulator is off or it is held in reset: it gets zeros")
		return 0
	}
	out = r.exchange(h, in)
	r.updatePins(h)
	return out
}

func (r *cc2420) exchange(h Host, in cell.Cell) (out cell.Cell) {
	s := r.S
	status := cell.Of(r.status())
	switch s.SPIPhase {
	case cc2420SPIAddress:
		r.address(h, cell.Decide(h, in))
	case cc2420SPIReadHigh:
		s.SPIPhase = cc2420SPIReadLow
		return cell.Of(uint8(r.readRegister(h, uint8(s.SPIAddr)) >> 8))
	case cc2420SPIReadLow:
		s.SPIPhase = cc2420SPIAddress
		return cell.Of(uint8(r.readRegister(h, uint8(s.SPIAddr))))
	case cc2420SPIWriteHigh:
		s.SPIHigh, s.SPIPhase = cell.Decide(h, in), cc2420SPIWriteLow
	case cc2420SPIWriteLow:
		s.SPIPhase = cc2420SPIAddress
		r.writeRegister(h, uint8(s.SPIAddr), uint16(s.SPIHigh)<<8|uint16(cell.Decide(h, in)))
	case cc2420SPIWriteTX:
		r.writeTX(h, in)
	case cc2420SPIReadRX:
		return r.readRX()
	case cc2420SPIWriteRX:
		if s.RXCount < cc2420FIFOSize {
			s.RAM[cc2420RAMRX+(s.RXHead+s.RXCount)%cc2420FIFOSize] = in
			s.RXCount++
		}
	case cc2420SPIBank:
		r.bank(h, cell.Decide(h, in))
	case cc2420SPIReadRAM, cc2420SPIWriteRAM:
		out = s.RAM[s.SPIAddr]
		if s.SPIPhase == cc2420SPIWriteRAM {
			s.RAM[s.SPIAddr] = in
		}
		s.SPIAddr = (s.SPIAddr + 1) % cc2420RAMSize
		return out
	}
	return status
}

// status is the status byte. ENC_BUSY is never set.
func (r *cc2420) status() uint8 {
	s := r.S
	var v uint8
	if r.rssiValid() {
		v |= cc2420StatusRSSIValid
	}
	if r.inLock() {
		v |= cc2420StatusLock
	}
	if cc2420Sending(s.Mode) {
		v |= cc2420StatusTXActive
	}
	if s.Underflow {
		v |= cc2420StatusUnderflow
	}
	if s.Stable {
		v |= cc2420StatusStable
	}
	return v
}

// address takes the first byte of an access: RAM/register bit, read bit, address.
func (r *cc2420) address(h Host, b uint8) {
	s := r.S
	if b&0x80 != 0 {
		s.SPIAddr, s.SPIPhase = uint16(b&0x7F), cc2420SPIBank
		return
	}
	addr, read := b&0x3F, b&0x40 != 0
	s.SPIAddr = uint16(addr)
	switch {
	case addr < cc2420MAIN:
		r.strobe(h, addr)
	case addr == cc2420TXFIFO && !read:
		s.SPIPhase = r.clocked(h, cc2420SPIWriteTX)
	case addr == cc2420TXFIFO:
		h.Notice("cc2420-read-txfifo", "the firmware reads the TXFIFO register of the CC2420: it can only be read as RAM")
		s.SPIPhase = cc2420SPIIgnore
	case addr == cc2420RXFIFO && read:
		s.SPIPhase = r.clocked(h, cc2420SPIReadRX)
	case addr == cc2420RXFIFO:
		s.SPIPhase = r.clocked(h, cc2420SPIWriteRX)
	case read:
		s.SPIPhase = cc2420SPIReadHigh
	default:
		s.SPIPhase = cc2420SPIWriteHigh
	}
}

// bank takes the second byte of a RAM access: B1:0, and 1 for read only.
func (r *cc2420) bank(h Host, b uint8) {
	s := r.S
	s.SPIAddr |= uint16(b>>6) << 7
	if s.SPIAddr >= cc2420RAMSize {
		h.Notice("cc2420-ram", "the firmware accesses CC2420 RAM beyond its end")
		s.SPIPhase = cc2420SPIIgnore
		return
	}
	phase := cc2420SPIWriteRAM
	if b&0x20 != 0 {
		phase = cc2420SPIReadRAM
	}
	s.SPIPhase = r.clocked(h, phase)
}

// clocked is the phase if the oscillator runs, which FIFOs and RAM need (sections 13.5 and 13.6).
func (r *cc2420) clocked(h Host, phase uint8) uint8 {
	if r.S.Stable {
		return phase
	}
	h.Notice("cc2420-no-clock", "the firmware accesses a FIFO or the RAM of the CC2420 while its crystal oscillator is not stable: nothing happens")
	return cc2420SPIIgnore
}

// writeTX puts a byte in the TXFIFO. After a frame was sent, the first byte starts anew (section 17.1).
func (r *cc2420) writeTX(h Host, c cell.Cell) {
	s := r.S
	if s.TXSent && !s.Underflow {
		s.TXCount, s.TXSent = 0, false
	}
	if s.TXCount == cc2420FIFOSize {
		h.Notice("cc2420-txfifo-full", "the firmware writes more than 128 bytes to the TXFIFO of the CC2420: the rest is lost")
		return
	}
	s.RAM[cc2420RAMTX+int(s.TXCount)] = c
	s.TXCount++
}

// readRX takes a byte from the RXFIFO; from an empty one comes what the RAM has there.
func (r *cc2420) readRX() cell.Cell {
	s := r.S
	c := s.RAM[cc2420RAMRX+int(s.RXHead)]
	s.RXUntouched = false
	if s.RXCount == 0 {
		return c
	}
	s.RXHead = (s.RXHead + 1) % cc2420FIFOSize
	s.RXCount--
	s.NewFrame = false
	if s.RXLeft > 0 {
		s.RXLeft--
	} else {
		s.RXLeft = c.V() & 0x7F
	}
	if s.RXLeft == 0 {
		// The frame is read; another complete one makes FIFOP active again.
		if s.RXFrames > 0 {
			s.RXFrames--
		}
		s.NewFrame = s.RXFrames > 0
	}
	return c
}

// emptyRX empties the RXFIFO.
func (r *cc2420) emptyRX() {
	s := r.S
	s.RXHead, s.RXCount, s.RXLeft, s.RXFrames = 0, 0, 0, 0
	s.RXUntouched, s.NewFrame = false, false
}
