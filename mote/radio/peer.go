package radio

// Peered is a radio that knows what another one has to send for it to hear: a frame that somebody makes up comes like that.
type Peered interface {
	// Peer is the signal that such a radio would send, as received from nearby, and how long one of its bits takes, in picoseconds. It
	// reports whether there is one: the radio may be off, or not set up.
	Peer() (c Carrier, bit uint64, ok bool)
}

// Addressed is a radio that leaves out frames which are not for it.
type Addressed interface {
	// Addresses are those of its network and its own, as the firmware has set them.
	Addresses() (network, own uint16)
}

// nearby is a strong signal, in dBm.
const nearby = -40

// Peer implements Peered.
func (r *cc2420) Peer() (Carrier, uint64, bool) {
	return Carrier{Hertz: cc2420Hertz(r.S.Tuned), DBm: nearby, Modulation: OQPSK}, cc2420BitTime, r.Listening()
}

// Addresses implements Addressed.
func (r *cc2420) Addresses() (network, own uint16) {
	word := func(at int) uint16 { return uint16(r.S.RAM[at].V()) | uint16(r.S.RAM[at+1].V())<<8 }
	return word(cc2420RAMPAN), word(cc2420RAMShort)
}

// Peer implements Peered. The oscillator of a receiver is below the signal, or above it: then what comes out is inverted.
func (r *cc1000) Peer() (Carrier, uint64, bool) {
	return Carrier{Hertz: r.S.Hertz + cc1000IF, DBm: nearby, Modulation: r.modulation()}, r.speed().bit, r.Listening() && r.speed().bit != 0
}
