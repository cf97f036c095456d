package periph

import "motehound/mote/cell"

// The methods here are for an outside master. Each is called when the bits in question have been on the bus, and never
// while Stretching.

// SlaveStart is the ninth bit of an outside master's SLA+R/W. If we were about to send our own START or address, that
// master has won the arbitration.
func (t *TWI) SlaveStart(h Host, addr uint8, read bool) (ack bool) {
	s := t.S
	lost := s.Doing == twiDoAddress
	if lost || s.Doing == twiDoStart {
		t.do(h, twiNothing, 0)
		s.Role = twiIdle
	}
	s.Taken = true
	own := (addr^s.TWAR>>1)&^(s.TWAMR>>1) == 0
	call := addr == 0 && !read && s.TWAR&twiTWGCE != 0
	if s.TWCR&(twiTWEN|twiTWEA) != twiTWEN|twiTWEA || !own && !call || s.TWINT {
		if lost {
			t.report(h, twiLost)
		}
		return false
	}
	status, role := uint8(twiOwnW), uint8(twiOwnReceiving)
	switch {
	case call:
		status, role = twiGeneralCall, twiCallReceiving
	case read:
		status, role = twiOwnR, twiOwnTransmitting
	}
	if lost {
		status += 8
	}
	s.Role = role
	s.TWDR = cell.Of(addr << 1)
	if read {
		s.TWDR = cell.Of(addr<<1 | 1)
	}
	t.report(h, status)
	return true
}

// SlaveWrite is a data byte from the outside master.
func (t *TWI) SlaveWrite(h Host, c cell.Cell) (ack bool) {
	s := t.S
	ack = s.TWCR&twiTWEA != 0
	var status uint8
	switch s.Role {
	case twiOwnReceiving:
		status = twiChoose(ack, twiOwnGotAck, twiOwnGotNack)
	case twiCallReceiving:
		status = twiChoose(ack, twiCallGotAck, twiCallGotNack)
	default:
		return false
	}
	s.TWDR = c
	if !ack {
		s.Role = twiIdle
	}
	t.report(h, status)
	return ack
}

// SlaveRead is a data byte to the outside master, which acknowledges it or not.
func (t *TWI) SlaveRead(h Host, ack bool) cell.Cell {
	s := t.S
	if s.Role != twiOwnTransmitting {
		return cell.Of(0xFF)
	}
	out := s.TWDR
	switch {
	case !ack:
		s.Role = twiIdle
		t.report(h, twiGaveNack)
	case s.TWCR&twiTWEA == 0: // the firmware said that this was its last byte
		s.Role = twiIdle
		t.report(h, twiGaveLast)
	default:
		t.report(h, twiGaveAck)
	}
	return out
}

// SlaveStop is the outside master's STOP, or its repeated START, which a SlaveStart follows. A START of our own that
// waited for the bus begins after a STOP.
func (t *TWI) SlaveStop(h Host, restart bool) {
	s := t.S
	s.Taken = restart
	if s.Role == twiOwnReceiving || s.Role == twiCallReceiving {
		s.Role = twiIdle
		t.report(h, twiStopOrRestart)
		return
	}
	if s.Role == twiOwnTransmitting {
		s.Role = twiIdle
	}
	if !restart && s.TWCR&(twiTWEN|twiTWSTA) == twiTWEN|twiTWSTA && !s.TWINT && s.Doing == twiNothing {
		t.proceed(h)
	}
}
