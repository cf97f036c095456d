package periph

// Synchronous operation (2467 "Synchronous Clock Operation"): data change on one edge of XCK and are sampled on the
// other, as UCPOL says. The master (DDR_XCK set) makes XCK, 2(UBRR+1) cycles per bit, for as long as its receiver or
// transmitter is on; the slave follows the pad.

// clockSync starts or stops the master's clock.
func (u *USART) clockSync(h Host) {
	s := u.S
	run := u.mode() == usartSync && (s.UCSRB&(usartRXEN|usartTXEN) != 0 || s.TxBusy) && h.IsOutput(u.Cfg.XCK)
	if run == s.SyncOn {
		return
	}
	s.SyncOn = run
	if !run {
		h.At(u.ID, usartSyncEdge, ClkIO, Never)
		h.Release(u.ID, u.Cfg.XCK)
		return
	}
	s.SyncLevel = s.UCSRC&usartUCPOL != 0 // so that the first edge is one on which data change
	h.Drive(u.ID, u.Cfg.XCK, s.SyncLevel, false)
	h.At(u.ID, usartSyncEdge, ClkIO, h.Now(ClkIO)+u.tick())
}

func (u *USART) syncEvent(h Host) {
	s := u.S
	s.SyncLevel = !s.SyncLevel
	h.Drive(u.ID, u.Cfg.XCK, s.SyncLevel, false)
	h.At(u.ID, usartSyncEdge, ClkIO, h.Now(ClkIO)+u.tick())
	u.syncEdge(h, s.SyncLevel)
}

// Pins lists XCK, the slave's clock input.
func (u *USART) Pins() []Pin { return []Pin{u.Cfg.XCK} }

// PinChanged follows the external clock.
func (u *USART) PinChanged(h Host, _ Pin, level bool) {
	if u.mode() == usartSync && !u.S.SyncOn {
		u.syncEdge(h, level)
		u.update(h)
	}
}

func (u *USART) syncEdge(h Host, rising bool) {
	if rising == (u.S.UCSRC&usartUCPOL == 0) {
		u.syncShift(h)
	} else if u.S.UCSRB&usartRXEN != 0 {
		u.syncSample(h)
	}
}

// syncShift puts the next bit on TXD; a frame has ended when its last bit gives way.
func (u *USART) syncShift(h Host) {
	s := u.S
	if s.TxBusy && s.SyncTxLeft == 0 {
		u.txDone(h)
		u.clockSync(h)
	}
	if !s.TxBusy {
		return
	}
	if s.SyncTxLeft == u.shifting().Format.Bits() {
		s.TxStartPs = h.Now(ClkReal)
	}
	h.Drive(u.ID, u.Cfg.TXD, s.SyncTx&1 == 1, true)
	s.SyncTx >>= 1
	s.SyncTxLeft--
}

func (u *USART) syncSample(h Host) {
	s := u.S
	now := h.Now(ClkReal)
	high, line := h.Level(u.Cfg.RXD), !u.rxIdle(h)
	if line {
		high = u.level(now)
	}
	f := u.format()
	f.StopBits = 1
	switch n := s.SyncRxCount; {
	case n == 0 && high:
	case n == 0:
		u.rxOverrun()
		s.RxWord, s.RxWhole, s.RxSource = 0, line, s.LineCell
		s.SyncRxCount = 1
	case n < f.Bits()-1:
		if high {
			s.RxWord |= 1 << (n - 1)
		}
		s.SyncRxCount++
	default:
		s.SyncRxCount = 0
		u.store(high)
	}
}
