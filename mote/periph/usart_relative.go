package periph

import (
	"motehound/mote/cell"
	"motehound/mote/digest"
	"motehound/mote/relative"
)

// AppendRelative feeds the USART's state to a digest as it looks from now.
func (u *USART) AppendRelative(h *digest.Digest, now *relative.Now) {
	s := *u.S
	c := USART{ID: u.ID, Cfg: u.Cfg, S: &s, Index: u.Index}
	s.BaudBase = c.phase(now[relative.IO])
	c.forgetSent()
	s.forgetReceived(now[relative.Real])
	usartTable.Append(h, &s, now)
}

// Shift moves a USART's times: see relative.Table.
func (s *USARTState) Shift(now, by *relative.Now) { usartTable.Shift(s, now, by) }

// usartFrames is more bits than any frame has.
const usartFrames = 32

// phase is a moment at which the baud-rate generator could as well have started: of one that has run for longer than any frame
// that is under way takes, only the phase matters.
func (u *USART) phase(now uint64) uint64 {
	bit := u.tick() * u.samples()
	ago := now - u.S.BaudBase
	if long := usartFrames * bit; u.S.BaudBase <= now && ago > long {
		ago = long + ago%bit
	}
	return now - ago
}

// forgetSent drops what has left the transmit buffer and the shift register: both are written before they are looked at again.
func (u *USART) forgetSent() {
	s, sync := u.S, u.mode() == usartSync
	if !s.TxFull {
		s.TxBuf, s.TxNinth = 0, false
	}
	if !s.TxBusy || !sync {
		s.SyncTx, s.SyncTxLeft = 0, 0
	}
	if !s.TxBusy || sync {
		s.TxBegin, s.TxEnd = Never, Never // bits are counted
	}
	if !s.TxBusy || sync && s.SyncTxLeft == u.shifting().Format.Bits() {
		s.TxStartPs = Never // set by the first of them
	}
	if !s.TxBusy {
		s.TxShift, s.ShiftNinth, s.ShiftFormat = 0, false, [3]uint8{}
	}
	if !s.SyncOn {
		s.SyncLevel = false // set when the clock starts
	}
}

// forgetReceived drops what a receiver at rest has no use for. The samples of a frame under way are taken late, but not whenever
// somebody looks: they stay as they are.
func (s *USARTState) forgetReceived(now uint64) {
	if !s.RxBusy {
		// All of it is set when a frame begins, the reference too.
		s.RxAt, s.RefAt, s.RefPs, s.RefHz, s.RxSample, s.RxVotes = Never, Never, Never, 0, 0, 0
		if s.SyncRxCount == 0 {
			s.RxWord, s.RxWhole = 0, false
		}
		// A frame that ended as long ago as it took leaves an idle line, also for one that is told late.
		if now >= s.LineStart+2*uint64(s.LineLen)*s.LineBit {
			s.LineStart, s.LineBit, s.LineLevels, s.LineCell, s.LineLen = Never, 0, 0, 0, 0
		}
	}
	if !s.RxWhole {
		s.RxSource = 0
	}
	for i := int(s.RxCount); i < len(s.RxCells); i++ {
		s.RxCells[i], s.RxFlags[i] = cell.Of(0), 0 // lost to an overrun
	}
}
