package radio

import (
	"fmt"

	"motehound/mote/cell"
)

// Heard takes in what others do on the air now.
func (r *cc2420) Heard(h Host, x Heard) {
	r.catchUp(h)
	switch x.Kind {
	case CarrierOn:
		r.carrierOn(h, x)
	case Byte:
		for i := range r.S.Carriers {
			c := &r.S.Carriers[i]
			if c.On && c.Sender == x.Sender {
				r.byteStart(h, c, x.Bit, x.Data)
				c.Data = x.Data.V()
			}
		}
	case CarrierOff:
		r.carrierOff(h, x.Sender)
	}
	if x.Kind != Byte {
		r.relevel(h)
	}
	r.updatePins(h)
}

// HearByte is Heard for a byte.
func (r *cc2420) HearByte(h Host, sender uint16, bit uint64, c cell.Cell) {
	r.Heard(h, Heard{Kind: Byte, Sender: sender, Bit: bit, Data: c})
}

// carrierOn keeps a new carrier in mind. Of too many at once, the weakest is forgotten.
func (r *cc2420) carrierOn(h Host, x Heard) {
	if x.Carrier.DBm < cc2420NoiseFloor-10 {
		return
	}
	r.carrierOff(h, x.Sender)
	place := 0
	for i := range r.S.Carriers {
		if r.S.Carriers[i].Power < r.S.Carriers[place].Power {
			place = i
		}
	}
	p := &r.S.Carriers[place]
	if p.On {
		h.Notice("cc2420-crowd", fmt.Sprintf("a CC2420 hears more than %d transmissions at once: the weakest do not count", cc2420MaxCarrier))
		if p.DBm >= x.Carrier.DBm {
			return
		}
		r.lose(h, p.Sender)
	}
	*p = cc2420Carrier{
		Hertz: x.Carrier.Hertz, Power: cc2420Linear(x.Carrier.DBm), DBm: x.Carrier.DBm,
		Sender: x.Sender, Modulation: x.Carrier.Modulation, On: true,
	}
}

func (r *cc2420) carrierOff(h Host, sender uint16) {
	for i := range r.S.Carriers {
		if c := &r.S.Carriers[i]; c.On && c.Sender == sender {
			*c = cc2420Carrier{}
			r.lose(h, sender)
		}
	}
}

// relevel takes the carriers on the channel together after a change.
func (r *cc2420) relevel(h Host) {
	s := r.S
	r.sample(h.Time())
	level := cc2420Linear(cc2420NoiseFloor)
	var others uint64
	for i := range s.Carriers {
		c := &s.Carriers[i]
		if !c.On || !cc2420OnChannel(c.Hertz, cc2420Hertz(s.Tuned)) {
			continue
		}
		level += c.Power
		if !s.LockedOn || c.Sender != s.Locked.Sender {
			others += c.Power
		}
	}
	s.Meter.Level = level
	s.Worst = max(s.Worst, others)
	r.planLevel(h)
}

// interference is the power of all carriers on the channel but the locked one, and the latest byte of the strongest.
func (r *cc2420) interference() (power uint64, data uint8) {
	s := r.S
	var strongest uint64
	for i := range s.Carriers {
		c := &s.Carriers[i]
		if !c.On || !cc2420OnChannel(c.Hertz, cc2420Hertz(s.Tuned)) || s.LockedOn && c.Sender == s.Locked.Sender {
			continue
		}
		power += c.Power
		if c.Power > strongest {
			strongest, data = c.Power, c.Data
		}
	}
	return power, data
}

// cc2420OnChannel says whether a signal adds to the energy on a channel: further away it is rejected (electrical specifications, receive
// section: 30 dB and more at 5 MHz).
func cc2420OnChannel(hertz, channel uint64) bool {
	return hertz == EveryChannel || hertz+2_000_000 > channel && channel+2_000_000 > hertz
}

// receiverOn starts the search for a frame; RSSI is valid eight symbols later.
func (r *cc2420) receiverOn(h Host, at uint64) {
	s := r.S
	s.Meter.start(at)
	if r.search(); s.Overflow {
		s.Mode = cc2420RXOverflow
	}
	r.relevel(h)
}

// receiverOff keeps the last RSSI.
func (r *cc2420) receiverOff(h Host) {
	s := r.S
	if cc2420Receiving(s.Mode) && s.Mode != cc2420RXCalibrate {
		r.sample(h.Time())
		s.RSSI = r.rssi()
	}
	s.LockedOn, s.OnByte, s.Filtering = false, false, false
	r.plan(h, cc2420Level, Never)
	r.plan(h, cc2420Symbol, Never)
}

func (r *cc2420) receiverIsOn() bool {
	return cc2420Receiving(r.S.Mode) && r.S.Mode != cc2420RXCalibrate
}

// clear is the clear channel assessment (section 25). It is not clear before RSSI is valid.
func (r *cc2420) clear() bool {
	s := r.S
	if !r.rssiValid() {
		return false
	}
	quiet, silent := !s.Meter.Busy, s.Mode != cc2420RXFrame
	switch s.Regs[cc2420MDMCTRL0] >> 6 & 3 {
	case 1:
		return quiet
	case 2:
		return silent
	case 3:
		return quiet && silent
	}
	return true
}
