package radio

import "math"

// cc2420Meter averages the signal on the channel over eight symbol periods (section 23) and compares it with the
// threshold of the clear channel assessment (section 25).
type cc2420Meter struct {
	Level   uint64    `time:"number"` // signal power on the channel now, noise included, linear
	Samples [8]uint64 `time:"number"` // Level at the last eight symbols, latest first
	Last    uint64    `time:"ps"`     // when the latest sample was taken
	Count   uint8     // samples since the receiver went on, up to eight
	Busy    bool      // the average is above the threshold, with hysteresis
	Pad     [6]uint8
}

// start begins a new average.
func (m *cc2420Meter) start(at uint64) { m.Last, m.Count, m.Busy = at, 0, false }

// valid says whether there are eight samples.
func (m *cc2420Meter) valid() bool { return m.Count == 8 }

// reading is RSSI_VAL.
func (m *cc2420Meter) reading() int8 { return cc2420Reading(m.average()) }

func (m *cc2420Meter) average() uint64 {
	s := &m.Samples
	return (s[0] + s[1] + s[2] + s[3] + s[4] + s[5] + s[6] + s[7]) / 8
}

// advance takes the samples that are due.
func (m *cc2420Meter) advance(now uint64, threshold, hysteresis int8) {
	if now < m.Last {
		return
	}
	ticks := (now - m.Last) / cc2420SymbolTime
	for range min(ticks, 8) {
		s := &m.Samples
		s[0], s[1], s[2], s[3], s[4], s[5], s[6], s[7] = m.Level, s[0], s[1], s[2], s[3], s[4], s[5], s[6]
		m.Count = min(m.Count+1, 8)
		m.judge(threshold, hysteresis)
	}
	m.Last += ticks * cc2420SymbolTime
}

// judge compares the average with the threshold.
func (m *cc2420Meter) judge(threshold, hysteresis int8) {
	if !m.valid() {
		return
	}
	switch power := m.average(); {
	case power >= cc2420Least(int16(threshold)):
		m.Busy = true
	case power < cc2420Least(int16(threshold)-int16(hysteresis)):
		m.Busy = false
	}
}

// threshold is CCA_THR and CCA_HYST.
func (r *cc2420) threshold() (threshold, hysteresis int8) {
	return int8(r.S.Regs[cc2420RSSI] >> 8), int8(r.S.Regs[cc2420MDMCTRL0] >> 8 & 7)
}

func (r *cc2420) rssiValid() bool { return r.receiverIsOn() && r.S.Meter.valid() }

// rssi is RSSI_VAL: without a receiver, the last one.
func (r *cc2420) rssi() int8 {
	if r.rssiValid() {
		return r.S.Meter.reading()
	}
	return r.S.RSSI
}

// sample brings the average up to date.
func (r *cc2420) sample(now uint64) {
	if r.receiverIsOn() {
		threshold, hysteresis := r.threshold()
		r.S.Meter.advance(now, threshold, hysteresis)
	}
}

// planLevel plans for the symbol at which RSSI becomes valid or the energy on the channel crosses its threshold, if
// nothing else happens.
func (r *cc2420) planLevel(h Host) {
	at := Never
	if r.receiverIsOn() {
		threshold, hysteresis := r.threshold()
		ahead := r.S.Meter
		for range 8 {
			ahead.advance(ahead.Last+cc2420SymbolTime, threshold, hysteresis)
			if ahead.Busy != r.S.Meter.Busy || ahead.valid() != r.S.Meter.valid() {
				at = ahead.Last
				break
			}
		}
	}
	r.plan(h, cc2420Level, at)
}

// cc2420Reading is RSSI_VAL for a power: the range ends at 0 dBm.
func cc2420Reading(power uint64) int8 { return int8(min(cc2420Decibels(power), 0) - cc2420RSSIOffset) }

// cc2420Least is the least power for which RSSI_VAL is at least a number.
func cc2420Least(rssi int16) uint64 {
	dbm := rssi + cc2420RSSIOffset
	if dbm > 0 {
		return math.MaxUint64
	}
	return cc2420Steps[max(dbm, cc2420Weakest)-cc2420Weakest]
}

// Range of powers in dBm.
const (
	cc2420Weakest   = -120
	cc2420Strongest = 20
)

// cc2420Powers is by dBm, from the weakest on, in units of 10^-15 mW: whole numbers, so that every machine gets the same
// sums.
var cc2420Powers = func() (powers [cc2420Strongest - cc2420Weakest + 1]uint64) {
	decade := [10]uint64{1000, 1259, 1585, 1995, 2512, 3162, 3981, 5012, 6310, 7943} // 1000 * 10^(i/10)
	for i := range powers {
		powers[i] = decade[i%10]
		if i >= 10 {
			powers[i] = 10 * powers[i-10]
		}
	}
	return powers
}()

// cc2420Steps is from where on a power counts as each of these: from half a decibel below it, which is 8/9, on.
var cc2420Steps = func() (steps [len(cc2420Powers)]uint64) {
	for i, p := range cc2420Powers[1:] {
		steps[i+1] = p - p/9
	}
	return steps
}()

// cc2420Linear is a power in these units.
func cc2420Linear(dbm int16) uint64 {
	return cc2420Powers[min(max(dbm, cc2420Weakest), cc2420Strongest)-cc2420Weakest]
}

// cc2420Decibels is the nearest power in dBm.
func cc2420Decibels(power uint64) int16 {
	low, high := 0, len(cc2420Powers)-1
	for low < high {
		if mid := (low + high + 1) / 2; power >= cc2420Steps[mid] {
			low = mid
		} else {
			high = mid - 1
		}
	}
	return int16(low) + cc2420Weakest
}
