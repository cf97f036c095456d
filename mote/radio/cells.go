package radio

import "motehound/mote/cell"

// EachCell visits the cells that the radio holds. What was worked out from one that is changed is worked out again: the frame
// check sequence of a frame that is under way.
func (r *cc2420) EachCell(visit func(*cell.Cell)) {
	s := r.S
	before := r.checked()
	visit(&s.RXByte)
	visit(&s.DSN)
	for i := range s.RAM {
		visit(&s.RAM[i])
	}
	s.CRC ^= before ^ r.checked()
}

// checked is the check sequence of the bytes so far of a frame that is coming in or going out, as far as they can be looked at: CRC is
// linear, so what changed bytes change in it is the difference.
func (r *cc2420) checked() (crc uint16) {
	s := r.S
	switch s.Mode {
	case cc2420RXFrame:
		if s.Rejected {
			return 0
		}
		for i := uint8(1); i < s.RXIndex && i+1 < s.RXLen; i++ {
			crc = crc16(crc, s.RAM[cc2420RAMRX+int((s.RXStart+i)%cc2420FIFOSize)].V())
		}
	case cc2420TXFrame, cc2420TXPreamble:
		for i := uint16(1); i+s.TXHead < s.TXIndex && i+2 < uint16(s.TXEnd); i++ {
			crc = crc16(crc, s.RAM[cc2420RAMTX+int(i)].V())
		}
	}
	return crc
}

// EachCell visits the cells that the radio holds.
func (r *cc1000) EachCell(visit func(*cell.Cell)) {
	for i := range r.S.Fifo {
		visit(&r.S.Fifo[i])
	}
}
