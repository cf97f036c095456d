package radio

// Frame control field, low byte (Figure 19).
const (
	cc2420FrameBeacon  = 0
	cc2420FrameData    = 1
	cc2420FrameACK     = 2
	cc2420FrameCommand = 3
	cc2420FramePending = 1 << 4
	cc2420AckRequest   = 1 << 5
	cc2420IntraPAN     = 1 << 6
)

// Addressing modes.
const (
	cc2420NoAddress = 0
	cc2420Short     = 2
	cc2420Extended  = 3
)

type cc2420Verdict uint8

const (
	cc2420Undecided cc2420Verdict = iota
	cc2420Accept
	cc2420Reject
)

// recognise says whether the frame coming in is for this radio, as soon as enough of it is there (section 18).
func (r *cc2420) recognise() cc2420Verdict {
	s := r.S
	got := s.RXIndex - 1 // bytes after the length byte
	if got < 2 {
		return cc2420Undecided
	}
	kind := s.FCF0 & 7
	dst, src := s.FCF1>>2&3, s.FCF1>>6
	switch {
	case kind > cc2420FrameCommand:
		if s.Regs[cc2420MDMCTRL0]&cc2420ReservedFrames != 0 {
			return cc2420Accept
		}
		return cc2420Reject
	case kind == cc2420FrameACK:
		return cc2420Accept
	case dst == 1 || src == 1:
		return cc2420Reject
	}
	at := uint8(3) // after the sequence number
	if dst != cc2420NoAddress {
		n := cc2420AddressBytes[dst]
		if got < at+2 {
			return cc2420Undecided
		}
		if !r.isBroadcast(at) && !r.isOurs(at, cc2420RAMPAN, 2) {
			return cc2420Reject
		}
		if got < at+2+n {
			return cc2420Undecided
		}
		switch {
		case dst == cc2420Short && !r.isBroadcast(at+2) && !r.isOurs(at+2, cc2420RAMShort, 2),
			dst == cc2420Extended && !r.isOurs(at+2, cc2420RAMIEEE, 8):
			return cc2420Reject
		}
		if kind != cc2420FrameBeacon {
			return cc2420Accept
		}
		if s.FCF0&cc2420IntraPAN == 0 {
			at += 2 + n
		}
	}
	if kind == cc2420FrameBeacon && s.Regs[cc2420IOCFG0]&cc2420BCNACCEPT != 0 {
		return cc2420Accept
	}
	// What is left depends on the source PAN: beacons, and frames with nothing but a source, which are for coordinators.
	if src == cc2420NoAddress || kind != cc2420FrameBeacon && s.Regs[cc2420MDMCTRL0]&cc2420Coordinator == 0 {
		return cc2420Reject
	}
	if got < at+2 {
		return cc2420Undecided
	}
	if r.isOurs(at, cc2420RAMPAN, 2) {
		return cc2420Accept
	}
	return cc2420Reject
}

var cc2420AddressBytes = [4]uint8{cc2420Short: 2, cc2420Extended: 8}

// frameByte is byte i after the length byte of the frame coming in.
func (r *cc2420) frameByte(i uint8) uint8 {
	return r.S.RAM[cc2420RAMRX+int((r.S.RXStart+1+i)%cc2420FIFOSize)].V()
}

func (r *cc2420) isBroadcast(at uint8) bool {
	return r.frameByte(at) == 0xFF && r.frameByte(at+1) == 0xFF
}

// isOurs compares bytes of the frame with an address in the RAM; both have the least significant byte first.
func (r *cc2420) isOurs(at uint8, ram int, n uint8) bool {
	for i := range n {
		if r.frameByte(at+i) != r.S.RAM[ram+int(i)].V() {
			return false
		}
	}
	return true
}
